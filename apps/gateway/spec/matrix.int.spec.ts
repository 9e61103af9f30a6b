import { readFeatures } from '@plumbline/features/all'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApiKeys } from '@plumbline/adapters/redis/api-keys/api-keys'
import { createClient, type Client } from '@plumbline/client'
import { KeyRole } from '@plumbline/contracts'
import { openIngestion } from './ingestion.spec'
import { onceOnly, openHouse, toAnswer, toPark, withPolicy, type House } from './house.spec'
import { rows } from './matrix-rows.spec'
import { roleTable } from './role-table.spec'

/** Part of every text, draft and name of tenant a. */
const mark = 'zyxmars'
const draft = 'zyxcheese'
const question = `How heavy is ${mark}?`

const keys = {
  asker: 'asker-of-a',
  reviewer: 'reviewer-of-a',
  admin: 'admin-of-a',
  other: 'admin-of-b',
  operator: 'the-operator',
  'own operator': 'operator-of-a',
  'names-reviewers': 'names-of-a',
}
/** A key of tenant a for each single role. */
const single: Record<KeyRole, keyof typeof keys> = {
  operator: 'own operator',
  'names-reviewers': 'names-reviewers',
  asker: 'asker',
  reviewer: 'reviewer',
  admin: 'admin',
}
/** The callers whose answers a row lists, in this order. */
const columns: readonly (keyof typeof keys)[] = [
  'other',
  'operator',
  'own operator',
  'names-reviewers',
  'asker',
  'reviewer',
  'admin',
]
const apiKeys = `${keys['own operator']}:a:operator:*, ${keys['names-reviewers']}:a:names-reviewers:*, ${keys.asker}:a:asker, ${keys.reviewer}:a:reviewer, ${keys.admin}:a:admin, ${keys.other}:b:admin+asker+reviewer:*, ${keys.operator}:ops:operator`
let house: House
let shut: Record<string, string | undefined>
let shared: { held: string; answered: string; document: string }
let paths: Record<string, Record<string, Operation>>
type Operation = {
  security?: unknown[]
  requestBody?: { content: Record<string, { examples?: Record<string, { value: object }>; example?: unknown }> }
}
const as = (key: string): Client => createClient({ url: house.url, key })

withPolicy('once-only', onceOnly)
const held = async (): Promise<string> => {
  const { id } = await as(keys.asker).ask({ question, policy: 'once-only' })
  await house.report(id, ...toPark(`${mark} is made of ${draft} [1].`))
  return id
}
const answered = async (): Promise<string> => {
  const { id } = await as(keys.asker).ask({ question, threadId: `thread-${mark}` })
  await house.report(id, ...toAnswer(`${mark} weighs 6.4e23 kg [1].`))
  return id
}
let documents = 0
const indexed = async (): Promise<string> => {
  const title = `${mark} ${(documents += 1)}`
  const { id } = await as(keys.admin).addDocument({ title, text: `# ${title}\n\nRed.`, collection: `of-${mark}` })
  const moves = await openIngestion(house)(id)
  await moves.parsed({ markup: 'markdown', parts: [{ text: `# ${mark}\n\nRed.` }] })
  await moves.finish(1)
  return id
}
const decidedCase = async (): Promise<string> => {
  const runId = await held()
  await as(keys.admin).decide(runId, { taskId: 'review.1', decisionId: 'd1', action: 'reject' })
  const find = async () => (await as(keys.admin).cases({ limit: 100 })).items.find((one) => one.runId === runId)?.id
  await expect.poll(find).toBeDefined()
  return (await find()) ?? ''
}
const flagged = async (): Promise<string> => {
  const id = await answered()
  await as(keys.asker).feedback(id, { useful: false, note: mark })
  return id
}
const webhook = async (): Promise<string> => {
  await as(keys.admin).putWebhook(`hook-${mark}`, { url: `https://example.org/${mark}`, events: ['run.parked'] })
  return `hook-${mark}`
}
const key = async (): Promise<string> => (await as(keys.admin).createKey({ name: mark, roles: ['asker'] })).id

