import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, ProblemError } from '@plumbline/client'
import { createGateway } from '@plumbline/gateway'
import { openIngestion } from './ingestion.spec'
import { features, onceOnly, openHouse, toAnswer, toPark, withPolicy, type House } from './house.spec'

const apiKeys =
  'asker-of-a:a:asker, reviewer-of-a:a:reviewer, admin-of-a:a:admin\n both-of-a:a:asker+reviewer, admin-of-b:b:admin, desk-of-a:a:reviewer+names-reviewers, of-operator:ops:operator'
let house: House
let held: string
let answered: string
let document: string
const as = (key: string) => createClient({ url: house.url, key })

withPolicy('once-only', onceOnly)
withPolicy('asker-decides', { ...onceOnly, decider: 'asker' })
beforeAll(async () => {
  house = await openHouse({ apiKeys })
  held = (await as('asker-of-a').ask({ question: 'What is Mars made of?', policy: 'once-only' })).id
  answered = (await as('asker-of-a').ask({ question: 'How heavy is Mars?' })).id
  await house.report(held, ...toPark())
  await house.report(answered, ...toAnswer())
  document = (await as('admin-of-a').addDocument({ title: 'Mars', text: '# Mars\n\nRed.' })).id
  const indexed = await openIngestion(house)(document)
  await indexed.parsed({ markup: 'markdown', parts: [{ text: '# Mars\n\nRed.' }] })
  await indexed.finish(1)
})
afterAll(() => house.close())

type Route = [
  method: string,
  path: () => string,
  body: object | null,
  may: { asker: number; reviewer: number; admin: number; other: number },
]
const decision = { taskId: 'review.9', decisionId: 'd1', action: 'reject' }
/** Expected statuses for each caller of tenant a, and for an admin of tenant b on the same objects. */
const routes: Route[] = [
  ['GET', () => '/v1/runs', null, { asker: 200, reviewer: 200, admin: 200, other: 200 }],
  ['GET', () => `/v1/runs/${answered}`, null, { asker: 200, reviewer: 200, admin: 200, other: 404 }],
  ['GET', () => `/v1/runs/${answered}?audience=desk`, null, { asker: 403, reviewer: 200, admin: 200, other: 404 }],
  ['GET', () => `/v1/runs/${answered}/events`, null, { asker: 200, reviewer: 200, admin: 200, other: 404 }],
  [
    'GET',
    () => `/v1/runs/${answered}/events?audience=desk`,
    null,
    { asker: 403, reviewer: 200, admin: 200, other: 404 },
  ],
  ['POST', () => `/v1/runs/${answered}/cancel`, null, { asker: 409, reviewer: 403, admin: 409, other: 404 }],
  [
    'POST',
    () => `/v1/runs/${answered}/feedback`,
    { useful: true },
    { asker: 204, reviewer: 403, admin: 204, other: 404 },
  ],
  ['POST', () => '/v1/runs', { question: '' }, { asker: 400, reviewer: 403, admin: 400, other: 400 }],
  ['GET', () => '/v1/reviews', null, { asker: 403, reviewer: 200, admin: 200, other: 200 }],
  ['GET', () => `/v1/reviews/${held}`, null, { asker: 403, reviewer: 200, admin: 200, other: 404 }],
  ['POST', () => `/v1/reviews/${held}/put-back`, null, { asker: 403, reviewer: 204, admin: 204, other: 404 }],
  ['POST', () => `/v1/reviews/${held}/decision`, decision, { asker: 403, reviewer: 409, admin: 409, other: 404 }],
  ['POST', () => `/v1/runs/${held}/decision`, decision, { asker: 403, reviewer: 409, admin: 409, other: 404 }],
  ['GET', () => '/v1/documents', null, { asker: 200, reviewer: 200, admin: 200, other: 200 }],
  ['GET', () => `/v1/documents/${document}`, null, { asker: 200, reviewer: 200, admin: 200, other: 404 }],
  ['GET', () => `/v1/documents/${document}/events`, null, { asker: 200, reviewer: 200, admin: 200, other: 404 }],
  ['GET', () => `/v1/documents/${document}/content`, null, { asker: 200, reviewer: 200, admin: 200, other: 404 }],
  ['GET', () => `/v1/documents/${document}/passages`, null, { asker: 200, reviewer: 200, admin: 200, other: 404 }],
  ['POST', () => '/v1/search', { query: 'Mars' }, { asker: 200, reviewer: 200, admin: 200, other: 200 }],
  ['DELETE', () => '/v1/collections/nowhere', null, { asker: 403, reviewer: 403, admin: 404, other: 404 }],
  ['POST', () => `/v1/documents/${document}/retry`, null, { asker: 403, reviewer: 403, admin: 409, other: 404 }],
  ['POST', () => `/v1/documents/${document}/reindex`, null, { asker: 403, reviewer: 403, admin: 202, other: 404 }],
  ['GET', () => '/v1/collections/default', null, { asker: 200, reviewer: 200, admin: 200, other: 404 }],
  ['POST', () => '/v1/collections/default/reindex', null, { asker: 403, reviewer: 403, admin: 202, other: 404 }],
  ['DELETE', () => `/v1/documents/${document}`, null, { asker: 403, reviewer: 403, admin: 204, other: 404 }],
  ['POST', () => '/v1/documents', {}, { asker: 403, reviewer: 403, admin: 400, other: 400 }],
  ['GET', () => '/v1/collections', null, { asker: 200, reviewer: 200, admin: 200, other: 200 }],
  ['PUT', () => '/v1/collections/x', {}, { asker: 403, reviewer: 403, admin: 400, other: 400 }],
  ['GET', () => '/metrics', null, { asker: 403, reviewer: 403, admin: 403, other: 403 }],
]
const call = async (method: string, path: string, body: object | null, headers: Record<string, string>) => {
  const sent = body
    ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }
    : { headers }
  const response = await fetch(`${house.url}${path}`, { method, ...sent })
  return { status: response.status, text: await response.text() }
}
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

