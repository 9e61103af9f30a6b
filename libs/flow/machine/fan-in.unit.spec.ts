import type { Grade } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import type { Policy } from '../policy/policy'
import type { RunState } from '../spec/run-fixtures.spec'
import {
  admitted,
  after,
  asking,
  bad,
  costing,
  found,
  good,
  graded,
  movedBy,
  nothing,
  openIds,
  openTask,
  passage,
  planned,
  reportOf,
} from '../spec/run-fixtures.spec'
import { advance } from './advance'
import { evidenceFor } from './evidence'
import type { StartAsk } from './start'

const planning = (fields: Partial<Policy> = {}, ask: Partial<StartAsk> = {}) =>
  after(asking({ entry: 'plan', ...fields }, ask), admitted)
const one = (fields: Partial<Policy> = {}, ask: Partial<StartAsk> = {}) => after(planning(fields, ask), planned('a'))

describe('fan-in', () => {
  it('opens the draft when no research or grading is open and no step waits', () => {
    const given = after(
      planning(),
      planned('a', 'b'),
      found('1.1', ['p1']),
      found('2.1', ['p2']),
      graded('2.1', { p2: good }),
    )
    expect(openIds(given)).toEqual(['grade-evidence.1.1'])
    expect(openIds(after(given, graded('1.1', { p1: good })))).toEqual(['generate.1'])
  })

  it('gives the same run whichever sibling reports first, even if both need the last rewrite', () => {
    const given = after(planning({ maxRewrites: 1, whenPoor: 'rewrite' }), planned('a', 'b'))
    const usage = (cents: number) => ({ calls: 1, tokensIn: 3, tokensOut: 1, cents })
    const first = { ...reportOf(given.run, nothing('1.1')), at: given.run.createdAt + 50, ...costing(usage(0.1)) }
    const second = { ...reportOf(given.run, nothing('2.1')), at: given.run.createdAt + 40, ...costing(usage(0.2)) }
    const onlyMethod = movedBy(advance(movedBy(advance(given.run, first)).run, second)).run
    const otherWay = movedBy(advance(movedBy(advance(given.run, second)).run, first)).run
    expect(onlyMethod).toStrictEqual(otherWay)
    expect(onlyMethod.open.map(({ id }) => id)).toEqual(['research.1.2'])
    expect(onlyMethod).toMatchObject({ spent: { rewrites: 1 }, usage: { cents: 0.3 } })
  })

  it('waits for all siblings before it chooses a retry', () => {
    const given = after(planning({ whenPoor: 'rewrite' }), planned('a', 'b'), nothing('1.1'))
    expect(openIds(given)).toEqual(['research.2.1'])
    expect(openIds(after(given, found('2.1', ['p2']), graded('2.1', { p2: good })))).toEqual(['research.1.2'])
  })
})

