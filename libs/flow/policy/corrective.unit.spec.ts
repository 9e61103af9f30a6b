import { describe, expect, it } from 'vitest'
import { evidenceFor } from '..'
import { questionOf } from '../schema/run'
import {
  admitted,
  after,
  asking,
  bad,
  checked,
  claim,
  drafted,
  found,
  good,
  notes,
  nothing,
  openIds,
  openTask,
  replied,
  routed,
  taken,
  triedWith,
  ungrounded,
} from '../spec/run-fixtures.spec'
import { adaptive, corrective, selfRag } from './presets'

const webOn = { webOn: true }
const low = { ...good, level: 'low' } as const
const written = () => after(taken(corrective, webOn), ...triedWith('1.1', { p1: good }), drafted(1))

describe('corrective', () => {
  it('starts with the search; all correct → written from strips of what was found', () => {
    const given = taken(corrective, webOn)
    expect(openIds(given)).toEqual(['research.1.1'])
    expect(openIds(after(given, ...triedWith('1.1', { p1: good })))).toEqual(['generate.1'])
    expect(corrective.refineEvidence).toBe('on')
  })

  it.each([
    ['incorrect', { p1: bad, p2: bad }],
    ['ambiguous', { p1: low }],
    ['one irrelevant', { p1: good, p2: bad }],
  ])('%s → rewritten for the web → written, the web ungraded', (_, grades) => {
    const given = after(taken(corrective, webOn), ...triedWith('1.1', grades))
    expect(openTask(given, 'research')).toMatchObject({ source: 'web', failed: { queries: ['query 1.1'] } })
    expect(corrective.webQuery).toBe('rewritten')
    expect(openIds(after(given, found('1.2', ['w1'], { source: 'web' })))).toEqual(['generate.1'])
  })

  it('keeps what was relevant beside the web', () => {
    const given = after(
      taken(corrective, webOn),
      ...triedWith('1.1', { p1: good, p2: bad }),
      found('1.2', ['w1'], { source: 'web' }),
    )
    expect(evidenceFor(given.run, openTask(given, 'generate'))).toEqual(['p1', 'w1'])
  })

  it('without web search, uses the relevant passages with a note, and ends if there are none', () => {
    const some = after(taken(corrective), ...triedWith('1.1', { p1: good, p2: bad }))
    expect([openIds(some), notes(some)]).toEqual([
      ['generate.1'],
      ['Web search is off, so step 1 is not searched there.'],
    ])
    expect(after(taken(corrective), ...triedWith('1.1', { p1: bad })).run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.no-web',
      answer: { text: expect.stringContaining('and web search is off. Searched in planets, memory with 1 query.') },
    })
  })

  it('the web finds nothing either → ends with what was tried', () =>
    expect(after(taken(corrective, webOn), nothing('1.1'), nothing('1.2', { source: 'web' })).run.reason).toBe(
      'unanswered.nothing-found',
    ))

  it('is checked, unlike in its source: ungrounded → written again once → parked', () => {
    const again = after(written(), ungrounded(1))
    expect(openIds(again)).toEqual(['generate.2'])
    expect(after(again, drafted(2), ungrounded(2)).run).toMatchObject({ status: 'parked', reason: 'parked.ungrounded' })
    expect(after(again, drafted(2), checked(2)).run.reason).toBe('answered.checked')
  })

  it('not useful → released as incomplete', () =>
    expect(after(written(), checked(1, { usefulness: 1 })).run.reason).toBe('answered.incomplete'))
})

const web = routed({ outcome: 'web', logic: 'Nothing here is about the NFL in 2025.' })
const writtenAdaptive = () => after(taken(adaptive, webOn), ...triedWith('1.1', { p1: good }), drafted(1))