describe.each(routes)('%s %s', (method, path, body, may) => {
  it('needs a key', async () => {
    for (const headers of [
      {},
      bearer('revoked-key'),
      bearer('asker-of'),
      { authorization: 'Basic YTpi' },
      { 'x-api-key': 'wrong' },
    ]) {
      expect((await call(method, path(), body, headers as Record<string, string>)).status).toBe(401)
    }
  })

  it('gives each role what it may have, and other tenants nothing', async () => {
    const status = async (key: string) => (await call(method, path(), body, bearer(key))).status
    expect({
      asker: await status('asker-of-a'),
      reviewer: await status('reviewer-of-a'),
      admin: await status('admin-of-a'),
      other: await status('admin-of-b'),
    }).toEqual(may)
    const other = await call(method, path(), body, bearer('admin-of-b'))
    expect(other.text).not.toMatch(/Mars|heese/)
  })
})

describe('functions shared by all tenants', () => {
  const ready = async (headers: Record<string, string>) =>
    JSON.parse((await call('GET', '/readyz', null, headers)).text) as unknown

  it('is for an operator', async () => {
    const { status, text } = await call('GET', '/metrics', null, bearer('of-operator'))
    expect([status, text]).toEqual([200, expect.stringContaining('plumbline_asks_total')])
    expect(await ready(bearer('of-operator'))).toMatchObject({ status: 'ok', details: { store: { status: 'up' } } })
    expect((await call('GET', `/v1/runs/${answered}`, null, bearer('of-operator'))).status).toBe(403)
    expect((await call('POST', '/v1/runs', { question: 'How?' }, bearer('of-operator'))).status).toBe(403)
  })

  it('says of itself to others only that it is ready, whatever key they send', async () => {
    for (const headers of [{}, bearer('revoked-key'), bearer('admin-of-a')])
      expect(await ready(headers as Record<string, string>)).toEqual({ status: 'ok' })
    for (const path of ['/livez', '/openapi.json', '/docs', '/docs/start.js'])
      expect((await call('GET', path, null, {})).status).toBe(200)
  })
})

describe('a reviewer', () => {
  const take = (key: string, reviewer: string) =>
    call('POST', `/v1/reviews/${held}/take`, null, { ...bearer(key), 'x-reviewer': reviewer })

  it('is named by keys that may, and recorded as what a key said', async () => {
    const { status, text } = await take('desk-of-a', 'rita')
    expect([status, JSON.parse(text) as unknown]).toMatchObject([
      200,
      { by: expect.stringMatching(/^rita as named by key-[0-9a-f]{12}$/) },
    ])
    await call('POST', `/v1/reviews/${held}/put-back`, null, { ...bearer('desk-of-a'), 'x-reviewer': 'rita' })
  })

  it('is not whom any key names, nor a name that hides something', async () => {
    expect(await take('reviewer-of-a', 'rita')).toMatchObject({
      status: 403,
      text: expect.stringContaining('names-reviewers'),
    })
    for (const name of ['rita, as named by key-00000000', 'a%20b', 'x'.repeat(65)])
      expect((await take('desk-of-a', name)).status).toBe(400)
  })
})

