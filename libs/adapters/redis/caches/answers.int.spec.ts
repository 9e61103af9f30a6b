import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '@plumbline/flow'
import { admitted, after, asking, checked, checking, passage, ungrounded } from '@plumbline/flow/spec/run-fixtures.spec'
import { openAnswerCache } from './answers'
import { openRedisCache } from './cache'
import { keys } from '../client/keys'
import { openCatalog } from '../documents/catalog'
import { openRedisRunStore } from '../runs/redis-run-store'
import { ingested } from '../spec/own-catalog.spec'
import { ownRedis } from '../spec/own-redis.spec'

const vector = new Float32Array([0.6, 0.8])
const embedder = 'spec'

const { redis } = await ownRedis()
const store = openRedisRunStore({ redis })
const catalog = openCatalog(redis)
const cache = openAnswerCache({
  redis,
  store,
  cache: openRedisCache({ redis, log: { warn: () => undefined }, patienceMs: 5_000 }),
})
let made = 0
beforeEach(async () => {
  await index('d-p1', 'one')
  await index('d-m', 'one', 'memory')
})
afterAll(() => store.close())

const index = (id: string, content: string, collection = 'planets', tenant = 'default'): Promise<string> =>
  ingested(redis, [tenant, collection, id, content])
type Ask = NonNullable<Parameters<typeof asking>[1]>
type Fields = Parameters<typeof asking>[0]
const id = (): string => `r${(made += 1)}`
const routing = (ask: Ask = {}, fields: Fields = {}): Run => after(asking(fields, { id: id(), ...ask }), admitted).run
const look = (run: Run, more: Partial<{ vector: Float32Array; embedder: string }> = {}) =>
  cache.look(run, { vector, embedder, ...more })

/** Looks up an answer for a new run, which finds none. Then ends the run with `end`, stores it and returns it. */
const ended = async (
  end: (ask: Ask, fields: Fields) => Run = (ask, fields) => after(checking(fields, ask), checked(1)).run,
  fields: Fields = {},
): Promise<Run> => {
  const ask = { id: id() }
  expect(await look(routing(ask, fields))).toBeNull()
  const run = end(ask, fields)
  await store.create(run, [], '')
  const version = await redis.hget(keys.document('d-p1'), 'servedVersion')
  await redis.hset(keys.evidence(run.id), 'p1', JSON.stringify({ ...passage('p1'), version }))
  return run
}

const answered = (ask: Ask, fields: Fields, answer: Partial<NonNullable<Run['answer']>>): Run => {
  const run = after(checking(fields, ask), checked(1)).run
  return { ...run, answer: { text: '', citations: [], ...run.answer, ...answer } }
}
const inThread = {
  runId: 'r',
  status: 'answered',
  question: 'How heavy is Venus?',
  text: 'Heavy.',
  passageIds: [],
} as const

