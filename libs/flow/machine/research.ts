import type { Evidence, Overall } from '@plumbline/contracts'
import type { Result } from '../schema/task-table'
import type { EvidenceRow, Run, Step } from '../schema/run'
import type { TaskOf } from '../schema/task'
import type { Failed } from '../schema/task-fields'
import { lastDraft } from './endings'
import { passes, passingEvidence, failureSummary, poorReason } from './evidence'
import { write } from './generate'
import { hasGroundedDraft } from './grounding'
import { afterLateGrade } from './late-grades'
import { addEvent, change, hasEnded, type Move, open, type Transition } from './move'
import { needsMissingWeb, noteNoWeb, retryRule, retryStep } from './retry'
import { isGradedNow } from './when-graded'
import { hasTaskInProgress, changeStep, openReadySteps } from './steps'

const rowOf =
  ({ hold, ahead }: Run) =>
  ({ id, documentId, title, collection, scores }: Evidence): EvidenceRow => ({
    ...{ id, documentId, title, scores },
    ...((hold?.collections || ahead !== undefined) && { collection }),
  })

const isGraded = (run: Run, { source }: TaskOf<'research'>): boolean =>
  isGradedNow(run) && (source === 'index' || run.policy.gradeWeb === 'on')

/** If a draft exists, all passages are kept, because the draft may cite them. */
const retainedRows = ({ policy, draft }: Run, step: Step): EvidenceRow[] =>
  policy.keepEvidence === 'replace' && !draft ? passingEvidence(policy, step) : step.evidence

const isFoundBefore = (passages: Evidence[], { evidence }: Step): boolean =>
  passages.length > 0 && passages.every((passage) => evidence.some(({ id }) => id === passage.id))

const newRows = (rows: EvidenceRow[], kept: EvidenceRow[]): EvidenceRow[] => {
  const seen = new Map(rows.map((row) => [row.id, row]))
  kept.forEach(({ id }) => seen.delete(id))
  return [...seen.values()]
}

/** Judges the evidence of a step. A step with poor evidence is marked as failed, so that `fanIn` retries it. */
const judgeStep = (move: Move, step: Step, tried: EvidenceRow[], overall: Overall): Move => {
  const { policy } = move.run
  const isNew = tried.some((row) => passes(policy, row))
  const poor = hasGroundedDraft(move.run)
    ? isNew
      ? null
      : 'Nothing new was found.'
    : poorReason(policy, step, tried, overall)
  const how = retryRule(move.run)
  if (poor === null || how === 'go-on' || how === 'release')
    return fanIn(changeStep(move, step.step, { status: 'done' }))
  return fanIn(changeStep(move, step.step, { failed: failureSummary(policy, step, poor) }))
}

const recordResearch = (
  move: Move,
  task: TaskOf<'research'>,
  result: Result<'research'>,
  passages: Evidence[],
): Move => {
  const { step, try: attempt } = task
  const { queries, strategy, reason, note, degraded, cached, source } = result
  const found = addEvent(move, 'researched', { step, try: attempt, source, found: passages.length })
  const noted = note ? addEvent(found, 'noted', { note }) : found
  return addEvent(noted, 'queried', {
    step,
    try: attempt,
    queries,
    passages: passages.map((passage) => ({ id: passage.id, title: passage.title, scores: passage.scores })),
    ...(strategy && { strategy }),
    ...(reason && { reason }),
    ...(degraded && { degraded }),
    ...(cached && { cached }),
  })
}

const isToBeWrittenAgain = (run: Run, step: Step, passages: Evidence[]): boolean =>
  hasGroundedDraft(run) &&
  run.policy.keepEvidence === 'replace' &&
  passingEvidence(run.policy, step).some(({ id }) => passages.some((passage) => passage.id === id))

/** Removes the field `passed` of the draft. Without this field, the draft is written again from the same passages. */
const withoutPassed = (run: Run): Pick<Run, 'draft'> => {
  const { passed: _, ...rest } = lastDraft(run)
  return { draft: rest }
}

type Recorded = { found: Move; step: Step; passages: Evidence[]; fresh: EvidenceRow[]; again: boolean }

