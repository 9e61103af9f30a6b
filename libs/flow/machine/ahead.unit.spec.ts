import { describe, expect, it } from 'vitest'
import type { Policy } from '../policy/policy'
import { policies } from '../policy/presets'
import type { Run } from '../schema/run'
import type { StartAsk } from './start'
import {
  admitted,
  after,
  asked,
  asking,
  checked,
  drafted,
  found,
  movedBy,
  notes,
  nothing,
  openIds,
  passage,
  planned,
  quoted,
  reportOf,
  routed,
  type RunState,
  t0,
} from '../spec/run-fixtures.spec'
import { abandon, advance, end } from './advance'
import { startAhead } from './ahead'
import { show } from './show'

const whenNeeded = { gradeEvidence: 'when-needed' } as const
const asks = (fields: Partial<Policy> = {}, ask: Partial<StartAsk> = {}): RunState =>
  after(asking({ ...whenNeeded, ...fields }, ask), admitted)
const early = { taskId: 'route', at: t0 + 2_000 }
const startedBy = (given: RunState): RunState => {
  const { run, events, evidence } = movedBy(startAhead(given.run, early))
  return { run, events: [...given.events, ...events], evidence }
}
const isStarted = (run: Run): boolean => startAhead(run, early).kind === 'moved'

const simple = routed({
  outcome: 'research',
  logic: 'About planets.',
  collections: ['planets'],
  simple: true,
  queries: ['mass of Mars'],
  lookups: [],
})
const complex = routed({ outcome: 'research', logic: 'Two places.', collections: ['planets'], simple: false })
const draftedEarly = { ...drafted(1), taskId: 'generate.1.ahead' }
/** The regular search, with one query of the asker and one of the router. */
const searched = (...ids: string[]) => found('1.1', ids, { queries: ['How heavy is Mars?', 'mass of Mars'] })
const writingEarly = (fields: Partial<Policy> = {}): RunState =>
  after(startedBy(asks(fields)), found('1.0', ['p1', 'p2']))
const rowsOf = ({ run }: RunState): string[] => run.steps.flatMap(({ evidence }) => evidence.map(({ id }) => id))

