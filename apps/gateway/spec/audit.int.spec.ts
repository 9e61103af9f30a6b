import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { keys as redisKeys } from '@plumbline/adapters/redis/client/keys'
import { createClient, verifyAudit, type Client } from '@plumbline/client'
import { onceOnly, openHouse, toPark, withPolicy, type House } from './house.spec'

const apiKeys =
  'asker-of-a:a:asker, admin-of-a:a:admin, desk-of-a:a:reviewer+names-reviewers, admin-of-b:b:admin, the-operator:ops:operator'
let house: House
const as = (key: string): Client => createClient({ url: house.url, key })
const admin = (): Client => as('admin-of-a')
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse({ apiKeys })
})
afterAll(() => house.close())

/** Routes that need no audit entry, with the reason. Every other route must be audited unless its method is GET. */
const notAudited: Record<string, string> = {
  'post /v1/runs': 'an ask: its run and ledger say who asked',
  'post /v1/chat/completions': 'an ask',
  'post /v1/runs/{id}/feedback': 'an opinion, kept with its run',
  'post /v1/search': 'it only reads',
  'post /v1/documents/compare': 'it only reads',
  'post /v1/reviews/{runId}/take': 'a lease, which ends by itself; the ledger has it',
  'post /v1/reviews/{runId}/put-back': 'a lease',
  'put /v1/reviews/availability': 'who takes work, which ends by itself; each assignment is kept with its run',
  'delete /v1/reviews/availability': 'the same',
}

const held = async (): Promise<string> => {
  const { id } = await as('asker-of-a').ask({ question: 'What is Mars made of?', policy: 'once-only' })
  await house.report(id, ...toPark())
  return id
}
const newest = async (client = admin()) => (await client.audit({ limit: 1 })).items[0]
const lines = async (client: Client): Promise<string[]> =>
  (await (await client.exportAudit()).text()).trimEnd().split('\n')

