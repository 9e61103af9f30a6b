import { describe, expect, it } from 'vitest'
import type { Policy } from '../policy/policy'
import { after, checked, checking, claim, ungrounded } from '../spec/given.spec'

const spentUp = { maxRegenerations: 0, maxAugments: 0 }

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
      kind: 'written',
      text: 'No draft of an answer to “How heavy is Mars?” passed its check, so none is shown. Searched in planets with 1 query.',
      citations: [],
    })
    expect(ended('fallback', 'contradicted').reason).toBe('unanswered.contradicted')
    const conflict = checked(1, { claims: [claim('unsupported', { conflictsWith: 'p9' })] })
    expect(after(checking({ ...spentUp, whenSpent: 'fallback' }), conflict).run).toMatchObject({
      reason: 'unanswered.conflict',
      answer: { text: expect.stringContaining('give different values') },
    })
  })
})