const batch = async (): Promise<string> =>
  (await as(keys.asker).createBatch(JSON.stringify({ custom_id: mark, question }))).id
const schedule = async (): Promise<string> =>
  (await as(keys.asker).createSchedule({ question, when: { by: 'cron', cron: '0 0 1 1 *' } })).id

let sourcesMade = 0
// Each source gets a new name, because a removed source keeps its name until an ingestor has processed the removal.
const source = async (): Promise<string> => {
  const name = `source-${mark}-${(sourcesMade += 1)}`
  const settings = { kind: 'website', url: `https://example.org/${mark}/` } as const
  await as(keys.admin).putSource(name, { settings, collection: 'default' })
  return name
}

/** Returns an object of tenant a for a route, a new one if the route changes it. */
const thingFor = (path: string, method: string): string | Promise<string> => {
  const isRead = method === 'get'
  if (method === 'put') return 'made-by-put'
  if (path.startsWith('/v1/batches/')) return batch()
  if (path.endsWith('/cancel'))
    return as(keys.asker)
      .ask({ question })
      .then(({ id }) => id)
  if (path.startsWith('/v1/reviews/') || path === '/v1/runs/{runId}/decision') return isRead ? shared.held : held()
  if (path.startsWith('/v1/runs/')) return isRead ? shared.answered : answered()
  if (path.startsWith('/v1/documents/')) return isRead ? shared.document : indexed()
  if (path.startsWith('/v1/collections/')) return indexed().then(() => `of-${mark}`)
  if (path.startsWith('/v1/threads/')) return answered().then(() => `thread-${mark}`)
  if (path.startsWith('/v1/cases/{id}')) return decidedCase()
  if (path.startsWith('/v1/flags/')) return flagged()
  if (path.startsWith('/v1/webhooks/{name}')) return webhook()
  if (path.startsWith('/v1/keys/')) return key()
  if (path.startsWith('/v1/schedules/')) return schedule()
  if (path.startsWith('/v1/sources/')) return source()
  return /\{(?:stage|queue)\}/.test(path) ? 'grader' : 'none'
}

type Answer = { status: number; text: string }
const call = async (
  method: string,
  path: string,
  body: object | string | undefined,
  sent: string | undefined,
): Promise<Answer> => {
  const gone = new AbortController()
  const response = await fetch(`${house.url}${path}`, {
    method: method.toUpperCase(),
    headers: {
      ...(sent !== undefined && { authorization: `Bearer ${sent}` }),
      ...(body !== undefined && {
        'content-type': typeof body === 'string' ? 'application/jsonl' : 'application/json',
      }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: gone.signal,
  })
  // Do not wait for the end of this stream, because it stays open. Its status is enough.
  if (response.headers.get('content-type')?.startsWith('text/event-stream') && path.startsWith('/v1/live')) {
    gone.abort()
    return { status: response.status, text: '' }
  }
  return { status: response.status, text: await response.text() }
}

beforeAll(async () => {
  house = await openHouse({
    apiKeys,
    features: readFeatures({ CASES_DAYS: '30' }).features,
    threads: 'refuse',
    clientWaitSeconds: 1,
  })
  const store = openApiKeys(house.redis)
  const make = (expiresAt?: number) =>
    store.create({
      tenant: 'a',
      name: 'x',
      roles: ['admin'],
      access: 'all',
      createdBy: 'spec',
      ...(expiresAt !== undefined && { expiresAt }),
    })
  const [revoked, expired] = [await make(), await make(Date.now() - 1_000)]
  await store.revoke('a', revoked?.row.id ?? '', false)
  shut = { none: undefined, wrong: 'wrong-key-1', revoked: revoked?.key, expired: expired?.key }
  shared = { held: await held(), answered: await answered(), document: await indexed() }
  paths = ((await (await fetch(`${house.url}/openapi.json`)).json()) as { paths: typeof paths }).paths
})
afterAll(() => house.close())

/** Reading routes come first, because others remove their objects. */
const allRoutes = () =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, said]) => ({ route: `${method} ${path}`, method, path, said })),
    )
    .sort((one, other) => Number(other.method === 'get') - Number(one.method === 'get'))

