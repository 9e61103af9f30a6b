import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Run } from '@plumbline/flow'
import { startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { connectFailFast, openRedisRunStore, whenReady, type RedisClient, type RedisRunStore } from './index'

let server: PrivateRedis
let redis: RedisClient
let store: RedisRunStore
beforeAll(async () => {
  server = await startPrivateRedis()
  redis = connectFailFast(server.url)
  await whenReady(redis, 2000)
  store = openRedisRunStore({ redis })
})
afterAll(async () => {
  await store.close()
  redis.disconnect()
  await server.stop()
})
const run = { id: 'r1', tenant: 't', lane: 'main', createdAt: Date.now(), deadlineAt: Date.now() + 60_000, status: 'queued', open: [{ id: 'route', kind: 'route', openedAt: 0 }] } as unknown as Run

test('one task', async () => {
  const heard: string[] = []
  await store.subscribe((id) => void heard.push(id))
  expect(await store.create(run, [], 'h')).toEqual({ kind: 'created' })
  expect(await store.create(run, [], 'h')).toEqual({ kind: 'exists', run })
  const begun = await store.begin('r1', 'route', 'f1', { isolated: false })
  expect(begun).toMatchObject({ kind: 'open', starts: 1, errors: 0, run })
  const version = begun.kind === 'open' ? begun.version : ''
  const after = { ...run, status: 'answered', open: [] } as Run
  const move = { run: after, version, by: { taskId: 'route', fence: 'f1' }, events: [{ type: 'refused', audience: 'asker', at: 1, reason: 'x' }] as never, evidence: [] }
  expect(await store.commit(move)).toEqual({ kind: 'moved' })
  expect(await store.commit(move)).toEqual({ kind: 'lost' })
  expect(await store.ledger('r1', null, 10)).toHaveLength(1)
  expect((await store.list('t', { cursor: null, limit: 5 })).ids).toEqual(['r1'])
  await expect.poll(() => heard).toEqual(['r1'])
})
