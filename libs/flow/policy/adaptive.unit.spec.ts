import { describe, expect, it } from 'vitest'
import { evidenceFor } from '../machine'
import {
  admitted,
  after,
  asking,
  bad,
  checked,
  drafted,
  found,
  good,
  notes,
  openIds,
  openTask,
  routed,
  taken,
  triedWith,
  ungrounded,
} from '../spec/given.spec'
import { adaptive } from './adaptive'

const webOn = { webOn: true }
const web = routed({ outcome: 'web', logic: 'Nothing here is about the NFL in 2025.' })
const written = () => after(taken(adaptive, webOn), ...triedWith('1.1', { p1: good }), drafted(1))

describe('adaptive', () => {
  it('routes to the documents for what they describe: k 4, no plan, all relevant → written in three sentences', () => {
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

  it('routes to the web for all else: the raw question, ungraded', () => {
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

  it('without web search, what is for the web ends by the policy and says so', () => {
    const { run } = after(asking(adaptive, { question: 'Who wins the NFL in 2025?' }), admitted, web)
    expect(run).toMatchObject({
      status: 'declined',
      reason: 'declined.no-web',
      route: { to: 'web', logic: expect.stringContaining('Web search is off.') },
    })
  })

  it('any irrelevant passage → the relevant ones are kept and the web is joined to them', () => {
    const given = after(taken(adaptive, webOn), ...triedWith('1.1', { p1: good, p2: bad }))
    expect(openTask(given, 'research')).toMatchObject({ id: 'research.1.2', source: 'web' })
    const joined = after(given, found('1.2', ['w1'], { source: 'web' }))
    expect(evidenceFor(joined.run, openTask(joined, 'generate'))).toEqual(['p1', 'w1'])
  })

  it('without web search it goes on with the relevant ones and says so, and ends only where none is', () => {
    const some = after(taken(adaptive), ...triedWith('1.1', { p1: good, p2: bad }))
    expect(openIds(some)).toEqual(['generate.1'])
    expect(notes(some)).toEqual(['Web search is off: step 1 is not looked up there.'])
    const none = after(taken(adaptive), ...triedWith('1.1', { p1: bad }))
    expect(none.run).toMatchObject({ status: 'declined', reason: 'declined.no-web' })
    expect(notes(none)).toHaveLength(1)
  })

  it('grounded but not useful → the web → written anew', () => {
    const searching = after(written(), checked(1, { usefulness: 2 }))
    expect(openTask(searching, 'research')).toMatchObject({ source: 'web' })
    expect(after(searching, found('1.2', ['w1'], { source: 'web' }), drafted(2), checked(2)).run.reason).toBe(
      'answered.checked',
    )
  })

  it('ungrounded → regenerated; one counter for every retry; spent → the last draft goes out, marked', () => {
    const third = after(
      written(),
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

  it('a search of the web for poor evidence is none of the three retries', () => {
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

  it('is parked instead where a tenant lets nothing out unchecked', () => {
    const spent = after(
      taken({ ...adaptive, whenSpent: 'park', maxShared: 0 }),
      ...triedWith('1.1', { p1: good }),
      drafted(1),
      ungrounded(1),
    )
    expect(spent.run).toMatchObject({ status: 'parked', reason: 'parked.ungrounded' })
  })
})
