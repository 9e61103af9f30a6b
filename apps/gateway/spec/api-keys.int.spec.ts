import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { hashOfKey, openApiKeys } from '@plumbline/adapters/redis/api-keys/api-keys'
import { connectFailFast, whenReady } from '@plumbline/adapters/redis/client/client'
import { keys as redisKeys } from '@plumbline/adapters/redis/client/keys'
import { createClient, ProblemError, type Client } from '@plumbline/client'
import { createGateway, type GatewayOptions } from '@plumbline/gateway'
import { startPrivateRedis } from '@plumbline/platform'
import { features, openHouse, type House } from './house.spec'

const apiKeys = 'fixed-admin:a:admin:staff, the-operator:ops:operator, fixed-of-b:b:admin'
let house: House
const as = (key: string): Client => createClient({ url: house.url, key })
const admin = (): Client => as('fixed-admin')
const operator = (): Client => as('the-operator')

const start = (options: Partial<GatewayOptions>) =>
  createGateway({
    features,
    redisUrl: house.server.url,
    port: 0,
    removePassages: () => Promise.resolve(),
    apiKeys,
    ...options,
  })
const statusOf = async (work: Promise<unknown>): Promise<number> => {
  try {
    await work
    return 200
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.status
    throw error
  }
}

beforeAll(async () => {
  house = await openHouse({ apiKeys })
})
afterAll(() => house.close())

describe('a key', () => {
  it('is shown once, works at once, is listed by its prefix and stored only as a hash', async () => {
    const made = await admin().createKey({ name: 'The help page', roles: ['asker'], access: ['staff'] })
    expect(made.key).toMatch(/^pl_[0-9a-f]{64}$/)
    expect(made).toMatchObject({ prefix: made.key.slice(0, 7), status: 'active', tenant: 'a', access: ['staff'] })
    expect(await as(made.key).me()).toMatchObject({ name: made.id, tenant: 'a', roles: ['asker'] })
    const { key: _, ...view } = made
    const { items, fixed } = await admin().keys()
    expect(items.find(({ id }) => id === made.id)).toEqual({ ...view, lastUsedAt: expect.any(String) })
    expect(fixed).toBe(1)
    const stored = [
      await house.redis.hgetall(redisKeys.apiKeys('rows')),
      await house.redis.hgetall(redisKeys.apiKeys('by-hash')),
    ]
    expect(JSON.stringify(stored)).toContain(hashOfKey(made.key))
    expect(JSON.stringify(stored)).not.toContain(made.key.slice(0, 20))
  })

  it('that expired, was never made, or only looks like one is refused', async () => {
    const { key } = await admin().createKey({
      name: 'short',
      roles: ['asker'],
      expiresAt: new Date(Date.now() + 5_000).toISOString(),
    })
    expect(await statusOf(as(key).me())).toBe(200)
    await expect.poll(() => statusOf(as(key).me())).toBe(401)
    for (const wrong of [`pl_${'0'.repeat(64)}`, 'pl_ab12', `${key}0`]) expect(await statusOf(as(wrong).me())).toBe(401)
    expect((await admin().keys()).items.find(({ name }) => name === 'short')?.status).toBe('expired')
    expect(await statusOf(admin().createKey({ name: 'x', roles: ['asker'], expiresAt: '2020-01-01T00:00:00Z' }))).toBe(
      400,
    )
  })

  it('is used to the minute', async () => {
    const { id, key } = await admin().createKey({ name: 'used', roles: ['asker'] })
    expect((await admin().keys()).items.find((one) => one.id === id)?.lastUsedAt).toBeUndefined()
    await as(key).me()
    await expect
      .poll(async () => (await admin().keys()).items.find((one) => one.id === id)?.lastUsedAt)
      .toMatch(/T\d\d:\d\d:00\.000Z$/)
  })
})