describe('a draft that begins while the router decides', () => {
  it('searches with the own words of the asker, then writes', () => {
    const started = startedBy(asks())
    expect(openIds(started)).toEqual(['research.1.0', 'route'])
    expect(started.run.steps).toMatchObject([{ question: asked.question, source: 'index' }])
    const writing = after(started, found('1.0', ['p1', 'p2']))
    expect(openIds(writing)).toEqual(['generate.1.ahead', 'route'])
  })

  it.each<[string, Partial<Policy>, Partial<StartAsk>]>([
    ['releases no parts', { releaseBySentence: 'off' }, {}],
    ['holds nothing', { parkBelow: 0.5 }, {}],
    ['always plans', { plan: 'always' }, {}],
    ['grades evidence first', { gradeEvidence: 'first' }, {}],
    ['has too few tasks left', { maxMoves: 6 }, {}],
    ['is part of a batch', {}, { class: 'batch' }],
    ['has no model', {}, { skills: 'offline' }],
    ['has no collection', {}, { collections: [] }],
    [
      'continues a thread',
      {},
      { inThread: { runId: 'r0', status: 'answered', question: 'Why?', text: 'So.', passageIds: [] } },
    ],
  ])('starts nothing early for a run that %s', (_, fields, ask) => {
    expect(isStarted(asks().run)).toBe(true)
    expect(isStarted(asks(fields, ask).run)).toBe(false)
  })

  it('starts only while the route is open, and only once', () => {
    const started = startedBy(asks())
    expect(isStarted(started.run)).toBe(false)
    expect(isStarted(after(started, nothing('1.0')).run)).toBe(false)
    expect(isStarted(after(asks(), simple).run)).toBe(false)
    expect(isStarted(asking(whenNeeded).run)).toBe(false)
    expect(
      Object.values(policies).filter(({ name }) => isStarted(after(asking(policies[name]), admitted).run)),
    ).toEqual([policies['standard'], policies['auto']])
  })

  it('keeps the draft if the route agrees, and checks it with the passages of both searches', () => {
    const both = after(writingEarly(), simple)
    expect(openIds(both)).toEqual(['generate.1.ahead', 'research.1.1'])
    const read = after(both, searched('p2', 'p1', 'p3'))
    expect(openIds(read)).toEqual(['generate.1.ahead'])
    expect(read.run.steps[0]?.queries).toEqual(['query 1.0', 'How heavy is Mars?', 'mass of Mars'])
    const written = after(read, draftedEarly)
    expect(openIds(written)).toEqual(['grade-answer.1'])
    expect(rowsOf(written)).toEqual(['p1', 'p2', 'p3'])
    expect(written.run).toMatchObject({
      simple: true,
      lookups: [],
      draft: { passed: 2 },
      route: { collections: ['planets'] },
    })
    expect(written.run.ahead).toBeUndefined()
    expect(after(written, checked(1)).run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
  })

  it.each([
    ['before the route', [draftedEarly, simple, searched('p1', 'p2')]],
    ['before the regular search', [simple, draftedEarly, searched('p1', 'p2')]],
    ['last', [simple, searched('p1', 'p2'), draftedEarly]],
    ['although the regular search finds nothing', [simple, draftedEarly, nothing('1.1')]],
  ])('checks a draft that is written %s', (_, reports) => {
    const done = after(writingEarly(), ...reports)
    expect(openIds(done)).toEqual(['grade-answer.1'])
    expect(rowsOf(done)).toEqual(['p1', 'p2'])
  })

  it('writes again if the best passage of a query is new, from the passages of the regular search alone', () => {
    for (const before of [[simple], [simple, draftedEarly], [draftedEarly, simple]]) {
      const again = after(writingEarly(), ...before, searched('p1', 'p3'))
      expect(openIds(again)).toEqual(['generate.1'])
      expect(rowsOf(again)).toEqual(['p1', 'p3'])
      expect(again.run.draft).toBeUndefined()
      expect(again.run.ahead).toBeUndefined()
    }
  })

  it.each([
    ['needs a plan', complex, ['plan']],
    [
      'has another question',
      routed({ outcome: 'research', logic: 'l', collections: [], question: 'Else?', simple: true }),
      ['research.1.1'],
    ],
    [
      'names a lookup',
      routed({ outcome: 'research', logic: 'l', collections: [], lookup: 'stock', simple: true }),
      ['research.1.1'],
    ],
    [
      'chooses a lookup',
      routed({ outcome: 'research', logic: 'l', collections: [], lookups: ['stock'], simple: true }),
      ['research.1.1'],
    ],
    [
      'searches another collection',
      routed({ outcome: 'research', logic: 'l', collections: ['memory'], simple: true }),
      ['research.1.1'],
    ],
    ['needs no search', routed({ outcome: 'reply', logic: 'l' }), ['reply.1']],
  ])('drops the draft if the route %s', (_, route, open) => {
    for (const before of [writingEarly(), after(writingEarly(), draftedEarly), startedBy(asks())]) {
      const done = after(before, route)
      expect(openIds(done)).toEqual(open)
      expect(done.run.draft).toBeUndefined()
      expect(done.run.ahead).toBeUndefined()
      expect(notes(done)).toEqual([])
    }
  })

  it('drops tasks that workers of the previous version continued', () => {
    const { ahead: _, ...old } = writingEarly().run
    const done = after({ ...writingEarly(), run: old }, simple)
    expect(openIds(done)).toEqual(['research.1.1'])
    expect(done.run.closed).toMatchObject({ 'generate.1.ahead': 'dropped' })
  })

  it('drops a search that is still in progress when the route is known', () => {
    const done = after(startedBy(asks()), simple)
    expect(openIds(done)).toEqual(['research.1.1'])
    expect(done.run.closed).toMatchObject({ 'research.1.0': 'dropped' })
  })

  it('drops a search that found nothing, and a draft that was not written', () => {
    expect(openIds(after(startedBy(asks()), nothing('1.0')))).toEqual(['route'])
    const quotes = { ...quoted(1, ['p1']), taskId: 'generate.1.ahead' }
    expect(openIds(after(writingEarly(), quotes))).toEqual(['route'])
    expect(after(writingEarly(), quotes, complex).run.steps).toEqual([])
  })

  it('writes another draft after the regular search if the early one fails after the route', () => {
    const refused = {
      taskId: 'generate.1.ahead',
      kind: 'generate',
      result: { outcome: 'refused', reason: 'No.' },
    } as const
    const failed = after(writingEarly(), simple, refused)
    expect(openIds(failed)).toEqual(['research.1.1'])
    expect(openIds(after(failed, searched('p1', 'p2')))).toEqual(['generate.1'])
    expect(openIds(after(writingEarly(), simple, searched('p1', 'p2'), refused))).toEqual(['generate.1'])
  })

  it('continues without an abandoned task', () => {
    const given = (run: RunState, taskId: string): string[] =>
      openIds({ ...run, run: movedBy(abandon(run.run, taskId, 'It crashed.', t0 + 9_000)).run })
    expect(given(startedBy(asks()), 'research.1.0')).toEqual(['route'])
    expect(given(writingEarly(), 'generate.1.ahead')).toEqual(['route'])
    expect(given(writingEarly(), 'route')).toEqual(['plan'])
    expect(given(after(writingEarly(), simple), 'generate.1.ahead')).toEqual(['research.1.1'])
    expect(given(after(writingEarly(), simple, draftedEarly), 'research.1.1')).toEqual(['grade-answer.1'])
  })

  it('shows nothing before the route is known and its search is complete', () => {
    const part = {
      ...{ taskId: 'generate.1.ahead', from: 0, at: t0 + 60_000, text: 'Mars is red [1].' },
      ...{ citations: [{ n: 1, passageId: 'p1' }], claims: [], numbers: ['p1'], checkKey: 'key' },
    }
    const routedEarly = after(writingEarly(), simple)
    expect(show(writingEarly().run, part).kind).toBe('stale')
    expect(show(routedEarly.run, part).kind).toBe('stale')
    const shown = movedBy(show(after(routedEarly, searched('p1', 'p2')).run, part))
    expect(shown.run.shown?.text).toBe(part.text)
    const other = { ...shown, run: shown.run }
    expect(openIds(after(other, { ...drafted(1, 'It is cold [1].'), taskId: 'generate.1.ahead' }))).toEqual([
      'generate.1',
    ])
  })

  it('rejects a report about a step that the run does not have', () => {
    const { run } = startedBy(asks())
    expect(advance({ ...run, steps: [] }, reportOf(run, found('1.0', ['p1']))).kind).toBe('stale')
  })

  it('ends with the run', () => {
    for (const status of ['cancelled', 'expired', 'overspent'] as const) {
      const { run } = movedBy(end(writingEarly().run, { status, by: 'ann', at: t0 + 9_000 }))
      expect([run.open, run.endedAt !== undefined]).toEqual([[], true])
    }
  })

  it('accepts no late report of a dropped task', () => {
    const done = after(writingEarly(), complex, planned('Why?'), found('1.1', ['p1']))
    expect(passage('p1').collection).toBe('planets')
    expect(() => after(done, draftedEarly)).toThrow('stale')
    expect(() => after(done, found('1.0', ['p2']))).toThrow('stale')
  })
})
