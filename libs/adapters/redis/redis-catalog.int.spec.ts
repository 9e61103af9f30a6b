import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { connectFailFast, RedisCatalog, whenReady, type RedisClient } from './index'

let server: PrivateRedis
let redis: RedisClient
let catalog: RedisCatalog
beforeAll(async () => {
  server = await startPrivateRedis()
  redis = connectFailFast(server.url)
  await whenReady(redis, 2000)
  catalog = new RedisCatalog(redis)
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})

const document = (title: string, collection = 'default') => ({ title, text: `# ${title}`, format: 'markdown' as const, collection })

test('a document is queued with its text, and the text goes when it is indexed', async () => {
  await catalog.createDocument('a', 'd1', document('Planets'))
  expect(await catalog.source('d1')).toEqual({ tenant: 'a', document: document('Planets') })
  expect(await catalog.document('a', 'd1')).toMatchObject({ id: 'd1', title: 'Planets', status: 'queued', progress: { passages: 0, percent: 0 } })
  await catalog.progress('d1', 'indexed', { passages: 3, percent: 100 })
  expect(await catalog.source('d1')).toBeNull()
  expect(await catalog.document('a', 'd1')).toMatchObject({ status: 'indexed', progress: { passages: 3, percent: 100 } })
})