describe('keys', () => {
  it('name a tenant: the same Idempotency-Key of two tenants makes two runs', async () => {
    const runs = await Promise.all(
      ['asker-of-a', 'admin-of-b'].map((key) => as(key).ask({ question: 'How?' }, { idempotencyKey: 'one' })),
    )
    expect(new Set(runs.map((run) => run.id)).size).toBe(2)
  })

  it('do not appear in responses to others', async () => {
    const id = (await as('both-of-a').ask({ question: 'Cheese?', policy: 'once-only' })).id
    await house.report(id, ...toPark())
    await as('both-of-a').decide(id, { taskId: 'review.1', decisionId: 'd1', action: 'approve' })
    const ledger = JSON.stringify(await house.store.ledger(id, null, 100))
    expect(ledger).toMatch(/"by":"key-[0-9a-f]{12}"/)
    expect(ledger).not.toContain('both-of-a')
  })

  it('let an asker decide where the policy says so: retry or end, and nothing else', async () => {
    const asker = as('asker-of-a')
    const id = (await asker.ask({ question: 'Cheese?', policy: 'asker-decides' })).id
    await house.report(id, ...toPark())
    expect((await asker.run(id)).review).toMatchObject({
      taskId: 'review.1',
      decider: 'asker',
      actions: ['retry', 'reject'],
    })
    const error: unknown = await asker
      .decide(id, { taskId: 'review.1', decisionId: 'd1', action: 'approve' })
      .catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({ problem: { status: 403 } })
    const view = await asker.decide(id, {
      taskId: 'review.1',
      decisionId: 'd2',
      action: 'retry',
      guidance: 'Try rocks.',
    })
    expect(view.status).toBe('running')
    expect(JSON.stringify(view)).not.toContain('heese [1]')
  })
})

describe('without keys', () => {
  const start = (options: { host?: string; apiKeys?: string }) =>
    createGateway({
      features,
      redisUrl: house.server.url,
      port: 0,
      removePassages: () => Promise.resolve(),
      ...options,
    })

  it('a gateway does not start where others can reach it', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow(/API_KEYS/)
    await expect(start({ host: '::' })).rejects.toThrow(/API_KEYS/)
  })

  it('or with keys that are none', async () => {
    await expect(start({ apiKeys: 'short:a:asker' })).rejects.toThrow(/entry 1: a key must have at least 8 characters/)
    await expect(start({ apiKeys: 'long-enough:a:boss' })).rejects.toThrow(/unknown role boss/)
    await expect(start({ apiKeys: 'long-enough:A B:asker' })).rejects.toThrow(/a tenant consists of lower-case/)
    await expect(start({ apiKeys: 'long-enough:a:asker, a' })).rejects.toThrow(/entry 2/)
    await expect(start({ apiKeys: 'long-enough:a:asker:user:7' })).rejects.toThrow(/too many colons: a key or a tag/)
  })

  it('local mode answers to localhost, and not to pages of other sites or names that only resolve to it', async () => {
    const local = await start({})
    const status = async (headers: Record<string, string>) => (await fetch(`${local.url}/v1/runs`, { headers })).status
    expect(await status({})).toBe(200)
    expect(await status({ origin: 'http://localhost:5173' })).toBe(200)
    expect(await status({ origin: 'https://evil.example' })).toBe(403)
    expect(await status({ origin: 'null' })).toBe(403)
    await local.close()
  })
})

describe('at the start', () => {
  it('a port in use is reported clearly', async () => {
    const port = Number(new URL(house.url).port)
    await expect(
      createGateway({ features, redisUrl: house.server.url, port, removePassages: () => Promise.resolve() }),
    ).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`)
  })

  it('so is a Redis that does not answer, within seconds', async () => {
    const began = performance.now()
    await expect(
      createGateway({
        features,
        redisUrl: 'redis://user:secret@127.0.0.1:1',
        port: 0,
        removePassages: () => Promise.resolve(),
      }),
    ).rejects.toThrow('Redis does not answer at redis://user:…@127.0.0.1:1')
    expect(performance.now() - began).toBeLessThan(9_000)
  })
})
