import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startPrivateCluster } from './private-cluster'
import { freePort, startPrivateRedis } from './private-redis'

const ask = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${text}\r\n`))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('closed without an answer')))
    socket.once('data', (answer: Buffer) => {
      socket.destroy()
      resolve(answer.toString().trim())
    })
  })

test('an acknowledged write with fsync on every write survives a kill', async () => {
  const redis = await startPrivateRedis({ appendFsync: 'always' })
  onTestFinished(() => redis.stop())
  expect(await ask(redis.port, 'SET a 1')).toBe('+OK')
  const before = redis.pid
  await redis.kill()
  await expect(ask(redis.port, 'PING')).rejects.toThrow()
  await redis.start()
  expect(redis.pid).not.toBe(before)
  expect(await ask(redis.port, 'GET a')).toContain('1')
})

test('a port in use is reported at once', async () => {
  const port = await freePort()
  const redis = await startPrivateRedis({ port })
  onTestFinished(() => redis.stop())
  await expect(startPrivateRedis({ port })).rejects.toThrow(/redis-server ended/)
})

test('three nodes form a cluster that owns every slot', async () => {
  const cluster = await startPrivateCluster()
  onTestFinished(() => cluster.stop())
  expect(cluster.nodes).toHaveLength(3)
  for (const node of cluster.nodes) {
    const info = await ask(node.port, 'CLUSTER INFO')
    expect(info).toContain('cluster_slots_ok:16384')
    expect(info).toContain('cluster_size:3')
  }
})

test('a Redis ends with the process that started it, even when that one is killed', async () => {
  const module = join(import.meta.dirname, 'private-redis.ts')
  const starter = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `const { startPrivateRedis } = await import('${module}'); console.log((await startPrivateRedis()).port)`,
  ])
  const [port] = (await once(starter.stdout, 'data')) as [Buffer]
  expect(await ask(Number(port), 'PING')).toBe('+PONG')
  starter.kill('SIGKILL')
  await expect
    .poll(() =>
      ask(Number(port), 'PING').then(
        () => 'up',
        () => 'down',
      ),
    )
    .toBe('down')
})