export const recordStep = (move: Move, task: TaskOf<'research'>, result: Result<'research'>): Recorded | null => {
  const { run } = move
  const before = run.steps.find(({ step }) => step === task.step)
  if (!before) return null
  const passages = result.outcome === 'found' ? result.passages : []
  const kept = passages.length > 0 ? retainedRows(run, before) : before.evidence
  const fresh = newRows(passages.map(rowOf(run)), kept)
  const again = fresh.length === 0 && isToBeWrittenAgain(run, before, passages)
  const step: Step = {
    ...before,
    queries: [...before.queries, ...result.queries],
    evidence: [...kept, ...fresh],
    // A try without queries means that no further try can help, so the step is exhausted.
    exhausted: (isFoundBefore(passages, before) && !again) || result.queries.length === 0,
    ...(result.strategy && { strategies: [...(before.strategies ?? []), result.strategy] }),
    ...(result.resolved && { resolved: result.resolved }),
    // A try without queries did not search, so it cannot report how many documents are still being imported.
    ...(result.queries.length > 0 && { beingRead: result.outcome === 'nothing' ? result.beingRead : undefined }),
    ...(result.degraded && { degraded: [...(before.degraded ?? []), ...result.degraded] }),
  }
  const found = { ...changeStep(recordResearch(move, task, result, passages), step.step, step), evidence: passages }
  return { found, step, passages, fresh, again }
}

export const research: Transition<'research'> = (move, task, result) => {
  const recorded = recordStep(move, task, result)
  if (!recorded) return null
  const { run } = move
  const { found, step, passages, fresh, again } = recorded
  if (passages.length > 0 && !isGraded(run, task)) return fanIn(changeStep(found, step.step, { status: 'done' }))
  if (again) return fanIn(changeStep(change(found, withoutPassed(run)), step.step, { status: 'done' }))
  if (fresh.length === 0) return judgeStep(found, step, [], 'correct')
  const passageIds = fresh.map(({ id }) => id)
  const { step: number, try: attempt } = task
  return open(found, {
    id: `grade-evidence.${number}.${attempt}`,
    kind: 'grade-evidence',
    openedAt: move.at,
    step: number,
    try: attempt,
    passageIds,
  })
}

export const gradeEvidence: Transition<'grade-evidence'> = (move, task, result) => {
  const { policy, steps } = move.run
  const before = steps.find(({ step }) => step === task.step)
  if (!before) return null
  const grades = new Map(result.grades.map(({ passageId, ...grade }) => [passageId, grade]))
  const evidence = before.evidence.map((row) => ({ ...row, ...(grades.has(row.id) && { grade: grades.get(row.id) }) }))
  const step = { ...before, evidence }
  const tried = evidence.filter(({ id }) => task.passageIds.includes(id))
  const graded = addEvent(changeStep(move, step.step, { evidence }), 'evidence-graded', {
    step: task.step,
    try: task.try,
    overall: result.overall,
    relevant: tried.filter((row) => passes(policy, row)).length,
    grades: result.grades,
  })
  return task.late ? afterLateGrade(graded) : judgeStep(graded, step, tried, result.overall)
}

type Poor = Step & { failed: Failed }

const poorSteps = ({ steps }: Run): Poor[] =>
  steps.flatMap((step) => (step.status === 'open' && step.failed ? [{ ...step, failed: step.failed }] : []))

const retryPoorStep = (move: Move, step: Poor): Move => {
  const { run } = move
  const how = retryRule(run)
  const again = retryStep(move, step, how, step.failed)
  if (again) return again
  const missed = needsMissingWeb(run, step, how) ? noteNoWeb(move, `step ${step.step}`) : move
  return changeStep(missed, step.step, { status: 'done' })
}

/**
 * Continues a run when none of its tasks is in progress any more. Retries are opened in step order, so that the order
 * in which parallel tasks report does not matter.
 */
export const fanIn = (move: Move): Move => {
  const ready = openReadySteps(move)
  if (hasTaskInProgress(ready.run)) return ready
  const treated = openReadySteps(poorSteps(ready.run).reduce(retryPoorStep, { ...ready, at: ready.latest }))
  return hasEnded(treated.run) || hasTaskInProgress(treated.run) ? treated : write(treated)
}
