import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '@plumbline/flow'
import { admitted, after, asking, checked, checking, passage } from '@plumbline/flow/spec/run-fixtures.spec'
import { keys } from '../client/keys'
import { openCatalog } from '../documents/catalog'
import { ingested } from '../spec/own-catalog.spec'
import { ownRedis } from '../spec/own-redis.spec'
import { openRedisCache } from './cache'
import { openPinnedAnswers } from './pinned-answers'

const { redis } = await ownRedis()
const catalog = openCatalog(redis)
const kept = openPinnedAnswers({
  redis,
  cache: openRedisCache({ redis, log: { warn: () => undefined }, patienceMs: 5_000 }),
})
type Ask = NonNullable<Parameters<typeof asking>[1]>
type Fields = Parameters<typeof asking>[0]
let made = 0
const index = (id: string, content: string): Promise<string> => ingested(redis, ['default', 'planets', id, content])
const cited = async () => [
  { ...passage('p1'), version: (await redis.hget(keys.document('d-p1'), 'servedVersion')) ?? '' },
]
beforeEach(async () => {
  await redis.del(keys.cached('kept:default'), keys.cachedEnds('kept:default'))
  await index('d-p1', 'one')
})
afterAll(() => redis.disconnect())

const released = (fields: Partial<Run> = {}, ask: Ask = {}): Run => {
  const run = after(checking({}, { id: `r${(made += 1)}`, ...ask }), checked(1)).run
  return { ...run, reason: 'answered.decided', ...fields }
}
const asked = (ask: Ask = {}, fields: Fields = {}): Run =>
  after(asking(fields, { id: `r${(made += 1)}`, ...ask }), admitted).run

describe('a pinned answer', () => {
  it('is returned for the same question, with its check, until a cited document changes', async () => {
    const run = released()
    expect(await kept.keep(run, await cited())).toBe(true)
    expect(await kept.look(asked({ question: ' How  heavy is Mars? ' }))).toMatchObject({
      kept: true,
      from: { runId: run.id },
      text: run.answer?.text,
      citations: run.answer?.citations,
      passages: [{ id: 'p1' }],
      check: { claims: run.grading?.claims },
    })
    await index('d-other', 'another')
    expect(await kept.look(asked())).not.toBeNull()
    await index('d-p1', 'two')
    expect(await kept.look(asked())).toBeNull()
    await index('d-p1', 'one')
    expect(await kept.look(asked())).toBeNull()
  })

  it('is removed with a document it cites', async () => {
    await kept.keep(released(), await cited())
    await catalog.removeDocument('default', 'd-p1')
    expect(await kept.look(asked())).toBeNull()
  })

  it.each<[string, Ask, Fields?]>([
    ['tenant', { tenant: 'other' }],
    ['reader', { access: ['hr'] }],
    ['filter', { filters: { kind: 'a' } }],
    ['policy', {}, { name: 'mine' }],
    ['question', { question: 'How heavy is Venus?' }],
    ['set of collections that leaves its own out', { collections: ['memory'] }],
  ])('is never given to another %s', async (_, ask, fields = {}) => {
    await kept.keep(released(), await cited())
    expect(await kept.look(asked(ask, fields))).toBeNull()
    expect(await kept.look(asked())).not.toBeNull()
  })

  it.each<[string, Partial<Run>]>([
    ['nobody decided about', { reason: 'answered.checked' }],
    ['goes on', { status: 'running' }],
    ['was rejected', { status: 'rejected', reason: 'rejected.decided' }],
    [
      'has a caveat',
      { answer: { kind: 'written', text: 'A [1].', citations: [{ n: 1, passageId: 'p1' }], caveat: 'Careful.' } },
    ],
    ['quotes', { answer: { kind: 'quoted', text: 'A', citations: [{ n: 1, passageId: 'p1' }] } }],
    ['cites nothing', { answer: { kind: 'written', text: 'A.', citations: [] } }],
  ])('is none if its run %s', async (_, fields) => {
    expect(await kept.keep(released(fields), await cited())).toBe(false)
    expect(await kept.look(asked())).toBeNull()
  })

  it('is not pinned if a cited document has changed since', async () => {
    const passages = await cited()
    await index('d-p1', 'two')
    expect(await kept.keep(released(), passages)).toBe(false)
  })

  it('is dropped by whichever run asked the same, and is never its own', async () => {
    const run = released()
    await kept.keep(run, await cited())
    expect(await kept.look({ ...asked(), id: run.id })).toBeNull()
    await kept.drop(asked())
    expect(await kept.look(asked())).toBeNull()
  })

  it('ends by itself', async () => {
    await kept.keep(released(), await cited())
    expect(await redis.pttl(keys.cached('kept:default'))).toBeGreaterThan(0)
  })
})
