import { describe, expect, it } from 'vitest'
import { decisionsFor, evidenceFor } from '../machine'
import {
  admitted,
  after,
  asking,
  checked,
  decided,
  drafted,
  found,
  nothing,
  openIds,
  openTask,
  planned,
  replied,
  routed,
  toResearch,
  ungrounded,
} from '../spec/given.spec'
import { research } from './research'
import { standard } from './standard'

const written = () =>
  after(
    asking(research),
    admitted,
    toResearch,
    planned('a', 'b'),
    found('1.1', ['p1']),
    found('2.1', ['p2']),
    drafted(1),
  )

describe('research', () => {
  it('routes three ways: in scope, more information wanted, general', () => {
    expect(openIds(after(asking(research), admitted, toResearch))).toEqual(['plan'])
    const vague = after(asking(research), admitted, routed({ outcome: 'clarify', logic: 'Which site?' }))
    expect(openTask(vague, 'reply')).toMatchObject({ to: 'clarify', logic: 'Which site?' })
    const hello = after(
      asking(research),
      admitted,
      routed({ outcome: 'reply', logic: 'A greeting.' }),
      replied('Hello.'),
    )
    expect(hello.run).toMatchObject({ status: 'answered', reason: 'answered.general' })
    const weather = after(
      asking(research),
      admitted,
      routed({ outcome: 'decline', logic: 'The weather in Altamura.' }),
      replied('I cannot tell the weather.'),
    )
    expect(weather.run.reason).toBe('declined.out-of-scope')
  })

  it('plans also what is simple, and searches with two written queries beside each step’s own', () => {
    const simple = routed({ outcome: 'research', logic: 'One fact.', collections: ['planets'], simple: true })
    expect(openIds(after(asking(research), admitted, simple))).toEqual(['plan'])
    expect(research).toMatchObject({ queriesPerStep: 2, perQuery: 2, atLeast: 0 })
  })

  it('merges two parallel steps, whichever comes first, and grades no evidence', () => {
    const given = after(asking(research), admitted, toResearch, planned('a', 'b'), found('2.1', ['p2', 'p3']))
    expect(openIds(given)).toEqual(['research.1.1'])
    const both = after(given, found('1.1', ['p1', 'p2']))
    expect(evidenceFor(both.run, openTask(both, 'generate'))).toEqual(['p1', 'p2', 'p3'])
  })

  it('a step that finds nothing is not tried again', () =>
    expect(
      openIds(after(asking(research), admitted, toResearch, planned('a', 'b'), nothing('1.1'), found('2.1', ['p2']))),
    ).toEqual(['generate.1']))

  it('ungrounded → who asked has only the generation tried again, or ends it', () => {
    const held = after(written(), ungrounded(1))
    expect(held.run).toMatchObject({ status: 'parked', reason: 'parked.ungrounded', open: [{ decider: 'asker' }] })
    expect(decisionsFor(held.run)).toEqual(['retry', 'reject'])
    const again = after(held, decided(1, { outcome: 'retry' }))
    expect(openIds(again)).toEqual(['generate.2'])
    expect(after(again, drafted(2), checked(2)).run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(after(held, decided(1, { outcome: 'rejected' })).run.status).toBe('rejected')
  })

  it('says what is not reported: Dublin 2019', () => {
    const absent = { claims: [], parts: [{ what: 'PUE of Dublin in 2019', outcome: 'not-in-documents' as const }] }
    expect(after(written(), checked(1, absent)).run.reason).toBe('unanswered.not-in-documents')
  })

  it('routes with its strong model and checks with its small one, the other way round than the rest', () => {
    expect([research.skills.route.tier, research.skills.check.tier]).toEqual(['strong', 'small'])
    expect([standard.skills.route.tier, standard.skills.check.tier]).toEqual(['small', 'strong'])
  })
})
