import { describe, expect, it } from 'vitest'
import { abandon } from './abandon'
import { evidenceFor } from './evidence'
import type { Policy } from '../policy/policy'
import type { Given } from '../spec/given.spec'
import {
  admitted,
  after,
  asking,
  checked,
  checking,
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
  routed,
  toResearch,
  ungrounded,
  writing,
} from '../spec/given.spec'

const without = (given: Given, taskId: string): Given =>
  movedBy(abandon(given.run, taskId, 'errors', (given.run.movedAt ?? 0) + 1_000))
const missed = checked(1, { parts: [{ what: 'How heavy is Mars?', outcome: 'missed' }] })

describe('abandon', () => {
  it('route: the documents are searched', () => {
    const given = without(after(asking(), admitted), 'route')
    expect(openIds(given)).toEqual(['plan'])
    expect(given.run).toMatchObject({
      route: { to: 'research', collections: ['planets', 'memory'] },
      closed: { route: 'abandoned' },
      spent: { moves: 1 },
    })
    expect(given.events[0]).toMatchObject({ type: 'abandoned', audience: 'desk', task: 'route', reason: 'errors' })
  })

  it('plan: the question is the one step', () => {
    const given = without(after(asking(), admitted, toResearch), 'plan')
    expect(given.run.steps).toMatchObject([{ question: 'How heavy is Mars?' }])
    expect(openIds(given)).toEqual(['research.1.1'])
  })

  it('research: the step is done with what it has, and nothing is tried again for it', () => {
    const given = after(asking({ entry: 'plan' }), admitted, planned('a', ['b', 1]))
    expect(openIds(without(given, 'research.1.1'))).toEqual(['research.2.1'])
    const later = after(given, nothing('1.1'))
    expect(openIds(without(later, 'research.1.2'))).toEqual(['research.2.1'])
  })

  it('grade-evidence: every passage is kept, ungraded', () => {
    const given = without(
      after(asking({ entry: 'research' }), admitted, found('1.1', ['p1', 'p2'])),
      'grade-evidence.1.1',
    )
    expect(evidenceFor(given.run, openTask(given, 'generate'))).toEqual(['p1', 'p2'])
  })

  it('generate: the run fails where there is no draft', () => {
    expect(without(writing(), 'generate.1').run).toMatchObject({
      status: 'failed',
      reason: 'failed.not-written',
      open: [],
    })
  })

  it('generate: an earlier draft that did not stand goes where the policy says', () => {
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

  it('generate: an earlier draft that stood is released as incomplete', () => {
    const given = after(checking(), missed, found('1.2', ['p2']), graded('1.2', { p2: good }))
    expect(without(given, 'generate.2').run).toMatchObject({ status: 'answered', reason: 'answered.incomplete' })
  })

  it('grade-answer: an unchecked draft is never released silently', () => {
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

  it('grade-answer: a reviewer can still send an unchecked draft back', () => {
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

  it('reply: the run fails, or declines in fixed words', () => {
    const given = after(asking(), admitted, routed({ outcome: 'reply', logic: '' }))
    expect(without(given, 'reply.1').run).toMatchObject({ status: 'failed', reason: 'failed.no-reply' })
    const declining = after(asking(), admitted, routed({ outcome: 'decline', logic: '' }))
    expect(without(declining, 'reply.1').run).toMatchObject({
      status: 'declined',
      reason: 'declined.out-of-scope',
      answer: { text: 'This question is outside what the documents here are for.' },
    })
  })

  it('reply: what could be checked goes out with a question that asks the same of everybody', () => {
    const given = after(checking({ whenTooBroad: 'ask' }), checked(1, { tooBroad: true }))
    expect(without(given, 'reply.1').run).toMatchObject({
      status: 'needs_input',
      reason: 'needs_input.too-broad',
      answer: { text: 'Draft 1 [1].', question: expect.stringMatching(/\?$/) },
    })
  })

  it('is stale for a task that is not open, and for what no worker does', () => {
    expect(abandon(checking().run, 'generate.1', 'late', 0)).toEqual({ kind: 'stale' })
    expect(abandon(asking().run, 'admit', 'odd', 0)).toEqual({ kind: 'stale' })
    expect(abandon(parked().run, 'review.1', 'odd', 0)).toEqual({ kind: 'stale' })
  })
})
