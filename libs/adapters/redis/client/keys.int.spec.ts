import { expect, test } from 'vitest'
import { checkStoreShape, keys } from './keys'
import { ownRedis } from '../spec/own-redis.spec'

const { redis } = await ownRedis()

test('an empty Redis is taken, and known again however full it is', async () => {
  await checkStoreShape(redis)
  await redis.zadd(keys.documentsOpen, 1, 'r1')
  await checkStoreShape(redis)
})

test('refuses data of an unreleased version, with instructions', async () => {
  await redis.zadd(keys.tenant('default'), 1, 'r1')
  await expect(checkStoreShape(redis)).rejects.toThrow(/unreleased.*another REDIS_URL.*ingested again/)
  expect(await redis.get(keys.shape)).toBeNull()
})

test('a later shape is refused by its number', async () => {
  await redis.set(keys.shape, '2')
  await expect(checkStoreShape(redis)).rejects.toThrow('data format 2; this version reads data format 1')
})
