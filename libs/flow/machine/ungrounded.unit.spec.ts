import { describe, expect, it } from 'vitest'
import type { Policy } from '../policy/policy'
import {
  admitted,
  after,
  asking,
  checked,
  checking,
  claim,
  costing,
  drafted,
  found,
  good,
  graded,
  nothing,
  openIds,
  openTask,
  planned,
  ungrounded,
} from '../spec/given.spec'
import type { StartAsk } from './start'

const spentUp = { maxRegenerations: 0, maxAugments: 0 }

describe('a draft that does not stand', () => {
  it('is written anew once, keeping what stood and avoiding what did not', () => {
    const claims = [
      claim('supported', { text: 'S.' }),
      claim('unsupported', { text: 'U.' }),
      claim('supported', { text: 'Nice!', kind: 'style' }),
    ]
    const again = after(checking(), ungrounded(1, ...claims))
    expect(openTask(again, 'generate')).toMatchObject({
      id: 'generate.2',
      draft: 2,
      keep: ['S.'],
      avoid: [{ text: 'U.' }],
    })
    expect(again.events.find(({ type }) => type === 'counter-spent')).toMatchObject({
      counter: 'regenerations',
      why: 'Not supported: U.',
      left: 0,
    })
    expect(after(again, drafted(2), checked(2)).run).toMatchObject({
      status: 'answered',
      answer: { text: 'Draft 2 [1].' },
    })
  })

  it('then has research reopened for what is missing, once, and is held after that', () => {
    const second = after(checking(), ungrounded(1), drafted(2), ungrounded(2))
    expect(openTask(second, 'research')).toMatchObject({
      id: 'research.1.2',
      failed: { passageIds: [], reason: 'Not supported: A unsupported claim.' },
    })
    const third = after(second, found('1.2', ['p2']), graded('1.2', { p2: good }))
    expect(openTask(third, 'generate')).toMatchObject({ id: 'generate.3', keep: ['A supported claim.'] })
    const held = after(third, drafted(3), ungrounded(3))
    expect(held.run).toMatchObject({
      status: 'parked',
      reason: 'parked.ungrounded',
      spent: { regenerations: 1, augments: 1 },
    })
    expect(held.run.answer).toBeUndefined()
  })

  it('augments at once, or never, where the policy says so', () => {
    expect(openIds(after(checking({ whenUngrounded: 'augment' }), ungrounded(1)))).toEqual(['research.1.2'])
    expect(after(checking({ whenUngrounded: 'regenerate', maxRegenerations: 0 }), ungrounded(1)).run.status).toBe(
      'parked',
    )
  })

  it('keeps what stood citable: research after a draft adds evidence and never replaces it', () => {
    const again = after(
      checking({ whenUngrounded: 'augment', keepEvidence: 'replace' }),
      ungrounded(1),
      found('1.2', ['p2']),
    )
    expect(again.run.steps[0]?.evidence.map(({ id }) => id)).toEqual(['p1', 'p2'])
  })

  it('is decided at once where the policy leaves it to a person', () => {
    const { run } = after(checking({ whenUngrounded: 'decide', decider: 'asker', whenSpent: 'caveat' }), ungrounded(1))
    expect(run).toMatchObject({ status: 'parked', open: [{ id: 'review.1', decider: 'asker' }] })
  })

  it('is never released while the documents contradict it, whatever its score', () => {
    const claims = [...Array(9).fill(claim('supported')), claim('contradicted')]
    expect(after(checking({ parkBelow: 0.5, ...spentUp }), ungrounded(1, ...claims)).run).toMatchObject({
      status: 'parked',
      reason: 'parked.contradicted',
      grading: { score: 0.9 },
    })
  })

  it('is held for the budget where nothing more may be tried', () => {
    const usage = { calls: 1, tokensIn: 500_000, tokensOut: 0, cents: 0 }
    expect(after(checking(), { ...ungrounded(1), ...costing(usage) }).run).toMatchObject({
      status: 'parked',
      reason: 'parked.budget',
      spent: { regenerations: 0 },
    })
  })
})

describe('which step is augmented', () => {
  const two = (fields: Partial<Policy> = {}, ask: Partial<StartAsk> = {}) =>
    after(
      asking({ entry: 'plan', whenUngrounded: 'augment', whenPoor: 'go-on', ...fields }, ask),
      admitted,
      planned('a', 'b', 'c'),
      found('1.1', ['p1', 'p4']),
      graded('1.1', { p1: good, p4: good }),
      found('2.1', ['p2']),
      graded('2.1', { p2: good }),
      nothing('3.1'),
      drafted(1),
    )

  it('the one whose evidence the failed claim cites', () => {
    expect(openIds(after(two(), ungrounded(1, claim('unsupported', { passageId: 'p2' }))))).toEqual(['research.2.2'])
  })
  it('the one whose question was missed', () => {
    const given = checked(1, { claims: [claim('unsupported')], parts: [{ what: 'b', outcome: 'missed' }] })
    expect(openIds(after(two(), given))).toEqual(['research.2.2'])
  })
  it('else the one with the least evidence, the first of several', () => {
    expect(openIds(after(two(), ungrounded(1, claim('unsupported'))))).toEqual(['research.3.2'])
    const even = after(
      asking({ entry: 'plan', whenUngrounded: 'augment' }),
      admitted,
      planned('a', 'b'),
      found('1.1', ['p1']),
      graded('1.1', { p1: good }),
      found('2.1', ['p2']),
      graded('2.1', { p2: good }),
      drafted(1),
    )
    expect(openIds(after(even, ungrounded(1, claim('unsupported'))))).toEqual(['research.1.2'])
  })
})

describe('when nothing more may be tried', () => {
  const ended = (whenSpent: Policy['whenSpent'], ...claims: Parameters<typeof claim>[0][]) =>
    after(checking({ ...spentUp, whenSpent }), ungrounded(1, ...claims.map((verdict) => claim(verdict)))).run

  it('park holds the draft for a person', () => {
    const run = ended('park', 'unsupported')
    expect(run).toMatchObject({ status: 'parked', reason: 'parked.ungrounded' })
    expect(run.open).toEqual([
      {
        id: 'review.1',
        kind: 'review',
        openedAt: run.movedAt,
        draft: 1,
        decider: 'reviewer',
        dueAt: (run.movedAt ?? 0) + run.policy.parkMs,
      },
    ])
    expect(run.deadlineAt).toBe((run.movedAt ?? 0) + run.policy.parkMs)
  })
  it('caveat and mark release the draft, and say that it did not pass', () => {
    expect(ended('caveat', 'unsupported')).toMatchObject({
      status: 'answered',
      reason: 'answered.with-caveat',
      answer: { text: 'Draft 1 [1].', caveat: 'Not every statement of this answer is supported by the documents.' },
    })
    expect(ended('mark', 'contradicted')).toMatchObject({
      status: 'answered',
      reason: 'answered.marked',
      answer: { caveat: 'The documents contradict a statement of this answer.' },
    })
  })
  it('fallback says what was tried, without a word of the draft or the documents', () => {
    const run = ended('fallback', 'unsupported')
    expect(run).toMatchObject({ status: 'unanswered', reason: 'unanswered.ungrounded' })
    expect(run.answer).toEqual({
      text: 'No answer that stands was found in the documents. Looked for: “How heavy is Mars?”. Queries tried: 1.',
      citations: [],
    })
    expect(ended('fallback', 'contradicted').reason).toBe('unanswered.contradicted')
  })
})
