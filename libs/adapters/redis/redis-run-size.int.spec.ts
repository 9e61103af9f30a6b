import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { connectFailFast, openRedisRunStore, whenReady, type RedisClient, type RedisRunStore } from './index'
import { wholeRun } from './spec/one-run'

let server: PrivateRedis
let redis: RedisClient
let store: RedisRunStore
beforeAll(async () => {
  server = await startPrivateRedis()
  redis = connectFailFast(server.url)
  await whenReady(redis, 5_000)
  store = openRedisRunStore({ redis, answerWithinMs: 20_000 })
})
afterAll(async () => {
  await store.close()
  redis.disconnect()
  await server.stop()
})

const used = async (): Promise<number> => Number(/used_memory_dataset:(\d+)/.exec(await redis.info('memory'))?.[1])

test('a retained run of three steps with twelve passages of 800 characters takes at most 25 KB', async () => {
  await wholeRun(store, 'first')
  const before = await used()
  const count = 200
  for (let i = 0; i < count; i += 20)
    await Promise.all(Array.from({ length: 20 }, (_, j) => wholeRun(store, `r${i + j}`)))
  const bytesPerRun = ((await used()) - before) / count
  expect(bytesPerRun).toBeLessThanOrEqual(25_000)
})