describe('the answer of an earlier run', () => {
  it('is given to the same question, with its check, its passages and its run', async () => {
    const { id: runId, answer, endedAt, grading } = await ended()
    const known = await look(routing({ question: ' How  heavy is Mars? ' }))
    expect(known).toMatchObject({
      from: { runId, at: new Date(endedAt ?? 0).toISOString() },
      text: answer?.text,
      citations: answer?.citations,
      passages: [{ id: 'p1' }],
      check: { claims: grading?.claims },
    })
    expect(known?.check).not.toHaveProperty('draft')
  })

  it.each<[string, (ask: Ask, fields: Fields) => Run, Fields?]>([
    ['is under way', (ask) => routing(ask)],
    [
      'is held',
      (ask, fields) => after(checking(fields, ask), ungrounded(1)).run,
      { maxRegenerations: 0, maxAugments: 0 },
    ],
    [
      'went out with a caveat',
      (ask, fields) => after(checking(fields, ask), ungrounded(1)).run,
      { maxRegenerations: 0, maxAugments: 0, whenSpent: 'caveat' },
    ],
    [
      'lacks a part',
      (ask, fields) => after(checking(fields, ask), checked(1, { usefulness: 1 })).run,
      { whenNotUseful: 'release' },
    ],
    ['was cancelled', (ask) => ({ ...routing(ask), status: 'cancelled', endedAt: 1, open: [] })],
    [
      'went out by a person',
      (ask, fields) => ({ ...after(checking(fields, ask), checked(1)).run, reason: 'answered.decided' }),
    ],
    [
      'went on with what its thread had found',
      (ask, fields) => ({
        ...after(checking(fields, ask), checked(1)).run,
        route: { to: 'continue', logic: 'More of it.', collections: [] },
      }),
    ],
    ['quoted places', (ask, fields) => answered(ask, fields, { kind: 'quoted' })],
    [
      'showed rows of a table',
      (ask, fields) => answered(ask, fields, { quotes: [{ n: 1, passageId: 'p1', text: '| a |', marks: [] }] }),
    ],
    ['ended before answers had a kind', (ask, fields) => answered(ask, fields, { kind: undefined })],
    [
      'was checked offline because the checker was down',
      (ask, fields) => {
        const run = after(checking(fields, ask), checked(1)).run
        return { ...run, grading: run.grading && { ...run.grading, degraded: true } }
      },
    ],
    [
      'was known before itself',
      (ask, fields) => ({ ...after(checking(fields, ask), checked(1)).run, reason: 'answered.known' }),
    ],
    ['is another tenant’s', (ask, fields) => ({ ...after(checking(fields, ask), checked(1)).run, tenant: 'other' })],
  ])('is not given where that run %s', async (_, end, fields = {}) => {
    await ended(end, fields)
    expect(await look(routing({}, fields))).toBeNull()
  })

  it.each<[string, Ask, Fields?, Parameters<typeof look>[1]?]>([
    ['tenant', { tenant: 'other' }],
    ['set of collections', { collections: ['planets'] }],
    ['filter', { filters: { kind: 'a' } }],
    ['reader', { access: ['hr'] }],
    ['reader of all', { access: 'all' }],
    ['kind of skills', { skills: 'other' }],
    ['use of the web', { webOn: true }, { maxWebSearches: 1 }],
    ['policy', {}, { name: 'mine' }],
    ['threshold', {}, { parkBelow: 0.33 }],
    ['name', { question: 'How heavy is Venus?' }],
    ['way to write it', { question: 'how heavy is mars?' }],
    ['embedder', {}, {}, { embedder: 'other' }],
    ['vector', {}, {}, { vector: new Float32Array([0.8, 0.6]) }],
  ])('is never given to another %s', async (_, ask, fields = {}, more = {}) => {
    await index('d-o', 'one', 'planets', 'other')
    await index('d-q', 'one', 'memory', 'other')
    await ended()
    expect(await look(routing(ask, fields), more)).toBeNull()
  })

  it('is for the day it was asked on', async () => {
    await ended()
    const run = routing()
    expect(await look({ ...run, createdAt: run.createdAt + 24 * 3_600_000 })).toBeNull()
    expect(await look(run)).not.toBeNull()
  })

  it.each<[string, (run: Run) => Promise<unknown>]>([
    ['a cited document is replaced', () => index('d-p1', 'two')],
    ['a cited document is removed', () => catalog.removeDocument('default', 'd-p1')],
    [
      'a cited document is not found any more, though no collection says so',
      () => redis.hset(keys.document('d-p1'), 'servedVersion', 'x'),
    ],
    ['another document comes', () => index('d-new', 'one')],
    ['its run is not kept any more', (run) => redis.del(keys.state(run.id))],
    ['its passages are not kept any more', (run) => redis.del(keys.evidence(run.id))],
    [
      'somebody called it of no use',
      (run) => redis.rpush(keys.feedback(run.id), '{"useful":true}', '{"useful":false}'),
    ],
  ])('is dropped when %s', async (_, change) => {
    const run = await ended()
    expect(await look(routing())).not.toBeNull()
    await change(run)
    expect(await look(routing())).toBeNull()
  })

  it('is found even if many runs ask before it exists', async () => {
    const first = { id: id() }
    expect(await look(routing(first))).toBeNull()
    await store.create(routing(first), [], '')
    expect(await Promise.all(Array.from({ length: 5 }, () => look(routing())))).toEqual([null, null, null, null, null])
    await redis.del(keys.state(first.id))
    const run = after(checking({}, first), checked(1)).run
    await store.create(run, [], '')
    await redis.hset(
      keys.evidence(run.id),
      'p1',
      JSON.stringify({ ...passage('p1'), version: await redis.hget(keys.document('d-p1'), 'servedVersion') }),
    )
    expect(await look(routing())).toMatchObject({ from: { runId: run.id } })
  })

  it('is given to a standalone question of a thread, and may come from a thread', async () => {
    const followUp = (fields: Partial<Run>): Run => ({
      ...routing({ question: 'And Mars?', inThread: { ...inThread, passageIds: [] } }),
      ...fields,
    })
    const first = followUp({ standalone: 'How heavy is Mars?' })
    expect(await look(first)).toBeNull()
    const end = after(checking({}, { id: first.id, question: 'And Mars?' }), checked(1)).run
    const run = { ...end, inThread: first.inThread, standalone: first.standalone }
    await store.create(run, [], '')
    const version = await redis.hget(keys.document('d-p1'), 'servedVersion')
    await redis.hset(keys.evidence(run.id), 'p1', JSON.stringify({ ...passage('p1'), version }))
    expect(await look(followUp({ standalone: 'How heavy is Mars?' }))).toMatchObject({ from: { runId: run.id } })
    expect(await look(routing())).toMatchObject({ from: { runId: run.id } })
    expect(await look(followUp({ standalone: 'How heavy is Venus?' }))).toBeNull()
  })

  it('is given without what its check found to state nothing', async () => {
    await ended((ask, fields) => after(checking(fields, ask), checked(1, { text: 'Draft [1].' })).run)
    expect(await look(routing())).toMatchObject({ text: 'Draft [1].' })
  })

  it('is never given to the run that it comes from', async () => {
    const run = await ended()
    expect(await look(routing({ id: run.id }))).toBeNull()
    expect(await look(routing())).toMatchObject({ from: { runId: run.id } })
  })

  it.each<[string, Run]>([
    ['goes on in a thread and does not stand alone yet', routing({ inThread: { ...inThread, passageIds: [] } })],
    ['has no collection', routing({ collections: [] })],
  ])('is not searched for if the question %s', (_, run) => expect(cache.mayKnow(run)).toBe(false))

  it('is searched for otherwise', () => {
    expect(cache.mayKnow(routing())).toBe(true)
    const standalone = 'How heavy is Mars?'
    expect(cache.mayKnow({ ...routing({ inThread: { ...inThread, passageIds: [] } }), standalone })).toBe(true)
  })
})