describe('poor evidence', () => {
  it('is used if the policy says so', () => {
    const poor = after(
      one({ whenPoor: 'go-on', minRelevant: 2 }),
      found('1.1', ['p1', 'p2']),
      graded('1.1', { p1: good, p2: bad }),
    )
    expect(openIds(poor)).toEqual(['generate.1'])
  })

  it('is searched again with a query rewritten from the failures, once per counter', () => {
    const poor = after(
      one({ whenPoor: 'rewrite', maxRewrites: 1 }),
      found('1.1', ['p1', 'p2']),
      graded('1.1', { p1: bad, p2: bad }),
    )
    const task = openTask(poor, 'research')
    expect(task).toMatchObject({
      id: 'research.1.2',
      try: 2,
      source: 'index',
      failed: {
        queries: ['query 1.1'],
        passageIds: ['p1', 'p2'],
        reason: '0 of 2 passages passed; the policy requires 1.',
      },
    })
    expect(evidenceFor(poor.run, task)).toEqual(['p1', 'p2'])
    expect(poor.events.find(({ type }) => type === 'counter-spent')).toMatchObject({
      audience: 'desk',
      counter: 'rewrites',
      left: 0,
      why: 'Step 1: 0 of 2 passages passed; the policy requires 1.',
    })
    expect(after(poor, nothing('1.2')).run.reason).toBe('unanswered.all-irrelevant')
  })

  it('is fewer passages than the policy wants', () => {
    const given = after(one({ whenPoor: 'rewrite', minRelevant: 2 }), found('1.1', ['p1']), graded('1.1', { p1: good }))
    expect(openIds(given)).toEqual(['research.1.2'])
    const more = after(given, found('1.2', ['p2']), graded('1.2', { p2: good }))
    expect(openIds(more)).toEqual(['generate.1'])
    expect(evidenceFor(more.run, openTask(more, 'generate'))).toEqual(['p1', 'p2'])
  })

  it('is any irrelevant passage or an ambiguous whole, if the policy says so', () => {
    const given = one({ whenPoor: 'rewrite', poorWhen: 'any-irrelevant' })
    expect(openIds(after(given, found('1.1', ['p1', 'p2']), graded('1.1', { p1: good, p2: bad })))).toEqual([
      'research.1.2',
    ])
    expect(openIds(after(given, found('1.1', ['p1']), graded('1.1', { p1: good }, 'ambiguous')))).toEqual([
      'research.1.2',
    ])
    expect(openIds(after(given, found('1.1', ['p1']), graded('1.1', { p1: good })))).toEqual(['generate.1'])
  })

  it('is judged by the passages of the latest try; earlier failures do not fail again', () => {
    const poor = after(
      one({ whenPoor: 'rewrite', poorWhen: 'any-irrelevant' }),
      found('1.1', ['p1', 'p2']),
      graded('1.1', { p1: good, p2: bad }),
    )
    expect(openIds(after(poor, found('1.2', ['p3']), graded('1.2', { p3: good })))).toEqual(['generate.1'])
  })

  it('is not graded twice, and a try that found only known passages ends the rewrites', () => {
    const same = (fields: Partial<Policy>, ask?: Partial<StartAsk>) =>
      after(one(fields, ask), found('1.1', ['p1']), graded('1.1', { p1: bad }), found('1.2', ['p1']))
    const given = same({ whenPoor: 'rewrite', maxRewrites: 2 })
    expect(given.run).toMatchObject({ reason: 'unanswered.all-irrelevant', spent: { rewrites: 1 } })
    expect(given.run.steps[0]).toMatchObject({ exhausted: true, queries: ['query 1.1', 'query 1.2'] })
    expect(openTask(same({ whenPoor: 'rewrite-then-web' }, { webOn: true }), 'research').source).toBe('web')
    const other = after(one({ maxRewrites: 2 }), found('1.1', ['p1']), graded('1.1', { p1: bad }), nothing('1.2'))
    expect(openIds(other)).toEqual(['research.1.3'])
  })

  it('is only outdated or low-authority passages: they are searched again, and used if nothing better is found', () => {
    const alone = (grade: Partial<Grade>) =>
      after(
        one({ whenPoor: 'rewrite', maxRewrites: 1 }),
        found('1.1', ['p1']),
        graded('1.1', { p1: { ...good, ...grade } }),
      )
    expect(openTask(alone({ outdated: true }), 'research').failed?.reason).toBe(
      'All passages that passed are outdated.',
    )
    expect(openTask(alone({ authority: 'low' }), 'research').failed?.reason).toBe(
      'All passages that passed come from sources of little authority.',
    )
    expect(openIds(after(alone({ outdated: true }), nothing('1.2')))).toEqual(['generate.1'])
    expect(openIds(alone({ authority: 'medium' }))).toEqual(['generate.1'])
  })

  it('unites the passages of all tries, or replaces those that failed', () => {
    const tried = (keepEvidence: Policy['keepEvidence']) => {
      const given = after(
        one({ whenPoor: 'rewrite', minRelevant: 2, maxRewrites: 1, keepEvidence }),
        found('1.1', ['p1', 'p2', 'p3']),
        graded('1.1', { p1: good, p2: bad, p3: bad }),
      )
      return after(given, found('1.2', ['p1', 'p2', 'p4']))
    }
    const idsOf = ({ run }: RunState) => run.steps[0]?.evidence.map(({ id }) => id)
    expect(openTask(tried('unite'), 'grade-evidence').passageIds).toEqual(['p4'])
    expect(idsOf(tried('unite'))).toEqual(['p1', 'p2', 'p3', 'p4'])
    expect(openTask(tried('replace'), 'grade-evidence').passageIds).toEqual(['p2', 'p4'])
    expect(idsOf(tried('replace'))).toEqual(['p1', 'p2', 'p4'])
  })

  it('keeps its passages if a later try finds nothing, even if tries replace each other', () => {
    const given = after(
      one({ whenPoor: 'rewrite', minRelevant: 2, maxRewrites: 1, keepEvidence: 'replace' }),
      found('1.1', ['p1']),
      graded('1.1', { p1: good }),
      nothing('1.2'),
    )
    expect(evidenceFor(given.run, openTask(given, 'generate'))).toEqual(['p1'])
  })

  it('collects the strategies and queries of all tries', () => {
    const given = after(
      one({ whenPoor: 'rewrite' }),
      nothing('1.1', { strategy: 'expand-terms' }),
      nothing('1.2', { strategy: 'narrow-focus' }),
    )
    expect(given.run.steps[0]).toMatchObject({
      queries: ['query 1.1', 'query 1.2'],
      strategies: ['expand-terms', 'narrow-focus'],
      try: 3,
    })
  })
})