/** Required query parameters of a route. */
const asksWhatElse: Record<string, string> = { 'delete /v1/sources/{name}': '?documents=keep' }

describe('every route of the description', () => {
  it('has a row, and every row a route', () => {
    const routes = allRoutes()
      .map(({ route }) => route)
      .sort()
    expect(Object.keys(rows).sort()).toEqual(routes)
    expect(Object.keys(roleTable).sort()).toEqual(routes)
  })

  it('answers a caller without a valid key with 401 and nothing else', async () => {
    const leaks: string[] = []
    for (const { route, method, path, said } of allRoutes()) {
      const isPublic = said.security?.length === 0
      const address = path.replace(/\{(?:id|runId)\}/, shared.answered).replace(/\{\w+\}/g, 'none')
      for (const [who, sent] of Object.entries(shut)) {
        const { status, text } = await call(method, address, undefined, sent)
        if (status !== (isPublic ? 200 : 401) || (!isPublic && text.includes(mark)))
          leaks.push(`${route} ${who}: ${status}`)
      }
    }
    expect(leaks).toEqual([])
  })

  it('gives each role the status in its row, and others nothing of this tenant', { timeout: 120_000 }, async () => {
    const told: Record<string, string> = {}
    const leaks: string[] = []
    const wrong: string[] = []
    const readers = new Set<string>(['asker', 'reviewer', 'admin'])
    // Ignore values that the callers themselves sent, because these are no leaks.
    const sent = new Set<string>()
    for (const { route, method, path, said } of allRoutes()) {
      if (said.security?.length === 0) {
        told[route] = 'public'
        continue
      }
      const thing = await thingFor(path, method)
      sent.add(thing)
      const address =
        path.replace(/\{(?:id|runId|name|stage|queue)\}/, thing).replace('{page}', '1') + (asksWhatElse[route] ?? '')
      const taken = said.requestBody?.content
      const lines = taken?.['application/jsonl']?.example
      const body =
        typeof lines === 'string' ? lines : Object.values(taken?.['application/json']?.examples ?? {})[0]?.value
      const statuses: number[] = []
      for (const who of columns) {
        const { status, text } = await call(method, address, body, keys[who])
        statuses.push(status)
        // An operator of the tenant may see the names of its keys.
        const isOwn = readers.has(who) || (who === 'own operator' && path.startsWith('/v1/keys'))
        const news = [...sent].reduce((rest, one) => rest.replaceAll(one, ''), text)
        if (!isOwn && news.includes(mark)) leaks.push(`${route}: ${who} reads content`)
        if (who === 'asker' && text.includes(draft)) leaks.push(`${route}: an asker is told of a held draft`)
      }
      told[route] = statuses.join(' ')
      const allowed = roleTable[route] ?? []
      for (const role of KeyRole.options) {
        const isAllowed = statuses[columns.indexOf(single[role])] !== 403
        if (isAllowed !== allowed.includes(role)) wrong.push(`${route}: ${role} is ${isAllowed ? 'let in' : 'refused'}`)
      }
    }
    expect(wrong).toEqual([])
    expect(leaks).toEqual([])
    expect(told).toEqual(rows)
  })

  it('lets no role that does not read content use MCP', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    for (const role of KeyRole.options) {
      const answer = await fetch(`${house.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${keys[single[role]]}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(list),
      })
      await answer.text()
      expect([role, answer.status]).toEqual([role, ['asker', 'reviewer', 'admin'].includes(role) ? 200 : 403])
    }
  })
})
