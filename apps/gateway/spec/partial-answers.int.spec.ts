import { readFeatures } from '@plumbline/features/all'
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAnswerCache } from '@plumbline/adapters/redis/caches/answers'
import { openSchedules } from '@plumbline/features/schedules/store/schedules'
import { openRedisCache } from '@plumbline/adapters/redis/caches/cache'
import { createClient } from '@plumbline/client'
import type { RunView } from '@plumbline/contracts'
import { messageBody } from '@plumbline/features/webhooks/message'
import { moveRun } from '@plumbline/worker/move'
import { evidenceIn, onceOnly, openHouse, post, withPolicy, type House, type ReportFields } from './house.spec'
import { first, partOf, showParts, showUpTo, shownText, toFailure, toHeldRest } from './shown-parts.spec'

const apiKeys = 'key-of-a:a:asker+reviewer+admin:*,other-of-a:a:asker,key-of-b:b:asker+reviewer:*'
let house: House
let mcp: McpClient
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse({ apiKeys, features: readFeatures({ CASES_DAYS: '30' }).features })
  mcp = new McpClient({ name: 'spec', version: '1' })
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${house.url}/mcp`), { requestInit: { headers } }))
})
afterAll(async () => {
  await mcp.close()
  await house.close()
})

const headers = { authorization: 'Bearer key-of-a' }
const client = (key = 'key-of-a') => createClient({ url: house.url, key })
const get = async (path: string): Promise<string> => (await fetch(`${house.url}${path}`, { headers })).text()
const body = (key: string, question: string) => ({
  model: 'once-only',
  messages: [{ role: 'user', content: question }],
  plumbline: { threadId: key },
})
const complete = (key: string, fields: object = {}) =>
  post(
    house.url,
    '/v1/chat/completions',
    { ...body(key, `What is ${key} Mars like?`), ...fields },
    { ...headers, 'idempotency-key': key },
  )

type Door = (id: string, key: string) => Promise<string>
/** Every part of the API that returns answers, with a function that returns its text for a run. */
const doors: Record<string, Door> = {
  webhooks: async (id) =>
    JSON.stringify((await house.store.ledger(id, null, 100)).map(({ event }) => messageBody(id, event))),
  'a completion without a stream': async (_, key) => (await complete(key)).text(),
  'MCP get_run': async (id) => JSON.stringify(await mcp.callTool({ name: 'get_run', arguments: { runId: id } })),
  'the export of a thread as JSON': (_, key) => client().exportThread(key, 'json'),
  'the export of a thread as JSON Lines': (_, key) => client().exportThread(key, 'jsonl'),
  'the export of a thread as Markdown': (_, key) => client().exportThread(key, 'markdown'),
  'the cases': async () => `${await get('/v1/cases')} ${await get('/v1/cases/export')}`,
  'the list of runs': () => get('/v1/runs?limit=100'),
  'the list of threads': () => get('/v1/threads?limit=100'),
  'the pinned answers': async (id) => (await post(house.url, `/v1/runs/${id}/keep`, {}, headers)).text(),
  'the cache of answers': async (id) => {
    const { redis, store } = house
    const cache = openRedisCache({ redis, log: { warn: () => undefined }, patienceMs: 5_000 })
    const answers = openAnswerCache({ redis, cache, store })
    const run = (await store.load(id))?.run
    if (!run) throw new Error('no run')
    const look = { vector: new Float32Array([1, 0]), embedder: 'spec' }
    await answers.look({ ...run, standalone: run.question }, look)
    return JSON.stringify(await answers.look({ ...run, standalone: run.question, id: 'another' }, look))
  },
  'the next question of the thread': async (id, key) => {
    const next = await client().ask({ question: 'And Venus?', threadId: key })
    const run = (await house.store.load(next.id))?.run
    await client().cancel(next.id)
    expect(run?.inThread).toMatchObject({ runId: id, text: '', passageIds: [] })
    return JSON.stringify(run)
  },
}

const endings: [string, () => ReportFields[], Pick<RunView, 'status'>][] = [
  ['held', toHeldRest, { status: 'parked' }],
  ['failed', toFailure, { status: 'failed' }],
]

describe.each(endings)('a run that is %s after a part of its answer was released', (key, reports, run) => {
  let id = ''
  beforeAll(async () => {
    const stream = await complete(key, { stream: true })
    id = (await client().runs({ threadId: key })).items[0]?.id ?? ''
    await showParts(house, id)
    await house.report(id, ...reports())
    expect(await stream.text()).toContain(first)
  })
  const expectNothing = (text: string): void => {
    expect(text).not.toContain('"partial":')
    expect(text).not.toContain(first.slice(0, 11))
  }

  it('gives the part to those who may read the run, marked as incomplete', async () => {
    const partial = { text: shownText, state: 'incomplete', citations: [{ n: 1, title: 'Title p1' }] }
    expect(await client().run(id)).toMatchObject({ ...run, partial })
    expect((await client().run(id)).answer).toBeUndefined()
    expect((await client().thread(key)).items[0]).toMatchObject({ partial })
    for (const other of ['other-of-a', 'key-of-b'])
      await expect(client(other).run(id)).rejects.toMatchObject({ problem: { status: 404 } })
  })

  it.each(Object.keys(doors))('gives nothing of it to %s', async (door) => {
    const text = await doors[door]!(id, key)
    expect(text).not.toBe('')
    expectNothing(text)
  })
})

it('a case has the draft for reviewers, and no partial answer', async () => {
  const { id } = await client().ask({ question: 'What is Mars like?', policy: 'once-only' })
  await showParts(house, id)
  await house.report(id, ...toHeldRest())
  await client().decide(id, { taskId: 'review.1', decisionId: 'd1', action: 'reject' })
  const cases = async () => (await client().cases({ limit: 100 })).items.filter(({ runId }) => runId === id)
  await expect.poll(cases).toMatchObject([{ status: 'rejected' }])
  expect(await get('/v1/cases/export')).toContain(id)
  expect(await get('/v1/cases/export')).not.toContain('"partial":')
  expect(await client().run(id)).toMatchObject({ status: 'rejected', partial: { state: 'withdrawn' } })
})

describe('a question that nobody waits for', () => {
  /** Stores an early released part in a run that may not have one. The specs check that no response contains it. */
  const force = async (id: string): Promise<void> => {
    await house.report(id, ...evidenceIn)
    expect(await showUpTo(house, id, first)).toBe('stale')
    const forced = await moveRun(house.store, id, (run) => ({
      kind: 'moved',
      run: { ...run, shown: partOf(first) },
      events: [],
      evidence: [],
    }))
    expect(forced.kind).toBe('moved')
  }
  const poll = <T>(look: () => Promise<T>) => expect.poll(look, { interval: 40 })

  it('releases nothing early in a batch, and its results have no partial answer', async () => {
    const line = JSON.stringify({ question: 'What is Mars like?', policy: 'once-only' })
    const { id } = await client().createBatch([line, line.replace('Mars', 'Venus'), ''].join('\n'))
    const results = () => get(`/v1/batches/${id}/results`)
    const runsIn = async () => [...(await results()).matchAll(/"runId":"(\w+)"/g)].map(([, run = '']) => run)
    await poll(runsIn).toHaveLength(2)
    const [held = '', failed = ''] = await runsIn()
    for (const run of [held, failed]) await force(run)
    await house.report(held, ...toHeldRest())
    await house.report(failed, ...toFailure())
    const text = await results()
    expect(text).toMatch(/"status":"parked".*\n.*"status":"failed"/)
    expect(text).not.toMatch(/partial|Mars is red/)
  })

  it('releases nothing early in a schedule, and its outcome has no partial answer', async () => {
    const ask = { question: 'What is Mars like?', policy: 'once-only' }
    const { id } = await client().createSchedule({ ...ask, when: { by: 'change' } })
    await poll(async () => (await client().schedule(id)).running).toBeDefined()
    const { running = '' } = await client().schedule(id)
    await poll(async () => (await house.store.load(running))?.run.status).toBe('queued')
    expect((await house.store.load(running))?.run.class).toBe('batch')
    await force(running)
    await house.report(running, ...toFailure())
    await openSchedules(house.redis).schedule(`a/${id}`, 0)
    await poll(async () => (await client().schedule(id)).outcomes).toMatchObject([{ status: 'failed', answer: 'none' }])
    expect(await get(`/v1/schedules/${id}`)).not.toMatch(/partial|Mars is red/)
    await client().removeSchedule(id)
  })
})
