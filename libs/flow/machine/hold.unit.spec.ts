import { describe, expect, it } from 'vitest'
import { Run } from '../schema/run'
import {
  admitted,
  after,
  asking,
  checked,
  checking,
  decided,
  drafted,
  found,
  good,
  graded,
  movedBy,
  openTask,
  parked,
  passage,
  planned,
  quoted,
  routed,
  t0,
  writing,
} from '../spec/run-fixtures.spec'
import { storedParked } from '../spec/stored.spec'
import { end } from './advance'
import { hasWords } from './hold'
import { decisionsFor, parkedRow } from './review'

const everything = { hold: { reason: 'parked.tenant' } } as const
const minute = 60_000

describe('a rule of the tenant', () => {
  it('holds a grounded answer, and a person approves it at once', () => {
    const held = after(checking({}, everything), checked(1))
    expect(held.run).toMatchObject({ status: 'parked', reason: 'parked.tenant' })
    expect(held.run.answer).toBeUndefined()
    expect(decisionsFor(held.run)).toContain('approve')
    expect(parkedRow(held.run)).toMatchObject({ score: 1, risk: 0 })
    expect(after(held, decided(1, { outcome: 'approved' })).run).toMatchObject({
      status: 'answered',
      reason: 'answered.decided',
      answer: { text: 'Draft 1 [1].' },
    })
  })

  it('holds every way to an answer: quotes, incomplete, too broad, or nothing found', () => {
    const held = { status: 'parked', reason: 'parked.tenant' }
    expect(after(writing({}, everything), quoted(1, ['p1']), checked(1, { claims: [] })).run).toMatchObject(held)
    expect(after(checking({ whenNotUseful: 'release' }, everything), checked(1, { usefulness: 1 })).run).toMatchObject(
      held,
    )
    expect(after(checking({ whenTooBroad: 'ask' }, everything), checked(1, { tooBroad: true })).run).toMatchObject(held)
    const absent = checked(1, { parts: [{ what: 'How heavy is Mars?', outcome: 'not-in-documents' }] })
    expect(after(checking({}, everything), absent).run).toMatchObject(held)
    const known = routed({
      outcome: 'known',
      logic: 'Asked before.',
      from: { runId: 'r1', at: '2027-01-01T00:00:00.000Z' },
      text: 'Mars is light [1].',
      citations: [{ n: 1, passageId: 'p1' }],
      passages: [],
      check: {
        claims: [{ text: 'Mars is light.', kind: 'fact', verdict: 'supported', reason: '', passageId: 'p1' }],
        parts: [],
        support: 'full',
        confidence: 1,
        tooBroad: false,
      },
    })
    const again = after(asking({}, everything), admitted, known)
    expect(again.run).toMatchObject({ status: 'running', route: { to: 'research' } })
    expect(again.run.draft).toBeUndefined()
    expect(after(asking(), admitted, known).run).toMatchObject({ reason: 'answered.known' })
  })

  it('holds a rewritten draft again, for reviewers even if the policy lets the asker decide', () => {
    const held = after(checking({ decider: 'asker' }, everything), checked(1))
    expect(openTask(held, 'review').decider).toBe('reviewer')
    const again = after(held, decided(1, { outcome: 'retry' }), drafted(2), checked(2))
    expect(again.run).toMatchObject({ status: 'parked', reason: 'parked.tenant', draft: { draft: 2 } })
  })

  it('holds drafts from one collection, or questions with one word, and no others', () => {
    const reasonOf = (hold: Run['hold']) => after(checking({}, { hold }), checked(1)).run.reason
    expect(reasonOf({ collections: ['planets'] })).toBe('parked.collection')
    expect(reasonOf({ collections: ['memory'] })).toBe('answered.checked')
    expect(reasonOf({ words: ['mars'] })).toBe('parked.words')
    expect(reasonOf({ words: ['mar'] })).toBe('answered.checked')
    expect(reasonOf(undefined)).toBe('answered.checked')
  })

  it('gives the sample as the reason only if no other rule applies', () => {
    const sample = { reason: 'parked.sample' } as const
    const reasonOf = (hold: Run['hold']) => after(checking({}, { hold }), checked(1)).run.reason
    expect(reasonOf(sample)).toBe('parked.sample')
    expect(reasonOf({ ...sample, collections: ['memory'], words: ['venus'] })).toBe('parked.sample')
    expect(reasonOf({ ...sample, collections: ['planets'] })).toBe('parked.collection')
    expect(reasonOf({ ...sample, words: ['mars'] })).toBe('parked.words')
  })

  it('for a collection checks the passages shown to the draft, not all that were searched', () => {
    const both = routed({ outcome: 'research', logic: 'No collection is named.', collections: ['planets', 'memory'] })
    const written = (hold: Run['hold'], of: string) => {
      const passages = [{ ...passage('p1'), collection: of }]
      const begun = after(asking({}, { hold }), admitted, both, planned('How heavy is Mars?'))
      return after(begun, found('1.1', [], { passages }), graded('1.1', { p1: good }), drafted(1), checked(1)).run
    }
    expect(written({ collections: ['memory'] }, 'planets').reason).toBe('answered.checked')
    expect(written({ collections: ['memory'] }, 'memory').reason).toBe('parked.collection')
    expect(written({ collections: ['memory'] }, 'web').reason).toBe('answered.checked')
  })

  it('for a collection checks the searched ones if an older worker did not report the source of a passage', () => {
    const shown = checking({}, { hold: { collections: ['planets'] } })
    const steps = shown.run.steps.map((step) => ({
      ...step,
      evidence: step.evidence.map(({ collection: _, ...row }) => row),
    }))
    const held = after({ ...shown, run: { ...shown.run, steps } }, checked(1))
    expect(held.run.reason).toBe('parked.collection')
  })

  it('reads a run that was stored before rules existed', () => {
    const run = Run.parse(JSON.parse(storedParked))
    expect(run).toMatchObject({ status: 'parked' })
    expect([run.hold, run.deadline]).toEqual([undefined, undefined])
    expect(movedBy(end(run, { status: 'expired', by: 'sweeper', at: run.deadlineAt })).run.status).toBe('expired')
  })
})

