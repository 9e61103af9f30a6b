import { describe, expect, it } from 'vitest'
import type { Policy } from '../policy/policy'
import type { RunState } from '../spec/run-fixtures.spec'
import {
  admitted,
  after,
  asking,
  checked,
  checking,
  costing,
  decided,
  found,
  good,
  graded,
  movedBy,
  nothing,
  openIds,
  openTask,
  parked,
  planned,
  reportOf,
  routed,
  t0,
  toResearch,
  ungrounded,
  writing,
} from '../spec/run-fixtures.spec'
import { abandon, advance, end } from './advance'
import { evidenceFor } from './evidence'
import { newJobs, openJobs } from './jobs'

describe('advance', () => {
  it('is stale for a task that is closed, was never open, or has another kind', () => {
    const given = after(asking(), admitted, toResearch)
    expect(advance(given.run, reportOf(given.run, toResearch))).toEqual({ kind: 'stale' })
    expect(advance(given.run, reportOf(given.run, found('1.1', ['p1'])))).toEqual({ kind: 'stale' })
    expect(advance(given.run, reportOf(given.run, { ...toResearch, taskId: 'plan' }))).toEqual({ kind: 'stale' })
    const ended = after(checking(), checked(1))
    expect(advance(ended.run, reportOf(ended.run, checked(1)))).toEqual({ kind: 'stale' })
  })

  it('never changes the run that it received', () => {
    const { run } = after(asking(), admitted, toResearch)
    const before = structuredClone(run)
    advance(run, reportOf(run, planned('a', 'b')))
    expect(run).toStrictEqual(before)
  })

  it('adds up usage', () => {
    const usage = { calls: 1, tokensIn: 10, tokensOut: 5, cents: 0.1 }
    const { run } = after(
      asking(),
      admitted,
      { ...toResearch, ...costing(usage) },
      { ...planned('a'), ...costing({ ...usage, cents: 0.2 }) },
    )
    expect(run.usage).toEqual({ calls: 2, tokensIn: 20, tokensOut: 10, cents: 0.3 })
  })

  it('stamps every event with the report’s time and the task that reported', () => {
    const { events } = after(asking(), admitted, toResearch, planned('a', 'b'), found('1.1', ['p1']))
    expect(events.every(({ task }) => task !== undefined)).toBe(true)
    expect(events.map(({ at }) => at)).toEqual([t0, ...[2, 3, 3, 3, 4, 4].map((seconds) => t0 + seconds * 1_000)])
  })
})

describe('jobs', () => {
  it('are the same for the same run, hold only ids, and contain no colon', () => {
    const { run } = after(asking(), admitted, toResearch, planned('a', 'b'))
    const jobs = openJobs(run)
    expect(openJobs(structuredClone(run))).toEqual(jobs)
    expect(jobs).toEqual(
      [1, 2].map((step) => ({
        queue: 'researcher',
        jobId: `${run.id}.research.${step}.1`,
        data: { runId: run.id, taskId: `research.${step}.1` },
      })),
    )
    expect(jobs.some(({ jobId }) => jobId.includes(':'))).toBe(false)
  })

  it('counts a job as new only if its task was not open before', () => {
    const before = after(asking(), admitted, toResearch, planned('a', 'b'))
    const { run } = after(before, found('1.1', ['p1']))
    expect(newJobs(before.run, run).map(({ queue }) => queue)).toEqual(['grader'])
    expect(newJobs(null, run)).toEqual(openJobs(run))
  })
})

const at = t0 + 99_000