describe('adaptive', () => {
  it('routes described topics to the documents: k 4, no plan, all relevant → written in three sentences', () => {
    const given = taken(adaptive, webOn)
    expect(openIds(given)).toEqual(['research.1.1'])
    expect(adaptive).toMatchObject({
      routing: 'index-or-web',
      queriesPerStep: 0,
      perQuery: 4,
      maxSentences: 3,
      webResults: 3,
    })
    expect(openIds(after(given, ...triedWith('1.1', { p1: good, p2: good })))).toEqual(['generate.1'])
  })

  it('routes everything else to the web: the raw question, ungraded', () => {
    const given = after(
      asking(adaptive, { ...webOn, question: 'Whom did the Bears draft first in the NFL draft?' }),
      admitted,
      web,
    )
    expect(openTask(given, 'research')).toMatchObject({ source: 'web' })
    expect(openTask(given, 'research').failed).toBeUndefined()
    expect(openIds(after(given, found('1.1', ['w1'], { source: 'web' })))).toEqual(['generate.1'])
    expect(adaptive.webQuery).toBe('question')
  })

  it('without web search, ends a question for the web by the policy and says so', () => {
    const { run } = after(asking(adaptive, { question: 'Who wins the NFL in 2025?' }), admitted, web)
    expect(run).toMatchObject({
      status: 'declined',
      reason: 'declined.no-web',
      route: { to: 'web', logic: expect.stringContaining('Web search is off.') },
    })
  })

  it('any irrelevant passage → keeps the relevant ones and adds the web', () => {
    const given = after(taken(adaptive, webOn), ...triedWith('1.1', { p1: good, p2: bad }))
    expect(openTask(given, 'research')).toMatchObject({ id: 'research.1.2', source: 'web' })
    const joined = after(given, found('1.2', ['w1'], { source: 'web' }))
    expect(evidenceFor(joined.run, openTask(joined, 'generate'))).toEqual(['p1', 'w1'])
  })

  it('without web search, uses the relevant passages and says so, and ends only if there are none', () => {
    const some = after(taken(adaptive), ...triedWith('1.1', { p1: good, p2: bad }))
    expect(openIds(some)).toEqual(['generate.1'])
    expect(notes(some)).toEqual(['Web search is off, so step 1 is not searched there.'])
    const none = after(taken(adaptive), ...triedWith('1.1', { p1: bad }))
    expect(none.run).toMatchObject({ status: 'declined', reason: 'declined.no-web' })
    expect(notes(none)).toHaveLength(1)
  })

  it('grounded but not useful → the web → written again', () => {
    const searching = after(writtenAdaptive(), checked(1, { usefulness: 2 }))
    expect(openTask(searching, 'research')).toMatchObject({ source: 'web' })
    expect(after(searching, found('1.2', ['w1'], { source: 'web' }), drafted(2), checked(2)).run.reason).toBe(
      'answered.checked',
    )
  })

  it('ungrounded → regenerated; one counter for all retries; spent → releases the last draft with a mark', () => {
    const third = after(
      writtenAdaptive(),
      ungrounded(1),
      drafted(2),
      checked(2, { usefulness: 1 }),
      found('1.2', ['w1'], { source: 'web' }),
      drafted(3),
      ungrounded(3),
    )
    expect(third.run.spent).toMatchObject({ regenerations: 2, webSearches: 1 })
    const { run } = after(third, drafted(4), ungrounded(4))
    expect(run).toMatchObject({
      status: 'answered',
      reason: 'answered.marked',
      answer: { text: 'Draft 4 [1].', caveat: expect.stringContaining('Not every statement') },
    })
  })

  it('does not count a web search for poor evidence as one of the three retries', () => {
    const joined = after(
      taken(adaptive, webOn),
      ...triedWith('1.1', { p1: good, p2: bad }),
      found('1.2', ['w1'], { source: 'web' }),
    )
    expect(joined.run.spent).toMatchObject({ webSearches: 1, apart: 1 })
    const third = after(joined, drafted(1), ungrounded(1), drafted(2), ungrounded(2), drafted(3), ungrounded(3))
    expect(openIds(third)).toEqual(['generate.4'])
    expect(third.events.findLast(({ type }) => type === 'counter-spent')).toMatchObject({ left: 0 })
    expect(after(third, drafted(4), ungrounded(4)).run.reason).toBe('answered.marked')
  })

  it('is parked instead if the tenant may not release unchecked answers', () => {
    const spent = after(
      taken({ ...adaptive, whenSpent: 'park', maxShared: 0 }),
      ...triedWith('1.1', { p1: good }),
      drafted(1),
      ungrounded(1),
    )
    expect(spent.run).toMatchObject({ status: 'parked', reason: 'parked.ungrounded' })
  })
})

const two = { p1: good, p2: good }
const writtenSelfRag = () => after(taken(selfRag, webOn), ...triedWith('1.1', two), drafted(1))