describe('every route that changes something', () => {
  it('is audited, or is in the list of exceptions', async () => {
    const { paths } = (await (await fetch(`${house.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { 'x-audited'?: string }>>
    }
    const changing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, said]) =>
        method === 'get' ? [] : [{ route: `${method} ${path}`, action: said['x-audited'] }],
      ),
    )
    expect(changing.length).toBeGreaterThan(30)
    expect(changing.filter(({ route, action }) => action === undefined && !(route in notAudited))).toEqual([])
    const unlisted = Object.keys(notAudited).filter((route) =>
      changing.every((one) => one.route !== route || one.action !== undefined),
    )
    expect(unlisted).toEqual([])
    for (const { action } of changing) expect(action ?? 'a.b').toMatch(/^[a-z]+\.[a-z-]+$/)
  })
})

describe('an entry', () => {
  it('records the actor, the action and the target before the response is sent', async () => {
    const key = await admin().createKey({ name: 'x', roles: ['asker'] })
    expect(await newest()).toMatchObject({ action: 'key.created', target: key.id, outcome: 'done' })
    await admin().rotateKey(key.id, 0)
    expect(await newest()).toMatchObject({ action: 'key.rotated', target: key.id })
    await admin().revokeKey(key.id)
    expect(await newest()).toMatchObject({ action: 'key.revoked', target: key.id })
    const { id } = await admin().addDocument({ title: 'A secret title', text: 'A secret text.' })
    expect(await newest()).toMatchObject({ action: 'document.added', target: id })
    await admin().removeDocument(id)
    expect(await newest()).toMatchObject({ action: 'document.removed', target: id })
    await admin().putCollection('planets', { description: 'A secret description' })
    expect(await newest()).toMatchObject({ action: 'collection.changed', target: 'planets' })
    const run = await held()
    await as('desk-of-a').decide(
      run,
      { taskId: 'review.1', decisionId: 'd1', action: 'reject', note: 'A secret note' },
      { reviewer: 'rita' },
    )
    expect(await newest()).toMatchObject({
      action: 'review.decided',
      target: run,
      actor: expect.stringMatching(/^rita as named by key-[0-9a-f]{12}$/),
    })
    const other = await held()
    const many = { action: 'reject' as const, decisionId: 'd2', items: [{ runId: other, taskId: 'review.1' }] }
    await as('desk-of-a').decideMany(many)
    expect(await newest()).toMatchObject({ action: 'review.decided-many', target: other })
    const asked = await as('asker-of-a').ask({ question: 'A secret question?' })
    await as('asker-of-a').cancel(asked.id)
    expect(await newest()).toMatchObject({ action: 'run.cancelled', target: asked.id })
    expect((await lines(admin())).join()).not.toMatch(/ecret|Mars|heese/)
  })

  it('of a change refused for its role is recorded once a minute; invalid or missing ones are not', async () => {
    const before = (await newest())?.seq ?? 0
    for (let n = 0; n < 3; n += 1)
      await as('asker-of-a')
        .removeCollection('planets')
        .catch(() => undefined)
    await admin()
      .removeCollection('nowhere')
      .catch(() => undefined)
    await admin()
      .putCollection('x', { description: 'x', policy: 'nope' })
      .catch(() => undefined)
    const { items } = await admin().audit()
    expect(items.filter(({ seq }) => seq > before)).toMatchObject([
      { action: 'collection.removed', target: 'planets', outcome: 'refused' },
    ])
    expect(await house.redis.hlen(redisKeys.auditBegun('a'))).toBe(0)
  })

  it('is recorded for the tenant whose keys an operator changed, and for no other', async () => {
    const { id } = await as('the-operator').createKey({ name: 'x', roles: ['asker'], tenant: 'b' })
    expect(await newest(as('admin-of-b'))).toMatchObject({ action: 'key.created', target: id })
    expect((await lines(admin())).join()).not.toContain(id)
    // A refused request of an asker who names another tenant adds no entry to that tenant's log.
    const seq = (await newest(as('admin-of-b')))?.seq
    await as('asker-of-a')
      .createKey({ name: 'x', roles: ['asker'], tenant: 'b' })
      .catch(() => undefined)
    expect((await newest(as('admin-of-b')))?.seq).toBe(seq)
    for (const key of ['asker-of-a', 'desk-of-a', 'the-operator'])
      await expect(as(key).audit()).rejects.toMatchObject({ problem: { status: 403 } })
  })
})

describe('the exported log', () => {
  it('is whole as it comes, and whatever is changed in it is found', async () => {
    for (let n = 0; n < 4; n += 1) await admin().putCollection(`c${n}`, { description: 'x' })
    const all = await lines(admin())
    const count = all.length - 1
    expect(await verifyAudit(all)).toMatchObject({ kind: 'whole', tenant: 'a', entries: count, last: { seq: count } })
    const changed = (at: number, from: RegExp, to: string) =>
      all.map((line, n) => (n === at ? line.replace(from, to) : line))
    const verdict = async (some: string[]) => await verifyAudit(some)
    expect(await verdict(changed(2, /key-[0-9a-f]{12}/, 'key-000000000000'))).toMatchObject({
      kind: 'broken',
      line: 3,
      seq: 2,
    })
    expect(await verdict(changed(3, /"outcome":"done"/, '"outcome":"refused"'))).toMatchObject({
      kind: 'broken',
      seq: 3,
    })
    expect(await verdict(all.toSpliced(3, 1))).toMatchObject({ kind: 'broken', line: 4, seq: 4 })
    expect(await verdict(all.toSpliced(1, 1))).toMatchObject({ kind: 'broken', line: 2, seq: 2 })
    expect(await verdict(all.slice(1))).toMatchObject({ kind: 'broken', line: 1, seq: null })
    expect(await verdict([...all, 'x'])).toMatchObject({ kind: 'broken', line: count + 2 })
  })

  it('that was cut off is found by the hash of its last entry, and one that grew is not', async () => {
    const before = await lines(admin())
    const whole = await verifyAudit(before)
    const noted = whole.kind === 'whole' ? { expect: whole.last.hash } : {}
    await admin().putCollection('one-more', { description: 'x' })
    expect(await verifyAudit(await lines(admin()), noted)).toMatchObject({ kind: 'whole', entries: before.length })
    const cut = before.slice(0, -1)
    expect(await verifyAudit(cut)).toMatchObject({ kind: 'whole' })
    expect(await verifyAudit(cut, noted)).toMatchObject({
      kind: 'broken',
      seq: before.length - 2,
      why: expect.stringContaining('the end of the log was removed'),
    })
  })
})

describe('a change that could not be noted', () => {
  it('is not made', async () => {
    const own = await openHouse({ apiKeys })
    onTestFinished(() => own.close())
    const client = createClient({ url: own.url, key: 'admin-of-a' })
    await own.redis.set(redisKeys.auditBegun('a'), 'not what is expected there')
    await expect(client.putCollection('x', { description: 'x' })).rejects.toMatchObject({ problem: { status: 500 } })
    expect((await client.collections()).items).toEqual([])
    await own.redis.del(redisKeys.auditBegun('a'))
    await client.putCollection('x', { description: 'x' })
    expect((await client.audit()).items).toMatchObject([{ seq: 1, target: 'x' }])
  })
})

describe('a change that failed', () => {
  it('is answered at once while its entry waits for the store', async () => {
    const own = await openHouse({ apiKeys })
    onTestFinished(() => own.close())
    const client = createClient({ url: own.url, key: 'admin-of-a' })
    const [collections, ends] = [redisKeys.collections('a'), redisKeys.auditEnds('a')]
    await own.redis.mset({ [collections]: 'not what is expected there', [ends]: 'nor here' })
    await expect(client.putCollection('x', { description: 'x' })).rejects.toMatchObject({ problem: { status: 500 } })
    // Only now can the entry be written, so the response did not wait for it.
    await own.redis.del(collections, ends)
    await expect.poll(async () => (await client.audit()).items).toMatchObject([{ target: 'x', outcome: 'failed' }])
  })
})