describe('rotation and revocation', () => {
  it('count on every gateway within five seconds; the old key for its grace, and one rotation back only', async () => {
    const other = await start({})
    onTestFinished(() => other.close())
    const there = (key: string) => statusOf(createClient({ url: other.url, key }).me())
    const first = await admin().createKey({ name: 'rotating', roles: ['asker'] })
    expect(await there(first.key)).toBe(200)
    const second = await admin().rotateKey(first.id, 3_600)
    expect(second.id).toBe(first.id)
    expect(second.key).not.toBe(first.key)
    expect(Date.parse(second.oldUntil ?? '')).toBeGreaterThan(Date.now() + 3_500_000)
    expect([await there(first.key), await there(second.key)]).toEqual([200, 200])
    const third = await admin().rotateKey(first.id, 1)
    await expect.poll(() => there(first.key)).toBe(401)
    expect(await there(third.key)).toBe(200)
    await expect.poll(() => there(second.key)).toBe(401)
    const fourth = await admin().rotateKey(first.id, 0)
    await expect.poll(() => there(third.key)).toBe(401)
    const from = performance.now()
    await admin().revokeKey(first.id)
    await expect.poll(() => there(fourth.key), { interval: 20 }).toBe(401)
    expect(performance.now() - from).toBeLessThan(5_000)
    expect(await statusOf(admin().rotateKey(first.id, 0))).toBe(404)
    expect(await statusOf(admin().revokeKey(first.id))).toBe(404)
  })

  it('take effect within five seconds even if the gateway missed the announcement', async () => {
    const { id, key } = await admin().createKey({ name: 'unheard', roles: ['asker'] })
    expect(await statusOf(as(key).me())).toBe(200)
    // Delete the key directly in the store, so that gateways are not notified.
    const { hash } = JSON.parse((await house.redis.hget(redisKeys.apiKeys('rows'), id)) ?? '{}') as { hash: string }
    await house.redis.hdel(redisKeys.apiKeys('by-hash'), hash)
    expect(await statusOf(as(key).me())).toBe(200)
    await expect.poll(() => statusOf(as(key).me())).toBe(401)
  })
})

describe('a stream', () => {
  it('ends within five seconds of the key it was opened with', async () => {
    const { id, key } = await admin().createKey({ name: 'watching', roles: ['asker'] })
    const open = (key: string) =>
      fetch(`${house.url}/v1/live`, { headers: { authorization: `Bearer ${key}` } }).then(({ body }) =>
        body!.getReader(),
      )
    const [ending, going] = [await open(key), await open('fixed-admin')]
    const ended = (async () => {
      while (!(await ending.read()).done);
    })().catch(() => undefined)
    await admin().revokeKey(id)
    const from = performance.now()
    await ended
    expect(performance.now() - from).toBeLessThan(5_000)
    expect((await going.read()).done).toBe(false)
    await going.cancel()
  })
})

describe('who gives', () => {
  it('gives no more than they have', async () => {
    const may = (key: Parameters<Client['createKey']>[0]) => statusOf(admin().createKey(key))
    expect(await may({ name: 'x', roles: ['operator'] })).toBe(403)
    expect(await may({ name: 'x', roles: ['asker'], access: ['board'] })).toBe(403)
    expect(await may({ name: 'x', roles: ['asker'], access: 'all' })).toBe(403)
    expect(await may({ name: 'x', roles: ['asker'], tenant: 'b' })).toBe(403)
    expect(await may({ name: 'x', roles: ['asker'], access: ['staff'] })).toBe(200)
    const asker = await admin().createKey({ name: 'asker', roles: ['asker', 'reviewer'] })
    expect(await statusOf(as(asker.key).createKey({ name: 'x', roles: ['asker'] }))).toBe(403)
    expect(await statusOf(as(asker.key).keys())).toBe(403)
  })

  it('takes over no key that may do more', async () => {
    const { id } = await operator().createKey({ name: 'of the operator', roles: ['operator'], tenant: 'a' })
    const { id: wide } = await operator().createKey({ name: 'reads all', roles: ['asker'], access: 'all', tenant: 'a' })
    for (const one of [id, wide]) {
      expect(await statusOf(admin().rotateKey(one, 0))).toBe(403)
      expect(await statusOf(admin().revokeKey(one))).toBe(403)
    }
    await operator().revokeKey(id, { tenant: 'a' })
    expect((await operator().keys({ tenant: 'a' })).items.find((one) => one.id === id)?.status).toBe('revoked')
  })

  it('sees nothing of another tenant', async () => {
    const { id } = await admin().createKey({ name: 'secret name', roles: ['asker'] })
    expect(JSON.stringify(await as('fixed-of-b').keys())).not.toContain('secret name')
    expect(await statusOf(as('fixed-of-b').revokeKey(id))).toBe(404)
    expect(await statusOf(as('fixed-of-b').rotateKey(id, 0))).toBe(404)
    expect(await statusOf(as('fixed-of-b').keys({ tenant: 'a' }))).toBe(403)
  })
})

