import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { connectWaiting } from '@plumbline/adapters/redis/client/client'
import { freePort, startPrivateRedis } from '@plumbline/platform'
import { backOff, runProcesses } from './processes'
import { findRedis, type RunningRedis } from './redis'

let dir: string
beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), 'plumbline-processes-'))))
const running: RunningRedis[] = []
afterEach(async () => {
  for (const redis of running.splice(0)) await redis.stop()
  await rm(dir, { recursive: true, force: true })
})

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

it('waits twice as long after each death, with an end to it', () => {
  const limits = { firstMs: 500, mostMs: 30_000 }
  expect([1, 2, 3, 4, 20].map((deaths) => backOff(deaths, limits))).toEqual([500, 1_000, 2_000, 4_000, 30_000])
})

it('starts a dead app again, names the app on each line, and leaves nothing behind', async () => {
  const script = join(dir, 'app.mjs')
  await writeFile(
    script,
    `console.log('up ' + process.env.WHO + ' ' + process.pid); setInterval(() => {}, 1000); process.on('SIGTERM', () => process.exit(0))`,
  )
  const lines: string[] = []
  const [kept] = runProcesses([{ name: 'one', script, env: { ...process.env, WHO: 'grader' } }], {
    print: (app, line) => lines.push(`${app}: ${line}`),
    firstMs: 10,
    killAfterMs: 10_000,
  })
  const pids = () => lines.flatMap((line) => /^one: up grader (\d+)$/.exec(line)?.slice(1).map(Number) ?? [])
  await vi.waitFor(() => expect(pids()).toHaveLength(1), 10_000)
  process.kill(pids()[0]!, 'SIGKILL')
  await vi.waitFor(() => expect(pids()).toHaveLength(2), 10_000)
  expect(lines).toContain('one: was ended by SIGKILL; starting it again in 0.01 s')
  await kept!.stop()
  expect(pids().filter(isAlive)).toEqual([])
})

it('stops an app that is waiting to come back', async () => {
  const script = join(dir, 'dies.mjs')
  await writeFile(script, 'process.exit(3)')
  const lines: string[] = []
  const [kept] = runProcesses([{ name: 'dies', script, env: process.env }], {
    print: (_, line) => lines.push(line),
    firstMs: 60_000,
    mostMs: 60_000,
    killAfterMs: 10_000,
  })
  await vi.waitFor(() => expect(lines.at(-1)).toBe('ended with code 3; starting it again in 60 s'), 10_000)
  await kept!.stop()
})

const find = async (url?: string): Promise<RunningRedis> => {
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

it('uses the given Redis, and leaves it running', async () => {
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
