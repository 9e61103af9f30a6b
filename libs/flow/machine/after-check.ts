import type { Grading, Run } from '../schema/run'
import { draftMoves } from '../policy/policy'
import { affords, isWorthRetrying, remaining, spend } from './budgets'
import { endNotInDocuments, endSpent, fallback, lastDraft, mustBeReviewed, park, release } from './endings'
import { failureSummary } from './evidence'
import { openDraft } from './generate'
import { citedRows, isContradicted, isGrounded, isInConflict, isNotInDocuments, isUseful } from './grounding'
import { staleReason } from './marks'
import type { Move } from './move'
import { askNarrower, openReply } from './reply'
import { whenGraded } from './when-graded'
import { affordsTry, augment, isMissed, needsMissingWeb, noteNoWeb, retryStep, missingSummary } from './retry'

const ungroundedReason = (run: Run, grading: Grading) => {
  if (isInConflict(grading)) return 'conflict'
  if (isContradicted(grading)) return 'contradicted'
  return affords(run, draftMoves(run.policy)) ? 'ungrounded' : 'budget'
}

const ungrounded = (move: Move, grading: Grading): Move => {
  const { run } = move
  const { whenUngrounded: how } = run.policy
  const why = ungroundedReason(run, grading)
  if (how === 'decide') return park(move, `parked.${why}`)
  const missing = missingSummary(grading)
  if (
    how !== 'augment' &&
    remaining(run, 'regenerations') > 0 &&
    affords(run, draftMoves(run.policy)) &&
    isWorthRetrying(run)
  )
    return openDraft(spend(move, 'regenerations', missing))
  if (how !== 'regenerate' && remaining(run, 'augments') > 0 && affordsTry(run))
    return augment(spend(move, 'augments', missing), missing)
  return endSpent(move, why)
}

const notUseful = (move: Move, grading: Grading): Move => {
  const { steps, policy } = move.run
  const { whenNotUseful: how } = policy
  const missed = steps.filter((step) => isMissed(step, grading))
  const reason =
    missingSummary(grading) ||
    `The usefulness is ${String(grading.usefulness)}; the policy requires ${policy.minUsefulness}.`
  const targets = missed.length > 0 ? missed : steps
  const again = targets.reduce(
    (rest, step) => retryStep(rest, step, how, failureSummary(policy, step, reason)) ?? rest,
    move,
  )
  if (again !== move) return again
  const halted = targets.some((step) => needsMissingWeb(move.run, step, how))
    ? noteNoWeb(move, 'what is missing')
    : move
  return release(halted, 'answered.incomplete', 'incomplete')
}

const tooBroad = (move: Move): Move => {
  const held = mustBeReviewed(move.run)
  if (held) return park(move, held)
  return affords(move.run, 1)
    ? openReply(move, 'narrow', 'The question is too broad for one answer. It leaves open which part or case is meant.')
    : askNarrower(move)
}

const searchForBetter = (move: Move): Move | null => {
  const { run } = move
  const { policy, steps } = run
  const cited = citedRows(run, lastDraft(run))
  const stale = whenGraded(run) === 'when-needed' ? staleReason(cited) : null
  if (!stale) return null
  const { reason, outdated } = stale
  const ids = new Set(cited.map(({ id }) => id))
  const again = steps
    .filter(({ evidence }) => evidence.some(({ id }) => ids.has(id)))
    .reduce((rest, step) => {
      const failed = { ...failureSummary(policy, step, reason), ...(outdated && { outdated }) }
      return retryStep(rest, step, policy.whenPoor, failed) ?? rest
    }, move)
  return again === move ? null : again
}

/** Decides how a run continues after the check of its draft. A draft that a reviewer edited is never rewritten. */
export const afterCheck = (move: Move, grading: Grading): Move => {
  const { policy, draft } = move.run
  const isEdited = draft?.editedBy !== undefined
  if (grading.degraded) return park(move, 'parked.checked-offline')
  if (isNotInDocuments(grading) && grading.claims.length === 0 && !isEdited)
    return fallback(move, 'unanswered.not-in-documents')
  if (!isGrounded(policy, grading)) return isEdited ? park(move, 'parked.edit-ungrounded') : ungrounded(move, grading)
  if (isNotInDocuments(grading)) return endNotInDocuments(move)
  if (isEdited) return release(move, 'answered.edited')
  if (grading.tooBroad && policy.whenTooBroad === 'ask') return tooBroad(move)
  if (!isUseful(policy, grading)) return notUseful(move, grading)
  return searchForBetter(move) ?? release(move, 'answered.checked')
}