describe('web search as a retry', () => {
  const webOn = { webOn: true }

  it('comes after the rewrites or at once, as the policy says', () => {
    const then = after(one({ whenPoor: 'rewrite-then-web', maxRewrites: 1 }, webOn), nothing('1.1'))
    expect(openTask(then, 'research')).toMatchObject({ id: 'research.1.2', source: 'index' })
    const web = after(then, nothing('1.2'))
    expect(openTask(web, 'research')).toMatchObject({ id: 'research.1.3', source: 'web' })
    expect(web.run.spent).toMatchObject({ rewrites: 1, webSearches: 1 })
    expect(openTask(after(one({ whenPoor: 'web' }, webOn), nothing('1.1')), 'research')).toMatchObject({
      source: 'web',
    })
  })

  it('does not repeat the same words', () => {
    const twice = (webQuery: Policy['webQuery']) =>
      openIds(
        after(
          one({ whenPoor: 'web', maxWebSearches: 2, webQuery }, webOn),
          nothing('1.1'),
          nothing('1.2', { source: 'web' }),
        ),
      )
    expect(twice('question')).toEqual([])
    expect(twice('rewritten')).toEqual(['research.1.3'])
  })

  it('stays unused when its counter is spent', () => {
    expect(after(one({ whenPoor: 'web', maxWebSearches: 0 }, webOn), nothing('1.1')).run.reason).toBe(
      'unanswered.nothing-found',
    )
  })

  it('follows the policy if web search is off', () => {
    const off = (noWeb: Policy['noWeb']) =>
      after(planning({ whenPoor: 'web', noWeb }), planned('a', 'b'), nothing('1.1'), nothing('2.1'))
    expect(off('go-on').run.reason).toBe('unanswered.nothing-found')
    expect(off('decline').run).toMatchObject({
      status: 'declined',
      reason: 'declined.no-web',
      answer: { text: expect.stringContaining('web search is off') },
    })
    expect(off('unanswered').run).toMatchObject({ status: 'unanswered', reason: 'unanswered.no-web' })
    expect(off('decline').events.filter(({ type }) => type === 'ended')).toHaveLength(1)
  })
})

