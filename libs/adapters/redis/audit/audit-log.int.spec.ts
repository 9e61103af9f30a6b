import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type AuditEntry, auditStart, auditText } from '@plumbline/contracts'
import { startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { connectFailFast, type RedisClient, whenReady } from '../client/client'
import { keys } from '../client/keys'
import { openAuditLog, type AuditLog } from './audit-log'

let server: PrivateRedis
let redis: RedisClient
let tenants = 0
beforeAll(async () => {
  server = await startPrivateRedis()
  redis = connectFailFast(server.url)
  await whenReady(redis, 5_000)
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})

const newTenant = (): string => `t${(tenants += 1)}`
const factOf = (n: number) => ({
  actor: `key-${n}`,
  action: n % 2 === 0 ? 'key.created' : 'document.added',
  target: `x${n}`,
})
const add = async (log: AuditLog, tenant: string, n: number): Promise<void> => {
  await log.begin(tenant, `id${n}`, factOf(n))
  await log.append(tenant, `id${n}`, { ...factOf(n), outcome: 'done' })
}
const all = async (log: AuditLog, tenant: string): Promise<AuditEntry[]> => {
  const pieces = []
  for await (const piece of log.walk(tenant)) pieces.push(...piece)
  return pieces
}
/** Returns whether each entry contains the hash of the entry before it. `hash` is the hash before the first entry. */
const follows = (entries: AuditEntry[], { seq, hash } = auditStart): boolean =>
  entries.every((entry, at) => {
    const prev = entries[at - 1]?.hash ?? hash
    const own = createHash('sha256').update(auditText(entry)).digest('hex')
    return entry.seq === seq + 1 + at && entry.prev === prev && entry.hash === own
  })

describe('the audit log', () => {
  it('is one chain without a gap, whatever many processes append at once', async () => {
    const tenant = newTenant()
    const logs = Array.from({ length: 4 }, () => openAuditLog(redis, 30))
    await Promise.all(Array.from({ length: 200 }, (_, n) => add(logs[n % 4]!, tenant, n)))
    const entries = await all(logs[0]!, tenant)
    expect(entries).toHaveLength(200)
    expect(new Set(entries.map(({ target }) => target)).size).toBe(200)
    expect(follows(entries)).toBe(true)
    expect(await redis.hlen(keys.auditBegun(tenant))).toBe(0)
    expect(await redis.pttl(keys.audit(tenant))).toBeGreaterThan(30 * 86_400_000)
  })

  it('takes an entry once, although its append is tried again', async () => {
    const tenant = newTenant()
    const log = openAuditLog(redis, 30)
    await add(log, tenant, 1)
    await log.append(tenant, 'id1', { ...factOf(1), outcome: 'done' })
    expect(await all(log, tenant)).toHaveLength(1)
  })

  it('records an interrupted action with an unknown outcome', async () => {
    const tenant = newTenant()
    const log = openAuditLog(redis, 30)
    await redis.hset(keys.auditBegun(tenant), 'cut', JSON.stringify({ fact: factOf(1), at: Date.now() - 3_600_000 }))
    await log.begin(tenant, 'under way', factOf(2))
    const { items } = await log.page(tenant, { limit: 10 })
    expect(items).toMatchObject([{ target: 'x1', outcome: 'unknown', seq: 1 }])
    expect(Object.keys(await redis.hgetall(keys.auditBegun(tenant)))).toEqual(['under way'])
  })

  it('is read newest first, in pages, by action, actor and time', async () => {
    const tenant = newTenant()
    const log = openAuditLog(redis, 30)
    for (let n = 0; n < 7; n += 1) await add(log, tenant, n)
    const first = await log.page(tenant, { limit: 5 })
    expect(first.items.map(({ seq }) => seq)).toEqual([7, 6, 5, 4, 3])
    const rest = await log.page(tenant, { limit: 5, cursor: first.next })
    expect([rest.items.map(({ seq }) => seq), rest.next, rest.anchor]).toEqual([[2, 1], null, auditStart])
    const targets = async (wanted: object) =>
      (await log.page(tenant, { limit: 10, ...wanted })).items.map(({ target }) => target)
    expect(await targets({ action: 'key.created' })).toEqual(['x6', 'x4', 'x2', 'x0'])
    expect(await targets({ action: 'document' })).toEqual(['x5', 'x3', 'x1'])
    expect(await targets({ action: 'doc' })).toEqual([])
    expect(await targets({ actor: 'key-3' })).toEqual(['x3'])
    expect(await targets({ from: Date.now() + 60_000 })).toEqual([])
    expect(await targets({ to: Date.now() - 60_000 })).toEqual([])
  })

  it('removes expired entries, and the remaining entries follow from the anchor', async () => {
    const tenant = newTenant()
    const kept = openAuditLog(redis, 30)
    for (let n = 0; n < 3; n += 1) await add(kept, tenant, n)
    const [, , third] = await all(kept, tenant)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    onTestFinished(() => void vi.useRealTimers())
    for (let n = 3; n < 5; n += 1) await add(kept, tenant, n)
    // The retention period begins half a minute after the third entry, so the first three entries are removed.
    const brief = openAuditLog(redis, 30_000 / 86_400_000)
    const anchor = await brief.anchor(tenant)
    expect(anchor).toEqual({ seq: 3, hash: third!.hash })
    const rest = await all(brief, tenant)
    expect(rest.map(({ seq }) => seq)).toEqual([4, 5])
    expect(follows(rest, anchor)).toBe(true)
    expect(follows(rest)).toBe(false)
  })

  it('continues from its end after all entries have expired', async () => {
    const tenant = newTenant()
    const log = openAuditLog(redis, 30)
    for (let n = 0; n < 2; n += 1) await add(log, tenant, n)
    const last = (await all(log, tenant)).at(-1)!
    await redis.del(keys.audit(tenant))
    expect(await log.anchor(tenant)).toEqual({ seq: 2, hash: last.hash })
    await add(log, tenant, 2)
    expect(await log.anchor(tenant)).toEqual({ seq: 2, hash: last.hash })
    expect(follows(await all(log, tenant), { seq: 2, hash: last.hash })).toBe(true)
  })
})
