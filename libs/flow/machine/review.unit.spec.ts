import { describe, expect, it } from 'vitest'
import {
  after,
  checked,
  checking,
  claim,
  costing,
  decided,
  drafted,
  found,
  good,
  graded,
  openIds,
  openTask,
  parked,
  reportOf,
  ungrounded,
} from '../spec/run-fixtures.spec'
import { advance } from './advance'
import { evidenceFor } from './evidence'
import { newJobs, openJobs } from './jobs'
import { decisionsFor, parkedRow } from './review'

const approved = decided(1, { outcome: 'approved' })

describe('a parked run', () => {
  it('tells the asker only that it is held', () => {
    const { run, events } = parked()
    expect(events.at(-1)).toEqual({
      type: 'parked',
      audience: 'asker',
      task: 'review.1',
      at: run.movedAt,
      reason: 'parked.ungrounded',
      decider: 'reviewer',
    })
    expect(openJobs(run)).toEqual([
      { queue: 'review', jobId: `${run.id}.review.1`, data: { runId: run.id, taskId: 'review.1' } },
    ])
    expect(evidenceFor(run, openTask({ run, events, evidence: [] }, 'review'))).toEqual(['p1'])
  })

  it('offers a reviewer every decision, an asker only retry or end, and neither a decision without moves left', () => {
    expect(decisionsFor(parked().run)).toEqual(['approve', 'edit', 'retry', 'research', 'reject'])
    expect(decisionsFor(parked({ decider: 'asker' }).run)).toEqual(['retry', 'reject'])
    expect(decisionsFor(parked({ maxMoves: 6 }).run)).toEqual(['approve', 'reject'])
    expect(decisionsFor(parked({ maxMoves: 8 }).run)).toEqual(['approve', 'edit', 'retry', 'reject'])
    expect(decisionsFor(checking().run)).toEqual([])
  })
})

describe('a decision', () => {
  it('approve releases the draft as decided by a person', () => {
    const { run, events } = after(parked(), {
      ...approved,
      result: { ...approved.result, note: 'Checked by hand.' },
    } as typeof approved)
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.decided', answer: { text: 'Draft 1 [1].' } })
    expect(run.answer).not.toHaveProperty('caveat')
    expect(run.decision).toEqual({ taskId: 'review.1', decisionId: 'decision-1', action: 'approve' })
    expect(events.at(-2)).toMatchObject({
      type: 'decided',
      audience: 'desk',
      action: 'approve',
      by: 'rita',
      note: 'Checked by hand.',
    })
  })

  it('reject ends the run without an answer', () => {
    const { run } = after(parked(), decided(1, { outcome: 'rejected' }))
    expect(run).toMatchObject({ status: 'rejected', reason: 'rejected.decided', open: [] })
    expect(run.answer).toBeUndefined()
  })

  it('retry writes again with the guidance, keeps supported sentences, and spends no counter', () => {
    const given = after(parked(), decided(1, { outcome: 'retry', guidance: 'Use the table.' }))
    expect(given.run).toMatchObject({ status: 'running', spent: { regenerations: 0 }, decision: { action: 'retry' } })
    expect(given.run.reason).toBeUndefined()
    expect(openTask(given, 'generate')).toMatchObject({
      id: 'generate.2',
      guidance: 'Use the table.',
      keep: ['A supported claim.'],
    })
    expect(newJobs(parked().run, given.run)).toHaveLength(1)
    expect(after(given, drafted(2), checked(2)).run.reason).toBe('answered.checked')
    expect(openIds(after(given, drafted(2), ungrounded(2)))).toEqual(['review.2'])
  })

  it('restarts the time limit of the run’s policy', () => {
    const { run } = after(parked(), decided(1, { outcome: 'retry' }))
    expect(run.deadlineAt).toBe((run.movedAt ?? 0) + run.policy.deadlineMs)
  })

  it('research looks for the missing part and writes again', () => {
    const given = after(parked(), decided(1, { outcome: 'research', guidance: 'Look in the appendix.' }))
    expect(openTask(given, 'research')).toMatchObject({
      id: 'research.1.2',
      failed: { reason: 'Look in the appendix.' },
    })
    expect(given.events.findLast(({ type }) => type === 'decided')).toMatchObject({
      action: 'research',
      guidance: 'Look in the appendix.',
    })
    const asker = given.events.filter(({ audience }) => audience === 'asker')
    expect(JSON.stringify(asker)).not.toContain('appendix')
    expect(openIds(after(given, found('1.2', ['p2']), graded('1.2', { p2: good })))).toEqual(['generate.2'])
  })

  it('edit replaces the draft and checks it again before release', () => {
    const given = after(parked(), decided(1, { outcome: 'edited', text: 'Mars weighs 0.1 Earths [1].' }))
    expect(given.run.draft).toEqual({
      draft: 2,
      text: 'Mars weighs 0.1 Earths [1].',
      citations: [{ n: 1, passageId: 'p1' }],
      editedBy: 'rita',
    })
    expect(openIds(given)).toEqual(['grade-answer.2'])
    expect(after(given, checked(2, { usefulness: 1 })).run).toMatchObject({
      status: 'answered',
      reason: 'answered.edited',
      answer: { text: 'Mars weighs 0.1 Earths [1].' },
    })
  })

  it('an edit that only says that nothing answers ends unanswered if its check agrees, and is held if it could not be checked', () => {
    const edited = after(parked(), decided(1, { outcome: 'edited', text: 'The documents do not say.' }))
    const parts = [{ what: 'q', outcome: 'not-in-documents' as const }]
    expect(after(edited, checked(2, { parts })).run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.not-in-documents',
      answer: { text: 'The documents do not say.' },
    })
    expect(after(edited, checked(2, { parts, claims: [] })).run.reason).toBe('parked.edit-ungrounded')
  })

  it('holds an edit that fails its check again, and spends no counter on it', () => {
    const given = after(
      parked({ whenSpent: 'park', maxRewrites: 3 }),
      decided(1, { outcome: 'edited', text: 'Wrong.' }),
      ungrounded(2, claim('contradicted')),
    )
    expect(given.run).toMatchObject({
      status: 'parked',
      reason: 'parked.edit-ungrounded',
      spent: { regenerations: 0, rewrites: 0 },
    })
    expect(openIds(given)).toEqual(['review.2'])
    expect(after(given, decided(2, { outcome: 'approved' })).run.reason).toBe('answered.decided')
  })

  it('is made once: a closed task, an earlier draft or a run that is not parked makes it stale', () => {
    const retried = after(parked(), decided(1, { outcome: 'retry' }))
    expect(advance(retried.run, reportOf(retried.run, approved))).toEqual({ kind: 'stale' })
    const again = after(retried, drafted(2), ungrounded(2))
    expect(advance(again.run, reportOf(again.run, approved))).toEqual({ kind: 'stale' })
    expect(advance(checking().run, reportOf(checking().run, approved))).toEqual({ kind: 'stale' })
  })

  it('changes nothing if it needs more moves than are left: the draft stays held', () => {
    const given = parked({ maxMoves: 6 })
    for (const result of [
      { outcome: 'retry' },
      { outcome: 'edited', text: 'x' },
      { outcome: 'research', guidance: 'x' },
    ] as const)
      expect(advance(given.run, reportOf(given.run, decided(1, result)))).toEqual({ kind: 'stale' })
    expect(after(given, approved).run.status).toBe('answered')
  })

  it('research that finds the tokens spent holds the same draft under a new number', () => {
    const given = after(parked({ maxTokens: 10 }), decided(1, { outcome: 'research', guidance: 'x' }))
    const usage = { calls: 1, tokensIn: 11, tokensOut: 0, cents: 0 }
    const held = after(given, { ...found('1.2', ['p2']), ...costing(usage) }, graded('1.2', { p2: good }))
    expect(held.run).toMatchObject({
      status: 'parked',
      reason: 'parked.budget',
      draft: { draft: 2, text: 'Draft 1 [1].' },
      grading: { draft: 2 },
    })
    expect(openIds(held)).toEqual(['review.2'])
    expect(openIds(after(held, decided(2, { outcome: 'retry' })))).toEqual(['generate.3'])
  })
})