describe('end', () => {
  it('cancelled: closes every open task', () => {
    const given = after(asking({ entry: 'plan' }), admitted, planned('a', 'b'))
    const { run, events } = movedBy(end(given.run, { status: 'cancelled', by: 'asker', at }))
    expect(run).toMatchObject({ status: 'cancelled', reason: 'cancelled.asked', open: [], endedAt: at })
    expect(run.closed).toMatchObject({ 'research.1.1': 'cancelled', 'research.2.1': 'cancelled' })
    expect(openJobs(run)).toEqual([])
    expect(events).toEqual([
      { type: 'ended', audience: 'asker', at, status: 'cancelled', reason: 'cancelled.asked', by: 'asker' },
    ])
  })

  it('cancelled: a parked draft is not released', () => {
    const { run } = movedBy(end(parked({ whenParkedTooLong: 'caveat' }).run, { status: 'cancelled', by: 'asker', at }))
    expect(run.status).toBe('cancelled')
    expect(run.answer).toBeUndefined()
  })

  it('expired: ends a run whose deadline has passed', () => {
    const { run } = movedBy(end(checking().run, { status: 'expired', by: 'sweeper', at }))
    expect(run).toMatchObject({ status: 'expired', reason: 'expired.deadline' })
    expect(run.answer).toBeUndefined()
  })

  it('expired: declines a parked run, or releases it with a caveat, as its policy says', () => {
    const overdue = { status: 'expired', by: 'sweeper', at } as const
    const refused = movedBy(end(parked().run, overdue)).run
    expect(refused).toMatchObject({ status: 'expired', reason: 'expired.review-overdue' })
    expect(refused.answer).toBeUndefined()
    expect(movedBy(end(parked({ whenParkedTooLong: 'caveat' }).run, overdue)).run).toMatchObject({
      status: 'answered',
      reason: 'answered.review-overdue',
      answer: { text: 'Draft 1 [1].', caveat: expect.stringContaining('nobody has reviewed it') },
    })
  })

  it('overspent: leaves open tasks undone and releases nothing unchecked', () => {
    const given = after(asking({ entry: 'plan' }), admitted, planned('a', 'b'))
    const { run, events } = movedBy(end(given.run, { status: 'overspent', by: 'worker', at }))
    expect(run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.budget',
      open: [],
      closed: { 'research.1.1': 'overspent', 'research.2.1': 'overspent' },
    })
    expect(events[0]).toMatchObject({
      type: 'noted',
      audience: 'asker',
      note: expect.stringContaining('budget is used up'),
    })
    expect(movedBy(end(checking().run, { status: 'overspent', by: 'worker', at })).run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.budget',
    })
  })

  it('overspent: ends an ungrounded draft as the policy says, under an unused number', () => {
    const rewriting = after(checking(), ungrounded(1))
    const { run } = movedBy(end(rewriting.run, { status: 'overspent', by: 'worker', at }))
    expect(run).toMatchObject({
      status: 'parked',
      reason: 'parked.budget',
      draft: { draft: 2 },
      open: [{ id: 'review.2' }],
    })
    const augmenting = after(checking({ whenUngrounded: 'augment', whenSpent: 'caveat' }), ungrounded(1))
    expect(movedBy(end(augmenting.run, { status: 'overspent', by: 'worker', at })).run).toMatchObject({
      status: 'answered',
      reason: 'answered.with-caveat',
    })
  })

  it('overspent: releases a grounded draft as incomplete', () => {
    const better = after(checking(), checked(1, { usefulness: 1 }))
    expect(movedBy(end(better.run, { status: 'overspent', by: 'worker', at })).run).toMatchObject({
      status: 'answered',
      reason: 'answered.incomplete',
    })
  })

  it('overspent: keeps a parked run waiting for its reviewer', () =>
    expect(end(parked().run, { status: 'overspent', by: 'worker', at })).toEqual({ kind: 'stale' }))

  it('is stale for a run that has ended', () => {
    expect(end(after(checking(), checked(1)).run, { status: 'cancelled', by: 'asker', at })).toEqual({ kind: 'stale' })
  })
})

const without = (given: RunState, taskId: string): RunState =>
  movedBy(abandon(given.run, taskId, 'errors', (given.run.movedAt ?? 0) + 1_000))
const missed = checked(1, { parts: [{ what: 'How heavy is Mars?', outcome: 'missed' }] })

