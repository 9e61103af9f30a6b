import { beforeAll, afterAll, beforeEach, expect, test } from 'vitest'
import { startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { connectFailFast, whenReady } from './client'
import { keys } from './keys'
import type { RedisClient } from './client'
import { checkStoreShape } from './keys'

let server: PrivateRedis
let redis: RedisClient
beforeAll(async () => {
  server = await startPrivateRedis()
  redis = connectFailFast(server.url)
  await whenReady(redis, 5_000)
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})
beforeEach(async () => void (await redis.call('FLUSHALL')))

test('an empty Redis is taken, and known again however full it is', async () => {
  await checkStoreShape(redis)
  await redis.zadd(keys.documentsOpen, 1, 'r1')
  await checkStoreShape(redis)
})

test('what an unreleased version filled is refused, with what to do', async () => {
  await redis.zadd(keys.tenant('default'), 1, 'r1')
  await expect(checkStoreShape(redis)).rejects.toThrow(/unreleased.*another REDIS_URL.*ingested there again/)
  expect(await redis.get(keys.shape)).toBeNull()
})

test('a later shape is refused by its number', async () => {
  await redis.set(keys.shape, '2')
  await expect(checkStoreShape(redis)).rejects.toThrow('shape 2; this one reads shape 1')
})
