import { describe, expect, it } from 'vitest'
import { evidenceFor } from '../machine'
import {
  after,
  bad,
  checked,
  drafted,
  found,
  good,
  nothing,
  notes,
  openIds,
  openTask,
  taken,
  triedWith,
  ungrounded,
} from '../spec/given.spec'
import { corrective } from './corrective'

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

  it('without web search it goes on with what is relevant, with a note, and ends where nothing is', () => {
    const some = after(taken(corrective), ...triedWith('1.1', { p1: good, p2: bad }))
    expect([openIds(some), notes(some)]).toEqual([
      ['generate.1'],
      ['Web search is off: step 1 is not looked up there.'],
    ])
    expect(after(taken(corrective), ...triedWith('1.1', { p1: bad })).run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.no-web',
      answer: { text: expect.stringContaining('and web search is off. Searched in planets, memory with 1 query.') },
    })
  })

  it('the web finds nothing either → the end, with what was tried', () =>
    expect(after(taken(corrective, webOn), nothing('1.1'), nothing('1.2', { source: 'web' })).run.reason).toBe(
      'unanswered.nothing-found',
    ))

  it('is checked, as its source is not: ungrounded → written again once → parked', () => {
    const again = after(written(), ungrounded(1))
    expect(openIds(again)).toEqual(['generate.2'])
    expect(after(again, drafted(2), ungrounded(2)).run).toMatchObject({ status: 'parked', reason: 'parked.ungrounded' })
    expect(after(again, drafted(2), checked(2)).run.reason).toBe('answered.checked')
  })

  it('not useful → released as incomplete', () =>
    expect(after(written(), checked(1, { usefulness: 1 })).run.reason).toBe('answered.incomplete'))
})