describe('abandon', () => {
  it('route: searches the documents', () => {
    const given = without(after(asking(), admitted), 'route')
    expect(openIds(given)).toEqual(['plan'])
    expect(given.run).toMatchObject({
      route: { to: 'research', collections: ['planets', 'memory'] },
      closed: { route: 'abandoned' },
      spent: { moves: 1 },
    })
    expect(given.events[0]).toMatchObject({ type: 'abandoned', audience: 'desk', task: 'route', reason: 'errors' })
  })

  it('plan: uses the question as the only step', () => {
    const given = without(after(asking(), admitted, toResearch), 'plan')
    expect(given.run.steps).toMatchObject([{ question: 'How heavy is Mars?' }])
    expect(openIds(given)).toEqual(['research.1.1'])
  })

  it('research: closes the step with the evidence it has, without a retry', () => {
    const given = after(asking({ entry: 'plan' }), admitted, planned('a', ['b', 1]))
    expect(openIds(without(given, 'research.1.1'))).toEqual(['research.2.1'])
    const later = after(given, nothing('1.1'))
    expect(openIds(without(later, 'research.1.2'))).toEqual(['research.2.1'])
  })

  it('grade-evidence: keeps every passage, ungraded', () => {
    const given = without(
      after(asking({ entry: 'research' }), admitted, found('1.1', ['p1', 'p2'])),
      'grade-evidence.1.1',
    )
    expect(evidenceFor(given.run, openTask(given, 'generate'))).toEqual(['p1', 'p2'])
  })

  it('generate: fails a run without a draft', () => {
    expect(without(writing(), 'generate.1').run).toMatchObject({
      status: 'failed',
      reason: 'failed.not-written',
      open: [],
    })
  })

  it('generate: ends an earlier ungrounded draft as the policy says', () => {
    const given = without(after(checking(), ungrounded(1)), 'generate.2')
    expect(given.run).toMatchObject({
      status: 'parked',
      reason: 'parked.ungrounded',
      draft: { draft: 2, text: 'Draft 1 [1].' },
      grading: { draft: 2 },
    })
    expect(openIds(given)).toEqual(['review.2'])
    expect(openIds(after(given, decided(2, { outcome: 'retry' })))).toEqual(['generate.3'])
  })

  it('generate: releases an earlier grounded draft as incomplete', () => {
    const given = after(checking(), missed, found('1.2', ['p2']), graded('1.2', { p2: good }))
    expect(without(given, 'generate.2').run).toMatchObject({ status: 'answered', reason: 'answered.incomplete' })
  })

  it('grade-answer: never releases an unchecked draft silently', () => {
    const left = (whenSpent: Policy['whenSpent']) => without(checking({ whenSpent }), 'grade-answer.1').run
    expect(left('park')).toMatchObject({ status: 'parked', reason: 'parked.unchecked' })
    expect(left('caveat')).toMatchObject({
      status: 'answered',
      answer: { caveat: 'This answer was not checked against the documents.' },
    })
    expect(left('mark')).toMatchObject({
      status: 'answered',
      reason: 'answered.marked',
      answer: { caveat: 'This answer was not checked against the documents.' },
    })
    expect(left('fallback')).toMatchObject({ status: 'unanswered', reason: 'unanswered.unchecked' })
  })

  it('grade-answer: lets a reviewer send back an unchecked draft', () => {
    const given = after(without(checking(), 'grade-answer.1'), decided(1, { outcome: 'retry' }))
    expect(openTask(given, 'generate')).toEqual({
      id: 'generate.2',
      kind: 'generate',
      openedAt: given.run.movedAt,
      draft: 2,
    })
    const research = after(
      without(checking(), 'grade-answer.1'),
      decided(1, { outcome: 'research', guidance: 'More.' }),
    )
    expect(openIds(research)).toEqual(['research.1.2'])
  })

  it('reply: fails the run, or declines with a fixed text', () => {
    const given = after(asking(), admitted, routed({ outcome: 'reply', logic: '' }))
    expect(without(given, 'reply.1').run).toMatchObject({ status: 'failed', reason: 'failed.no-reply' })
    const declining = after(asking(), admitted, routed({ outcome: 'decline', logic: '' }))
    expect(without(declining, 'reply.1').run).toMatchObject({
      status: 'declined',
      reason: 'declined.out-of-scope',
      answer: { text: 'This question is outside the scope of these documents.' },
    })
  })

  it('reply: releases the checked answer with a fixed question to narrow it', () => {
    const given = after(checking({ whenTooBroad: 'ask' }), checked(1, { tooBroad: true }))
    expect(without(given, 'reply.1').run).toMatchObject({
      status: 'needs_input',
      reason: 'needs_input.too-broad',
      answer: { text: 'Draft 1 [1].', question: expect.stringMatching(/\?$/) },
    })
  })

  it('is stale for a task that is not open, and for a task that no worker does', () => {
    expect(abandon(checking().run, 'generate.1', 'late', 0)).toEqual({ kind: 'stale' })
    expect(abandon(asking().run, 'admit', 'odd', 0)).toEqual({ kind: 'stale' })
    expect(abandon(parked().run, 'review.1', 'odd', 0)).toEqual({ kind: 'stale' })
  })
})