describe('the note of a decision', () => {
  it('is told to the desk, and a wish to pin the answer is stored', () => {
    const { run, events } = after(parked(), decided(1, { outcome: 'approved', note: 'Read twice.', keep: true }))
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'decided', audience: 'desk', action: 'approve', note: 'Read twice.' }),
    )
    expect(run.decision).toMatchObject({ action: 'approve', keep: true })
    expect(after(parked(), approved).run.decision).not.toHaveProperty('keep')
  })
})

describe('the row of a parked run', () => {
  const held = (...claims: ReturnType<typeof claim>[]) =>
    after(checking({ maxRegenerations: 0, maxAugments: 0 }), ungrounded(1, ...claims)).run
  const riskOf = (run: Parameters<typeof parkedRow>[0]) => parkedRow(run)?.risk

  it('holds the fields of the desk’s list, and exists only for parked runs', () => {
    const { run } = parked()
    expect(parkedRow(run)).toEqual({
      runId: run.id,
      taskId: 'review.1',
      question: 'How heavy is Mars?',
      group: { policy: 'standard', reason: 'parked.ungrounded', collections: ['planets'] },
      decider: 'reviewer',
      score: 0.5,
      risk: 50,
      openedAt: run.movedAt,
      dueAt: run.deadlineAt,
      actions: ['approve', 'edit', 'retry', 'research', 'reject'],
    })
    expect(parkedRow(checking().run)).toBeNull()
    expect(parkedRow({ ...run, assignee: 'rita' })?.group.assignee).toBe('rita')
    const autoAssigned = { assignee: 'rita', autoAssigned: true } as const
    expect(parkedRow({ ...run, ...autoAssigned })?.group).toMatchObject(autoAssigned)
  })

  it('has more risk with fewer supported claims, with contradictions, with sensitive evidence and without a check', () => {
    const [supported, unsupported] = [claim('supported'), claim('unsupported')]
    expect(riskOf(held(supported, supported, supported, unsupported))).toBe(25)
    expect(riskOf(held(supported, claim('contradicted')))).toBe(150)
    expect(riskOf(held(supported, claim('supported', { conflictsWith: 'p9' })))).toBe(100)
    const { run } = parked()
    const steps = run.steps.map((step) => ({
      ...step,
      evidence: step.evidence.map((row) => ({ ...row, grade: { ...good, sensitive: true } })),
    }))
    expect(riskOf({ ...run, steps })).toBe(150)
    expect(parkedRow({ ...run, grading: undefined })).toMatchObject({ risk: 100, score: null })
    const quotes = [{ n: 1, passageId: 'p1', text: 'Text of p1.', marks: [] }]
    expect(parkedRow({ ...run, draft: run.draft && { ...run.draft, quotes } })).toMatchObject({ risk: 0, score: null })
  })
})