describe('self-rag', () => {
  it('a technical comparison: two relevant passages → written from the documents', () =>
    expect(openIds(after(taken(selfRag, webOn), ...triedWith('1.1', { ...two, p3: bad })))).toEqual(['generate.1']))

  it('a recent event: fewer than two relevant → the web, ungraded, beside what was relevant', () => {
    const given = after(taken(selfRag, webOn), ...triedWith('1.1', { p1: good, p2: bad }))
    expect(openTask(given, 'research')).toMatchObject({ source: 'web' })
    const joined = after(given, found('1.2', ['w1'], { source: 'web' }))
    expect(evidenceFor(joined.run, openTask(joined, 'generate'))).toEqual(['p1', 'w1'])
  })

  it('a misleading claim: the draft that repeats it is contradicted → regenerated, corrected with its source', () => {
    const again = after(
      writtenSelfRag(),
      ungrounded(1, claim('contradicted', { text: 'Mars has four moons.', passageId: 'p1' })),
    )
    expect(openTask(again, 'generate')).toMatchObject({
      avoid: [{ text: 'Mars has four moons.', verdict: 'contradicted' }],
    })
    expect(after(again, drafted(2), checked(2)).run.reason).toBe('answered.checked')
  })

  it('not useful → the web, with other words each time', () => {
    const first = after(writtenSelfRag(), checked(1, { usefulness: 2 }))
    expect(openTask(first, 'research')).toMatchObject({ source: 'web' })
    const second = after(first, found('1.2', ['w1'], { source: 'web' }), drafted(2), checked(2, { usefulness: 2 }))
    expect(openTask(second, 'research')).toMatchObject({ id: 'research.1.3', source: 'web' })
    expect(selfRag.webQuery).toBe('rewritten')
  })

  it('allows three retries in total, then parks', () => {
    const spent = after(
      writtenSelfRag(),
      ungrounded(1),
      drafted(2),
      checked(2, { usefulness: 1 }),
      found('1.2', ['w1'], { source: 'web' }),
      drafted(3),
      ungrounded(3),
      drafted(4),
      ungrounded(4),
    )
    expect(spent.run).toMatchObject({
      status: 'parked',
      reason: 'parked.ungrounded',
      spent: { regenerations: 2, webSearches: 1 },
    })
  })

  it('does not count the first web search as a retry, and does not repeat one that finds nothing', () => {
    const poor = after(taken(selfRag, webOn), ...triedWith('1.1', { p1: good, p2: bad }))
    expect(poor.run.spent).toMatchObject({ webSearches: 1, apart: 1 })
    const nothingThere = after(poor, nothing('1.2', { source: 'web' }))
    expect(openIds(nothingThere)).toEqual(['generate.1'])
    const third = after(
      nothingThere,
      ...[drafted(1), ungrounded(1), drafted(2), ungrounded(2), drafted(3), ungrounded(3)],
    )
    expect(openIds(third)).toEqual(['generate.4'])
    expect(after(third, drafted(4), ungrounded(4)).run).toMatchObject({ status: 'parked', spent: { regenerations: 3 } })
  })

  it('an ambiguous ask: the checked general answer and one question; the reply to it is a new question', () => {
    const asks = after(writtenSelfRag(), checked(1, { tooBroad: true }))
    expect(openTask(asks, 'reply')).toMatchObject({ to: 'narrow' })
    const { run } = after(asks, replied('Which planet do you mean?'))
    expect(run).toMatchObject({
      status: 'needs_input',
      reason: 'needs_input.too-broad',
      answer: { text: 'Draft 1 [1].', question: 'Which planet do you mean?' },
    })
    const inThread = {
      runId: run.id,
      status: run.status,
      question: questionOf(run),
      text: 'Draft 1 [1].',
      passageIds: ['p1'],
    }
    const whole = routed({ outcome: 'research', logic: '', collections: [], question: 'How heavy is Mars?' })
    const next = after(asking(selfRag, { question: 'Mars.', inThread }), admitted, whole)
    expect(next.run.steps).toMatchObject([{ question: 'How heavy is Mars?' }])
  })

  it('without web search, uses the one relevant passage with a note, and ends if there is none', () => {
    const one = after(taken(selfRag), ...triedWith('1.1', { p1: good, p2: bad }))
    expect([openIds(one), notes(one)]).toEqual([
      ['generate.1'],
      ['Web search is off, so step 1 is not searched there.'],
    ])
    expect(after(taken(selfRag), nothing('1.1')).run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.no-web',
    })
  })
})
