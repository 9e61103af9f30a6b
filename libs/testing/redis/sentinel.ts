import type { ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import {
  endProcess,
  freePort,
  type PrivateRedis,
  redisBinary,
  spawnReady,
  startPrivateRedis,
} from '@plumbline/platform/private-redis'

const master = 'runs'
const password = 'hush'
const sentinelCount = 3
const within = 20_000

const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + within
  while (!(await holds().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`waited ${within} ms for: ${what}`)
    await wait(50)
  }
}

const ask = async <T>(port: number, work: (redis: Redis) => Promise<T>, options: object = {}): Promise<T> => {
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: null, enableReadyCheck: false, ...options })
  redis.on('error', () => undefined)
  try {
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}
const infoOf = (port: number): Promise<string> => ask(port, (redis) => redis.info('replication'))
const asSentinel = { password }

const configOf = (port: number, dir: string, watched: number): string =>
  [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${dir}`,
    `requirepass ${password}`,
    `sentinel sentinel-pass ${password}`,
    `sentinel monitor ${master} 127.0.0.1 ${watched} 2`,
    `sentinel down-after-milliseconds ${master} 1000`,
    `sentinel failover-timeout ${master} 10000`,
    '',
  ].join('\n')

const startSentinels = async (dir: string, watched: number): Promise<{ child: ChildProcess; port: number }[]> =>
  Promise.all(
    Array.from({ length: sentinelCount }, async (_, n) => {
      const port = await freePort()
      const own = join(dir, `sentinel-${n}`)
      await mkdir(own)
      await writeFile(join(own, 'sentinel.conf'), configOf(port, own, watched))
      const args = [join(own, 'sentinel.conf'), '--sentinel']
      return { child: await spawnReady(redisBinary() ?? 'redis-server', args, 'Sentinel ID is'), port }
    }),
  )

export const startSentinel = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-sentinel-'))
  const first = await startPrivateRedis()
  const nodes: PrivateRedis[] = [
    first,
    await startPrivateRedis({ args: ['--replicaof', '127.0.0.1', `${first.port}`] }),
  ]
  const sentinels = await startSentinels(dir, first.port)
  const stop = async (): Promise<void> => {
    await Promise.all(sentinels.map(({ child }) => endProcess(child, 'SIGKILL')))
    await Promise.all(nodes.map((node) => node.stop()))
    await rm(dir, { recursive: true, force: true })
  }
  const masterPort = (port = sentinels[0]?.port ?? 0): Promise<number> =>
    ask(
      port,
      async (redis) => Number(((await redis.call('SENTINEL', 'get-master-addr-by-name', master)) as string[])[1]),
      asSentinel,
    )
  const settled = async (): Promise<void> => {
    for (const { port } of sentinels)
      await until('every sentinel knows the others and the replica', () =>
        ask(
          port,
          async (redis) =>
            (await redis.info('sentinel')).includes('status=ok,address=127.0.0.1:') &&
            /slaves=1,sentinels=3/.test(await redis.info('sentinel')),
          asSentinel,
        ),
      )
    await until('the replica has what the master has', async () =>
      (await infoOf(nodes.find(({ port }) => port !== first.port)?.port ?? 0)).includes('master_link_status:up'),
    )
  }
  try {
    await settled()
  } catch (error) {
    await stop()
    throw error
  }
  /** Kills the master. Resolves when all sentinels report the other node as the master. */
  const killMaster = async (): Promise<PrivateRedis> => {
    const port = await masterPort()
    const killed = nodes.find((node) => node.port === port) ?? first
    await killed.kill()
    await until('the replica is the master', async () =>
      (await Promise.all(sentinels.map((one) => masterPort(one.port)))).every((now) => now !== port),
    )
    return killed
  }
  const addresses = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const urlOf = (user = ''): string => `redis+sentinel://${user}${addresses}/${master}?sentinelPassword=${password}`
  return { url: urlOf(), urlOf, nodes, killMaster, stop }
}
