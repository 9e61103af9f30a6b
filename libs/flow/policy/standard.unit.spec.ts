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
  graded,
  nothing,
  openIds,
  openTask,
  planned,
  replied,
  routed,
  toResearch,
  triedWith,
  ungrounded,
} from '../spec/given.spec'
import { standard } from './standard'

const at = (...steps: string[]) => after(asking(standard), admitted, toResearch, planned(...steps))
const written = () => after(at('a'), ...triedWith('1.1', { p1: good }), drafted(1))

describe('standard', () => {
  it('routes: in scope to a plan, out of scope to a refusal, too vague to a question back', () => {
    expect(openIds(after(asking(standard), admitted, toResearch))).toEqual(['plan'])
    const weather = after(
      asking(standard, { question: 'What is the weather in Altamura?' }),
      admitted,
      routed({ outcome: 'decline', logic: 'The weather.' }),
      replied('I can only tell what stands in the documents.'),
    )
    expect(weather.run).toMatchObject({
      status: 'declined',
      reason: 'declined.out-of-scope',
      answer: { text: 'I can only tell what stands in the documents.' },
    })
    const vague = after(
      asking(standard),
      admitted,
      routed({ outcome: 'clarify', logic: 'For which year?' }),
      replied('For which year?'),
    )
    expect(vague.run).toMatchObject({ status: 'needs_input', reason: 'needs_input.clarify' })
  })

  it('reads up to nine passages a step, and fills eight where queries agree', () =>
    expect(standard).toMatchObject({ queriesPerStep: 2, perQuery: 3, atLeast: 8 }))

  it('plans only what is complex', () => {
    const simple = routed({ outcome: 'research', logic: 'One fact.', collections: ['planets'], simple: true })
    expect(openIds(after(asking(standard), admitted, simple))).toEqual(['research.1.1'])
  })

  it('researches steps in parallel and merges what they found', () => {
    const given = after(
      at('a', 'b'),
      found('2.1', ['p2']),
      found('1.1', ['p1', 'p2']),
      graded('2.1', { p2: good }),
      graded('1.1', { p1: good, p2: good }),
    )
    expect(evidenceFor(given.run, openTask(given, 'generate'))).toEqual(['p1', 'p2'])
  })

  it('all evidence irrelevant → rewritten with what failed → found', () => {
    const rewriting = after(at('a'), ...triedWith('1.1', { p1: bad, p2: bad }))
    expect(openTask(rewriting, 'research')).toMatchObject({
      try: 2,
      source: 'index',
      failed: { passageIds: ['p1', 'p2'] },
    })
    expect(openIds(after(rewriting, ...triedWith('1.2', { p3: good })))).toEqual(['generate.1'])
  })

  it('rewrites spent → the web, where it is on', () => {
    const spent = after(
      asking(standard, { webOn: true }),
      admitted,
      toResearch,
      planned('a'),
      nothing('1.1'),
      nothing('1.2'),
      nothing('1.3'),
      nothing('1.4'),
    )
    expect(openTask(spent, 'research')).toMatchObject({ id: 'research.1.5', source: 'web' })
  })

  it('ungrounded → written again → targeted research → parked', () => {
    const again = after(written(), ungrounded(1))
    expect(openTask(again, 'generate')).toMatchObject({ id: 'generate.2', keep: ['A supported claim.'] })
    const targeted = after(again, drafted(2), ungrounded(2))
    expect(openTask(targeted, 'research')).toMatchObject({ failed: { reason: 'Not supported: A unsupported claim.' } })
    const held = after(targeted, ...triedWith('1.2', { p2: good }), drafted(3), ungrounded(3))
    expect(held.run).toMatchObject({ status: 'parked', reason: 'parked.ungrounded' })
  })

  it('not in the documents is said, not made up', () => {
    const absent = {
      claims: [],
      parts: [{ what: 'What did Dublin report for 2019?', outcome: 'not-in-documents' as const }],
    }
    expect(after(written(), checked(1, absent)).run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.not-in-documents',
    })
  })
})