describe('words in a question', () => {
  it('match whole words in sequence, ignoring case', () => {
    const asked = 'What is the Notice-Period for Zürich, please?'
    const has = (...words: string[]): boolean => hasWords(asked, words)
    expect([has('NOTICE period'), has('zürich'), has('for', 'x')]).toEqual([true, true, true])
    expect([has('not'), has('period notice'), has('zurich')]).toEqual([false, false, false])
    expect(hasWords('解雇の手続きは?', ['解雇'])).toBe(true)
  })
})

describe('the deadline of the rules', () => {
  const overdue = { status: 'expired', by: 'sweeper', at: t0 + 99 * minute } as const
  const heldWith = (deadline: Run['deadline']) => after(checking({}, { ...everything, deadline }), checked(1))

  it('starts when the draft is held', () => {
    const held = heldWith({ waitMs: 10 * minute, then: 'refuse' })
    const task = openTask(held, 'review')
    expect(task.dueAt - task.openedAt).toBe(10 * minute)
    expect(held.run.deadlineAt).toBe(task.dueAt)
    expect(movedBy(end(held.run, overdue)).run).toMatchObject({ status: 'expired', reason: 'expired.review-overdue' })
  })

  it('releases the draft with a caveat that says why', () => {
    const caveat = { waitMs: minute, then: 'caveat' } as const
    expect(movedBy(end(heldWith(caveat).run, overdue)).run).toMatchObject({
      reason: 'answered.review-overdue',
      answer: { caveat: expect.stringContaining('nobody has reviewed it') },
    })
    const { run } = parked()
    expect(movedBy(end({ ...run, deadline: caveat }, overdue)).run.answer?.caveat).toContain('did not pass its check')
  })

  it('escalates once: the same task waits again, marked and still open to decisions, and is declined afterwards', () => {
    const held = heldWith({ waitMs: minute, then: 'escalate', escalatedMs: 30 * minute })
    const { run, events } = movedBy(end(held.run, overdue))
    expect(run).toMatchObject({ status: 'parked', reason: 'parked.tenant', deadlineAt: overdue.at + 30 * minute })
    expect(run.open).toMatchObject([{ id: 'review.1', escalatedAt: overdue.at, dueAt: overdue.at + 30 * minute }])
    expect(events).toMatchObject([{ type: 'escalated', audience: 'desk', task: 'review.1', dueAt: run.deadlineAt }])
    expect(parkedRow(run)?.escalatedAt).toBe(overdue.at)
    const escalated = { run, events, evidence: [] }
    expect(after(escalated, decided(1, { outcome: 'approved' })).run.reason).toBe('answered.decided')
    expect(movedBy(end(run, { ...overdue, at: run.deadlineAt })).run.reason).toBe('expired.review-overdue')
    const again = movedBy(end(heldWith({ waitMs: minute, then: 'escalate' }).run, overdue))
    expect(again.run.deadlineAt).toBe(overdue.at + minute)
  })
})