describe('the last admin', () => {
  it('locks nobody out without a warning', async () => {
    const one = await operator().createKey({ name: 'one', roles: ['admin'], tenant: 'c' })
    const two = await operator().createKey({ name: 'two', roles: ['admin'], tenant: 'c' })
    await as(one.key).revokeKey(two.id)
    const error: unknown = await as(one.key)
      .revokeKey(one.id)
      .catch((error: unknown) => error)
    expect(error).toMatchObject({
      problem: { status: 409, type: 'urn:plumbline:problem:last-admin', detail: expect.stringContaining('force=true') },
    })
    expect(await statusOf(as(one.key).me())).toBe(200)
    await as(one.key).revokeKey(one.id, { force: true })
    await expect.poll(() => statusOf(as(one.key).me())).toBe(401)
  })

  it('is not the last where two revoke each other at once, nor where the settings hold another', async () => {
    const two = await Promise.all(
      ['d1', 'd2'].map((name) => operator().createKey({ name, roles: ['admin'], tenant: 'd' })),
    )
    const ends = await Promise.all(two.map(({ key }, at) => statusOf(as(key).revokeKey(two[1 - at]?.id ?? ''))))
    expect(ends.filter((status) => status === 200)).toHaveLength(1)
    const { id } = await admin().createKey({ name: 'beside a fixed one', roles: ['admin'] })
    expect(await statusOf(admin().revokeKey(id))).toBe(200)
  })
})

describe('while Redis is away', () => {
  it('known keys stay valid, and unknown ones are not called wrong', async () => {
    const own = await openHouse({ apiKeys })
    onTestFinished(() => own.close())
    const at = (key: string) => createClient({ url: own.url, key })
    const { key } = await at('fixed-admin').createKey({ name: 'known', roles: ['asker'] })
    const unknown = await at('fixed-admin').createKey({ name: 'not used here yet', roles: ['asker'] })
    await at(key).me()
    await own.server.stop()
    await expect.poll(() => statusOf(at(unknown.key).me())).toBe(503)
    // Poll for longer than a gateway caches a key.
    const from = performance.now()
    await expect
      .poll(() => statusOf(at(key).me()).then((status) => [status, performance.now() - from > 4_000]))
      .toEqual([200, true])
    expect(await statusOf(at('wrong-key').me())).toBe(401)
    expect(await statusOf(at('fixed-admin').me())).toBe(200)
  })
})

/** Returns the quota in the response headers of an ask. */
const quotaOf = async (url: string, key?: string): Promise<string | null> => {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'x-api-key': key }) }
  const answer = await fetch(`${url}/v1/runs`, { method: 'POST', headers, body: '{"question":"How heavy is Mars?"}' })
  expect(answer.status).toBe(202)
  return answer.headers.get('ratelimit-policy')
}

describe('a gateway on this machine only', () => {
  it('asks for keys from the next start on, once there is a key of an admin', async () => {
    const local = await openHouse()
    onTestFinished(() => local.close())
    const again = async () => {
      const gateway = await createGateway({
        features,
        redisUrl: local.server.url,
        port: 0,
        removePassages: () => Promise.resolve(),
      })
      onTestFinished(() => gateway.close())
      return gateway.url
    }
    await local.client.createKey({ name: 'no admin', roles: ['asker'] })
    expect(await createClient({ url: await again() }).me()).toMatchObject({ mode: 'local' })
    const { key } = await local.client.createKey({ name: 'an admin', roles: ['admin'] })
    expect(await local.client.me()).toMatchObject({ mode: 'local' })
    const url = await again()
    expect(await statusOf(createClient({ url }).me())).toBe(401)
    expect(await createClient({ url, key }).me()).toMatchObject({ mode: 'keys', tenant: 'default' })
    // Asks are limited only if the gateway requires keys, from its settings or from the store.
    expect(await quotaOf(local.url)).toBeNull()
    expect(await quotaOf(url, key)).toBe('"tenant";q=6000;w=60')
    expect(await quotaOf(house.url, 'fixed-admin')).toBe('"tenant";q=6000;w=60')
  })
})

describe('a gateway that others can reach', () => {
  it('starts with a key of an admin in the store, and says without one which ways there are', async () => {
    const server = await startPrivateRedis()
    onTestFinished(() => server.stop())
    const open = () =>
      createGateway({
        features,
        redisUrl: server.url,
        host: '0.0.0.0',
        port: 0,
        removePassages: () => Promise.resolve(),
      })
    await expect(open()).rejects.toThrow(/API_KEYS \(or API_KEYS_FILE\).*npm run plumbline -- keys first.*OIDC_ISSUER/s)
    const redis = connectFailFast(server.url)
    onTestFinished(() => redis.disconnect())
    await whenReady(redis, 5_000)
    const store = openApiKeys(redis)
    const made = await store.create({
      tenant: 'x',
      name: 'first',
      roles: ['admin'],
      access: 'all',
      createdBy: 'first-run',
    })
    const gateway = await open()
    onTestFinished(() => gateway.close())
    const url = gateway.url.replace('0.0.0.0', '127.0.0.1')
    expect(await statusOf(createClient({ url }).me())).toBe(401)
    expect(await createClient({ url, key: made?.key ?? '' }).me()).toMatchObject({ tenant: 'x', mode: 'keys' })
  })
})
