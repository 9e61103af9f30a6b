import { afterAll, beforeEach } from 'vitest'
import { startPrivateRedis } from '@plumbline/platform'
import { connectWaiting } from '../client/client'
import { keys } from '../client/keys'
import type { RedisClient } from '../client/client'

/** Opens a Redis for the specs of one file, and empties it before each spec. */
export const ownRedis = async (): Promise<{ redis: RedisClient; url: string }> => {
  const { url, stop } = await startPrivateRedis()
  const redis = connectWaiting(url)
  beforeEach(() => redis.flushall())
  afterAll(async () => {
    redis.disconnect()
    await stop()
  })
  return { redis, url }
}

const keysOf = (runId: string): string[] => [
  keys.state(runId),
  keys.ledger(runId),
  keys.evidence(runId),
  keys.draft(runId),
]

export const forgetRun = async (redis: RedisClient, runId: string): Promise<void> =>
  void (await redis.del(...keysOf(runId)))

/** Saves the keys of a run and returns a function that restores them. */
export const snapshotRun = async (redis: RedisClient, runId: string): Promise<() => Promise<void>> => {
  const kept = await Promise.all(
    keysOf(runId).map(async (key) => ({ key, value: await redis.dumpBuffer(key), ttl: await redis.pttl(key) })),
  )
  return async () => {
    await forgetRun(redis, runId)
    for (const { key, value, ttl } of kept) if (value) await redis.restore(key, Math.max(ttl, 0), value)
  }
}
