import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { connectWaiting } from '@plumbline/adapters/redis'
import { freePort, startPrivateRedis } from '@plumbline/platform'
import { findRedis, type Running } from './redis'

let dir: string
const running: Running[] = []
const find = async (url?: string): Promise<Running> => {
  const found = await findRedis(url, dir)
  running.push(found)
  return found
}
const withRedis = async <T>(
  url: string,
  work: (redis: ReturnType<typeof connectWaiting>) => Promise<T>,
): Promise<T> => {
  const redis = connectWaiting(url)
  try {
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}

beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), 'plumbline-local-'))))
afterEach(async () => {
  for (const redis of running.splice(0)) await redis.stop()
  await rm(dir, { recursive: true, force: true })
})

it('keeps what was written over a stop and a start', async () => {
  const first = await find()
  await withRedis(first.url, (redis) => redis.set('kept', 'yes'))
  await first.stop()
  const second = await find()
  expect(await withRedis(second.url, (redis) => redis.get('kept'))).toBe('yes')
})

it('takes over from a Redis that outlived its starter, with its data', async () => {
  const home = join(dir, 'redis')
  const orphan = await startPrivateRedis({ dir: home })
  await writeFile(join(home, 'port'), `${orphan.port}`)
  await withRedis(orphan.url, (redis) => redis.set('kept', 'yes'))
  const next = await find()
  expect(next.url).not.toBe(orphan.url)
  expect(await withRedis(next.url, (redis) => redis.get('kept'))).toBe('yes')
  await expect(findRedis(orphan.url, dir)).rejects.toThrow('No Redis answers')
})

it('starts it again when it dies, with its data', async () => {
  let lost = 0
  const redis = await findRedis(undefined, dir, () => (lost += 1))
  running.push(redis)
  await withRedis(redis.url, async (client) => {
    await client.set('kept', 'yes')
    const info = String(await client.call('INFO', 'server'))
    process.kill(Number(/process_id:(\d+)/.exec(info)?.[1]), 'SIGKILL')
    await vi.waitFor(async () => expect(await client.get('kept')).toBe('yes'), 15_000)
  })
  expect(lost).toBe(1)
})

it('uses the Redis it is told to, and leaves it running', async () => {
  const mine = await find()
  const named = await find(mine.url)
  expect(named).toMatchObject({ url: mine.url, owned: false })
  await named.stop()
  expect(await withRedis(mine.url, (redis) => redis.ping())).toBe('PONG')
})

it('says within seconds that nobody answers, without the password', async () => {
  const since = Date.now()
  const url = `redis://me:secret@127.0.0.1:${await freePort()}`
  await expect(find(url)).rejects.toThrow(/No Redis answers at REDIS_URL=redis:\/\/me:…@127\.0\.0\.1/)
  expect(Date.now() - since).toBeLessThan(8_000)
})
