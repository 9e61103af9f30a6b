import { describe, expect, it } from 'vitest'
import { advance, evidenceFor } from '..'
import { newJobs, openJobs } from '../machine/jobs'
import type { RunState } from '../spec/run-fixtures.spec'
import {
  admitted,
  after,
  asking,
  bad,
  checked,
  checking,
  claim,
  costing,
  decided,
  drafted,
  found,
  good,
  gradedLate,
  movedBy,
  nothing,
  openIds,
  openTask,
  planned,
  replied,
  reportOf,
  routed,
  toResearch,
  triedWith,
  ungrounded,
} from '../spec/run-fixtures.spec'
import type { Policy } from './policy'
import { auto, simple } from './presets'
import { standard } from './standard'

const at = (...steps: string[]) => after(asking(standard), admitted, toResearch, planned(...steps))
const written = () => after(at('a'), found('1.1', ['p1']), drafted(1))
/** The policy `auto`, but with grading before the draft, so that a retry immediately follows a failed check. */
const gradingFirst: Policy = { ...auto, gradeEvidence: 'first' }

describe('standard', () => {
  it('routes: in scope to a plan, out of scope to a decline, too vague to a question back', () => {
    expect(openIds(after(asking(standard), admitted, toResearch))).toEqual(['plan'])
    const weather = after(
      asking(standard, { question: 'What is the weather in Altamura?' }),
      admitted,
      routed({ outcome: 'decline', logic: 'The weather.' }),
      replied('I can only answer from the documents.'),
    )
    expect(weather.run).toMatchObject({
      status: 'declined',
      reason: 'declined.out-of-scope',
      answer: { text: 'I can only answer from the documents.' },
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

  it('plans only complex questions', () => {
    const simple = routed({ outcome: 'research', logic: 'One fact.', collections: ['planets'], simple: true })
    expect(openIds(after(asking(standard), admitted, simple))).toEqual(['research.1.1'])
  })

  it('researches steps in parallel and merges their evidence', () => {
    const given = after(at('a', 'b'), found('2.1', ['p2']), found('1.1', ['p1', 'p2']))
    expect(evidenceFor(given.run, openTask(given, 'generate'))).toEqual(['p1', 'p2'])
  })

  it('all evidence irrelevant → rewritten with the failures → found', () => {
    const grading = after(at('a'), found('1.1', ['p1', 'p2']), drafted(1), ungrounded(1))
    expect(openIds(grading)).toEqual(['grade-evidence.1.draft-1'])
    const rewriting = after(grading, gradedLate(1, 1, { p1: bad, p2: bad }))
    expect(openTask(rewriting, 'research')).toMatchObject({
      try: 2,
      source: 'index',
      failed: { passageIds: ['p1', 'p2'] },
    })
    expect(openIds(after(rewriting, ...triedWith('1.2', { p3: good })))).toEqual(['generate.2'])
  })

  it('rewrites spent → the web, if it is on', () => {
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
    const again = after(written(), ungrounded(1), gradedLate(1, 1, { p1: good }))
    expect(openTask(again, 'generate')).toMatchObject({ id: 'generate.2', keep: ['A supported claim.'] })
    const targeted = after(again, drafted(2), ungrounded(2))
    expect(openTask(targeted, 'research')).toMatchObject({ failed: { reason: 'Not supported: A unsupported claim.' } })
    const held = after(targeted, ...triedWith('1.2', { p2: good }), drafted(3), ungrounded(3))
    expect(held.run).toMatchObject({ status: 'parked', reason: 'parked.ungrounded' })
  })

  it('says what the documents do not state, and makes nothing up', () => {
    const absent = {
      claims: [claim('supported')],
      parts: [{ what: 'What did Dublin report for 2019?', outcome: 'not-in-documents' as const }],
    }
    expect(after(written(), checked(1, absent), gradedLate(1, 1, { p1: good })).run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.not-in-documents',
    })
  })
})

const writtenSimple = () =>
  after(asking(simple, { question: 'What are the business hours?' }), admitted, found('1.1', ['p1']), drafted(1))

describe('simple', () => {
  it('is one pass: search, write, check', () => {
    const { run } = after(writtenSimple(), checked(1))
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked', spent: { moves: 3 } })
    expect(Object.keys(run.closed)).toEqual(['admit', 'research.1.1', 'generate.1', 'grade-answer.1'])
    expect(simple.queriesPerStep).toBe(0)
  })

  it('ungrounded → held at once', () =>
    expect(after(writtenSimple(), ungrounded(1)).run).toMatchObject({
      status: 'parked',
      reason: 'parked.ungrounded',
      spent: { regenerations: 0 },
    }))

  it('not useful → released as incomplete', () =>
    expect(after(writtenSimple(), checked(1, { usefulness: 1 })).run).toMatchObject({
      status: 'answered',
      reason: 'answered.incomplete',
    }))

  it('nothing found → lists what was searched, without a model', () => {
    const none = after(asking(simple), admitted, nothing('1.1'))
    expect(openIds(none)).toEqual([])
    expect(none.run).toMatchObject({ status: 'unanswered', reason: 'unanswered.nothing-found', spent: { moves: 1 } })
  })
})

const minute = 60_000
const researching = (simple: boolean) =>
  after(asking(auto), admitted, routed({ outcome: 'research', logic: 'l', collections: ['planets'], simple }))
const later = ({ run, events }: RunState, said: Parameters<typeof reportOf>[1], ms: number): RunState => {
  const next = movedBy(advance(run, reportOf(run, said, run.createdAt + ms)))
  return { ...next, events: [...events, ...next.events] }
}
const dear = costing({ calls: 1, tokensIn: 1, tokensOut: 1, cents: 90 })

describe('auto', () => {
  it('depth by complexity: a simple question gets no plan and one rewrite; any other is planned', () => {
    expect(openIds(researching(false))).toEqual(['plan'])
    const simple = after(researching(true), nothing('1.1'))
    expect(openIds(simple)).toEqual(['research.1.2'])
    expect(openIds(after(simple, nothing('1.2')))).toEqual([])
    expect(simple.events.find(({ type }) => type === 'counter-spent')).toMatchObject({ left: 0 })
  })

  it('depth by deadline: opens no retry that the remaining time does not cover, going by earlier tries', () => {
    // The limit is ten minutes. If the first try takes three, seven are left, and another try and its draft take six.
    // If the first try takes four, six are left, and another try and its draft take eight.
    expect(openIds(later(researching(true), nothing('1.1'), 3 * minute))).toEqual(['research.1.2'])
    expect(openIds(later(researching(true), nothing('1.1'), 4 * minute))).toEqual([])
    const held = later(checking(gradingFirst), ungrounded(1), 8 * minute)
    expect(held.run).toMatchObject({ status: 'parked', spent: { regenerations: 0 } })
  })

  it('depth by price: does the same with the money', () => {
    expect(openIds(after(researching(true), { ...nothing('1.1'), ...dear }))).toEqual([])
    expect(openIds(after(checking(gradingFirst), { ...ungrounded(1), ...dear }))).toEqual(['generate.2'])
    expect(
      after(checking(gradingFirst), {
        ...ungrounded(1),
        ...costing({ calls: 1, tokensIn: 1, tokensOut: 1, cents: 150 }),
      }).run.status,
    ).toBe('parked')
  })

  it('restarts the time when a person sends a draft back', () => {
    const held = later(checking(gradingFirst), ungrounded(1), 9 * minute)
    const again = after(held, decided(1, { outcome: 'retry' }))
    expect(again.run.deadlineAt - (again.run.movedAt ?? 0)).toBe(auto.deadlineMs)
    const redrafted = after(again, {
      taskId: 'generate.2',
      kind: 'generate',
      result: { outcome: 'drafted', text: 'D.', citations: [] },
    })
    expect(openIds(after(redrafted, ungrounded(2)))).toEqual(['generate.3'])
  })
})

describe('the standard path', () => {
  it('goes from the question to a checked answer', () => {
    const asked = asking(standard)
    expect(asked.run.status).toBe('queued')
    expect(openJobs(asked.run)).toEqual([])

    const routing = after(asked, admitted)
    expect(openJobs(routing.run)).toEqual([
      { queue: 'router', jobId: `${asked.run.id}.route`, data: { runId: asked.run.id, taskId: 'route' } },
    ])
    const researching = after(routing, toResearch, planned('How heavy is Mars?', 'How heavy is Venus?'))
    expect(openIds(researching)).toEqual(['research.1.1', 'research.2.1'])

    const half = after(researching, found('2.1', ['p2']))
    expect(openIds(half)).toEqual(['research.1.1'])
    const writing = after(half, found('1.1', ['p1']))
    expect(newJobs(half.run, writing.run).map(({ queue }) => queue)).toEqual(['generator'])

    const { run } = after(writing, drafted(1), checked(1))
    expect(run).toMatchObject({
      status: 'answered',
      reason: 'answered.checked',
      open: [],
      answer: { text: 'Draft 1 [1].' },
    })
    expect(run.spent.moves).toBe(6)
  })
})
