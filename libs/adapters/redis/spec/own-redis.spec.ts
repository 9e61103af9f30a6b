import { afterAll, beforeEach } from 'vitest'
import { startPrivateRedis } from '@plumbline/platform'
import { connectWaiting } from '../clients'
import type { RedisClient } from '../scripts'

/** A Redis for the specs of one file, empty before each of them. */
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