describe('counters and budgets shared by siblings', () => {
  it('shared counters have one limit together', () => {
    const given = after(
      planning({ whenPoor: 'rewrite', counters: 'shared', maxShared: 2 }),
      planned('a', 'b', 'c'),
      nothing('1.1'),
      nothing('2.1'),
      nothing('3.1'),
    )
    expect(openIds(given)).toEqual(['research.1.2', 'research.2.2'])
    expect(given.events.filter(({ type }) => type === 'counter-spent')).toMatchObject([{ left: 1 }, { left: 0 }])
  })

  it('a shared counter keeps its own limit too', () => {
    const given = after(
      planning({ whenPoor: 'rewrite', counters: 'shared', maxShared: 5, maxRewrites: 1 }),
      planned('a', 'b'),
      nothing('1.1'),
      nothing('2.1'),
    )
    expect(openIds(given)).toEqual(['research.1.2'])
  })

  it('no retry uses up the moves of a waiting step, of a sibling, or of the draft and its check', () => {
    const poor = (at: string) => [found(at, [`p${at}`]), graded(at, { [`p${at}`]: bad })]
    // Of 11 moves, the plan took 1 and two steps took 4. The waiting step and the draft take 2 each, which leaves 2
    // for one retry.
    const given = after(
      planning({ maxMoves: 11, whenPoor: 'rewrite' }),
      planned('a', 'b', ['c', 1]),
      ...poor('1.1'),
      ...poor('2.1'),
    )
    expect(openIds(given)).toEqual(['research.1.2'])
    const next = after(given, ...poor('1.2'))
    expect(openIds(next)).toEqual(['research.3.1'])
    expect(openIds(after(next, found('3.1', ['p9']), graded('3.1', { p9: good })))).toEqual(['generate.1'])
  })

  it('opens no retry and no draft once the money is spent', () => {
    const usage = { calls: 1, tokensIn: 0, tokensOut: 0, cents: 3 }
    const { run } = after(one({ maxCents: 2 }), { ...nothing('1.1'), ...costing(usage) })
    expect(run).toMatchObject({ status: 'unanswered', reason: 'unanswered.budget', spent: { rewrites: 0 } })
  })
})

describe('no evidence at all', () => {
  it.each([
    [1, '1 document is still being read.'],
    [3, '3 documents are still being read.'],
  ])('reports how many documents are still being read: %i', (beingRead, words) => {
    const none = [nothing('1.1', { beingRead }), nothing('2.1', { beingRead: 1 })]
    const { run } = after(planning({ whenPoor: 'go-on' }), planned('a', 'b'), ...none)
    expect(run.answer?.text).toContain(
      `“How heavy is Mars?” in these documents. ${words} Ask again when that is done. Searched in`,
    )
  })

  it('does not report documents that were read before the last search', () => {
    const { run } = after(
      one({ whenPoor: 'rewrite', maxRewrites: 1 }),
      nothing('1.1', { beingRead: 2 }),
      nothing('1.2'),
    )
    expect(run.answer?.text).toMatch(/^I found nothing about “How heavy is Mars\?” in these documents\. Searched in/)
    const unasked = after(
      one({ whenPoor: 'rewrite', maxRewrites: 1 }),
      nothing('1.1', { beingRead: 2 }),
      nothing('1.2', { queries: [] }),
    )
    expect(unasked.run.answer?.text).toContain('2 documents are still being read.')
  })

  it('opens no draft: the run ends with a list of what was searched', () => {
    const { run } = after(planning({ whenPoor: 'go-on' }), planned('a', 'b'), nothing('1.1'), nothing('2.1'))
    expect(run).toMatchObject({ status: 'unanswered', reason: 'unanswered.nothing-found' })
    expect(run.answer).toEqual({
      kind: 'written',
      text: 'I found nothing about “How heavy is Mars?” in these documents. Searched in planets, memory with 2 queries.',
      citations: [],
    })
  })

  it('differs from evidence about something else, which the run reports with the nearest passages', () => {
    const { run } = after(
      planning({ whenPoor: 'go-on' }, { collections: [] }),
      planned('a', 'b'),
      found('1.1', ['p1', 'p2']),
      graded('1.1', { p1: { ...bad, sensitive: true }, p2: bad }),
      found('2.1', ['p3', 'p2', 'p4', 'p5']),
      graded('2.1', { p3: bad, p2: bad, p4: bad, p5: bad }),
    )
    expect(run).toMatchObject({ status: 'unanswered', reason: 'unanswered.all-irrelevant' })
    expect(run.answer?.text).toMatch(/^I found passages for .+ about something else\. Searched with 2 queries\.$/)
    expect(run.answer?.nearest).toEqual(['p2', 'p3', 'p4'])
  })

  it('does not end the run if another step has evidence', () => {
    const given = after(
      planning({ whenPoor: 'go-on' }),
      planned('a', 'b'),
      nothing('1.1'),
      found('2.1', ['p2']),
      graded('2.1', { p2: good }),
    )
    expect(openIds(given)).toEqual(['generate.1'])
    expect(passage('p2').id).toBe(evidenceFor(given.run, openTask(given, 'generate'))[0])
  })
})
