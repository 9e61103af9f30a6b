import type { Run } from '../schema/run'
import { afterCheck } from './after-check'
import { affords } from './budgets'
import { endSpent, lastDraft, releaseQuotes } from './endings'
import { passedCount, passingEvidence, failureSummary, poorReason } from './evidence'
import { withoutEvidence } from './generate'
import { hasGroundedDraft } from './grounding'
import { change, type Move, open } from './move'
import { retryStep } from './retry'
import { hasTaskInProgress } from './steps'
import { whenGraded } from './when-graded'

type Ungraded = { step: number; attempt: number; passageIds: string[] }

const ungradedOf = ({ steps, policy }: Run): Ungraded[] =>
  steps.flatMap(({ step, try: attempt, evidence, source }) => {
    const isGraded = source === 'index' || policy.gradeWeb === 'on'
    const passageIds = evidence.filter(({ grade }) => !grade).map(({ id }) => id)
    return isGraded && passageIds.length > 0 ? [{ step, attempt, passageIds }] : []
  })

export const openLateGrades = (move: Move): Move | null => {
  const { run } = move
  const ungraded = whenGraded(run) === 'when-needed' ? ungradedOf(run) : []
  if (ungraded.length === 0 || !affords(run, ungraded.length)) return null
  const { draft } = lastDraft(run)
  return ungraded.reduce(
    (rest, { step, attempt, passageIds }) =>
      open(rest, {
        id: `grade-evidence.${step}.draft-${draft}`,
        kind: 'grade-evidence',
        openedAt: move.at,
        step,
        try: attempt,
        passageIds,
        late: true,
      }),
    move,
  )
}

/**
 * Searches again for each step with poor evidence. Only policies that grade passages after the draft need this, because
 * the other policies have already searched again before the draft.
 */
const searchPoorAgain = (move: Move): Move => {
  const { policy, steps } = move.run
  if (policy.whenPoor === 'go-on') return move
  return steps.reduce((rest, step) => {
    const poor = poorReason(policy, step, step.evidence, 'correct')
    const again = poor === null ? null : retryStep(rest, step, policy.whenPoor, failureSummary(policy, step, poor))
    return again ?? rest
  }, move)
}

export const withoutCheck = (move: Move): Move =>
  move.run.draft?.quotes ? releaseQuotes(move) : endSpent(move, 'unchecked')

const afterGrades = (move: Move): Move => {
  const { draft, grading } = move.run
  const { passed, ...written } = lastDraft(move.run)
  // Late grades may reject passages of the draft. Store the new number of passed passages, so that only new passages
  // cause another draft.
  const counted = draft && passed !== undefined ? { draft: { ...written, passed: passedCount(move.run) } } : {}
  const now = change(move, counted)
  const again = searchPoorAgain(now)
  if (again !== now) return again
  if (!grading) return withoutCheck(now)
  const isNothingLeft = now.run.steps.every((step) => passingEvidence(now.run.policy, step).length === 0)
  return isNothingLeft && !hasGroundedDraft(now.run) ? withoutEvidence(now) : afterCheck(now, grading)
}

export const afterLateGrade = (move: Move): Move =>
  hasTaskInProgress(move.run) ? move : afterGrades({ ...move, at: move.latest })
