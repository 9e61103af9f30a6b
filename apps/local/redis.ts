import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectFailFast, whenReady } from '@plumbline/adapters/redis/client/client'
import { redisBinary, startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { redactRedisUrl } from '@plumbline/platform/redis-url'
import { Fault } from './terminal'

export type RunningRedis = { url: string; owned: boolean; stop(): Promise<void> }

const answers = async (url: string, withinMs: number): Promise<boolean> => {
  const redis = connectFailFast(url)
  try {
    await whenReady(redis, withinMs)
    await redis.ping()
    return true
  } catch {
    return false
  } finally {
    redis.disconnect()
  }
}

/** Stops a private Redis whose parent process has ended. Redis saves its data before it stops. */
const endStale = async (dir: string, file: string): Promise<void> => {
  const port = Number(await readFile(file, 'utf8').catch(() => ''))
  if (!port) return
  const redis = connectFailFast(`redis://127.0.0.1:${port}`)
  try {
    await whenReady(redis, 1_000)
    const [, theirs] = (await redis.call('CONFIG', 'GET', 'dir')) as string[]
    if (theirs !== dir) return
    // Redis closes the connection instead of sending a response, so an error is normal here.
    await redis.call('SHUTDOWN').catch(() => undefined)
    for (let tries = 0; tries < 100 && (await answers(`redis://127.0.0.1:${port}`, 200)); tries += 1) await wait(50)
  } catch {
    // The connection failed, because this Redis has already stopped.
  } finally {
    redis.disconnect()
    await rm(file, { force: true })
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Watches the private Redis. If it dies, starts it again on the same port with the same data. The apps wait for it. */
const keepAlive = (redis: PrivateRedis, onLost: () => void): { stop(): Promise<void> } => {
  let starting: Promise<void> | undefined
  const look = (): void => {
    if (starting || isAlive(redis.pid)) return
    onLost()
    starting = redis
      .start()
      .catch(onLost)
      .finally(() => (starting = undefined))
  }
  const timer = setInterval(look, 1_000).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await starting
    },
  }
}

const startPrivate = async (dataDir: string, onLost: () => void): Promise<RunningRedis> => {
  if (!redisBinary())
    throw new Fault(
      'Plumbline needs Redis (or Valkey), and none is on PATH.\nInstall it (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis), or set REDIS_URL to the URL of a running Redis.',
    )
  const dir = join(dataDir, 'redis')
  const file = join(dir, 'port')
  await mkdir(dir, { recursive: true })
  await endStale(dir, file)
  const redis = await startPrivateRedis({ dir }).catch((error: unknown) => {
    throw new Fault(
      `The private Redis in ${dir} did not start: ${error instanceof Error ? error.message : String(error)}`,
    )
  })
  await writeFile(file, `${redis.port}`)
  const watch = keepAlive(redis, onLost)
  const stop = async (): Promise<void> => {
    await watch.stop()
    await redis.stop()
    await rm(file, { force: true })
  }
  return { url: redis.url, owned: true, stop }
}

export const findRedis = async (
  url: string | undefined,
  dataDir: string,
  onLost: () => void = () => undefined,
): Promise<RunningRedis> => {
  if (!url) return startPrivate(dataDir, onLost)
  if (!(await answers(url, 3_000)))
    throw new Fault(
      `No Redis answers at REDIS_URL=${redactRedisUrl(url)}.\nStart Redis, correct the address, or remove REDIS_URL, so that Plumbline starts a private Redis.`,
    )
  return { url, owned: false, stop: () => Promise.resolve() }
}
