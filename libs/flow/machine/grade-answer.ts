import type { Grading, Run } from '../map/run'
import { draftMoves } from '../policy/policy'
import { affords, isWorthRetrying, left, spend } from './budgets'
import {
  draftAsAnswer,
  endSpent,
  fallback,
  lastDraft,
  mustBeReviewed,
  park,
  release,
  releaseQuotes,
  unanswered,
} from './endings'
import { whatFailed } from './evidence'
import { openDraft } from './generate'
import { groundingScore, isContradicted, isGrounded, isInConflict, isNotInDocuments, isUseful } from './grounding'
import { ruleHolds } from './hold'
import { addEvent, change, type Move, type Transition } from './move'
import { askNarrower, openReply } from './reply'
import { affordsTry, augment, isMissed, needsMissingWeb, noteNoWeb, retryStep, whatIsMissing } from './retry'

const whyNot = (run: Run, grading: Grading) => {
  if (isInConflict(grading)) return 'conflict'
  if (isContradicted(grading)) return 'contradicted'
  return affords(run, draftMoves(run.policy)) ? 'ungrounded' : 'budget'
}

const ungrounded = (move: Move, grading: Grading): Move => {
  const { run } = move
  const { whenUngrounded: how } = run.policy
  const why = whyNot(run, grading)
  if (how === 'decide') return park(move, `parked.${why}`)
  const missing = whatIsMissing(grading)
  if (
    how !== 'augment' &&
    left(run, 'regenerations') > 0 &&
    affords(run, draftMoves(run.policy)) &&
    isWorthRetrying(run)
  )
    return openDraft(spend(move, 'regenerations', missing))
  if (how !== 'regenerate' && left(run, 'augments') > 0 && affordsTry(run))
    return augment(spend(move, 'augments', missing), missing)
  return endSpent(move, why)
}

/**
 * Retries the steps whose questions were missed, or all steps if none matches. Releases the grounded draft when no
 * retries are left.
 */
const notUseful = (move: Move, grading: Grading): Move => {
  const { steps, policy } = move.run
  const { whenNotUseful: how } = policy
  const missed = steps.filter((step) => isMissed(step, grading))
  const reason = whatIsMissing(grading) || `Usefulness ${String(grading.usefulness)}, ${policy.minUsefulness} needed.`
  const targets = missed.length > 0 ? missed : steps
  const again = targets.reduce(
    (rest, step) => retryStep(rest, step, how, whatFailed(policy, step, reason)) ?? rest,
    move,
  )
  if (again !== move) return again
  const halted = targets.some((step) => needsMissingWeb(move.run, step, how))
    ? noteNoWeb(move, 'what is missing')
    : move
  return release(halted, 'answered.incomplete', 'incomplete')
}

/** Asking back takes a move. Without a move left, the answer is released with a fixed question. */
const tooBroad = (move: Move): Move => {
  const held = mustBeReviewed(move.run)
  if (held) return park(move, held)
  return affords(move.run, 1)
    ? openReply(move, 'narrow', 'The question is too broad for one answer. It leaves open which part or case is meant.')
    : askNarrower(move)
}

/** A model also writes that nothing was found, so a rule can hold that text too. */
const absent = (move: Move): Move => {
  const held = lastDraft(move.run).editedBy === undefined ? ruleHolds(move.run) : undefined
  return held ? park(move, held) : unanswered(move, 'unanswered.not-in-documents', draftAsAnswer(move.run))
}

/** An edited text is a person's, so nothing rewrites it. It passes its check or is held again. */
const afterCheck = (move: Move, grading: Grading): Move => {
  const { policy, draft } = move.run
  const isEdited = draft?.editedBy !== undefined
  if (grading.degraded) return park(move, 'parked.checked-offline')
  if (isNotInDocuments(grading) && grading.claims.length === 0 && !isEdited)
    return fallback(move, 'unanswered.not-in-documents')
  if (!isGrounded(policy, grading)) return isEdited ? park(move, 'parked.edit-ungrounded') : ungrounded(move, grading)
  if (isNotInDocuments(grading)) return absent(move)
  if (isEdited) return release(move, 'answered.edited')
  if (grading.tooBroad && policy.whenTooBroad === 'ask') return tooBroad(move)
  return isUseful(policy, grading) ? release(move, 'answered.checked') : notUseful(move, grading)
}

export const gradeAnswer: Transition<'grade-answer'> = (move, _task, { outcome: _, ...result }) => {
  if (move.run.draft?.quotes) return releaseQuotes(move)
  const grading: Grading = { draft: lastDraft(move.run).draft, score: groundingScore(result), ...result }
  const graded = addEvent(change(move, { grading }), 'answer-graded', { ...grading })
  return afterCheck(graded, grading)
}
