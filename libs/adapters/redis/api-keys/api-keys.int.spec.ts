import { afterAll, beforeAll, expect, it } from 'vitest'
import { startPrivateCluster, type PrivateCluster } from '@plumbline/platform/private-cluster'
import { openAuditLog } from '../audit/audit-log'
import { openChangeChannels } from '../client/channels'
import { connectFailFast, type RedisClient, whenReady } from '../client/client'
import { hashOfKey, openApiKeys } from './api-keys'

let server: PrivateCluster
let redis: RedisClient
beforeAll(async () => {
  server = await startPrivateCluster()
  redis = connectFailFast(server.url)
  await whenReady(redis, 10_000)
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})

it('keys and the audit log work on a cluster, and announce a changed key there', async () => {
  const store = openApiKeys(redis)
  const channels = openChangeChannels(redis)
  const heard: string[] = []
  await channels.apiKey((id) => heard.push(id))
  const made = await store.create({ tenant: 'a', name: 'x', roles: ['admin'], access: 'all', createdBy: 'spec' })
  const id = made?.row.id ?? ''
  expect((await store.find(hashOfKey(made?.key ?? '')))?.id).toBe(id)
  const rotated = await store.rotate('a', id, 1_000)
  expect((await store.find(hashOfKey(rotated?.key ?? '')))?.id).toBe(id)
  expect((await store.revoke('a', id, true)).kind).toBe('last')
  expect((await store.revoke('b', id, false)).kind).toBe('gone')
  expect((await store.revoke('a', id, false)).kind).toBe('changed')
  expect(await store.find(hashOfKey(rotated?.key ?? ''))).toBeNull()
  await expect.poll(() => heard).toEqual([id, id])
  await channels.close()
  const log = openAuditLog(redis, 1)
  const fact = { actor: 'spec', action: 'key.created', target: id }
  await log.begin('a', 'one', fact)
  await log.append('a', 'one', { ...fact, outcome: 'done' })
  expect((await log.page('a', { limit: 5 })).items).toMatchObject([{ seq: 1, target: id }])
})
