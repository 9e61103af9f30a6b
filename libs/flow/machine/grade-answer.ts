import type { Grading, Run } from '../map/run'
import { augment, isMissed, whatIsMissing } from './augment'
import { affords, draftMoves } from './budgets'
import { left, spend } from './counters'
import { draftAsAnswer, fallback, lastDraft, park, release, releaseQuotes, spent, unanswered } from './endings'
import { isWorthATry } from './depth'
import { whatFailed } from './evidence'
import { openDraft } from './generate'
import {
  groundingScore,
  isContradicted,
  isGrounded,
  isInConflict,
  isNotInDocuments,
  isShortOfSources,
  isUseful,
} from './grounding'
import type { Move } from './move'
import { change, tell } from './move'
import { misses, noteNoWeb } from './no-web'
import { affordsTry, remedied } from './remedies'
import { askNarrower, openReply } from './reply'
import type { Transition } from './transition'

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
  if (how !== 'augment' && left(run, 'regenerations') > 0 && affords(run, draftMoves(run.policy)) && isWorthATry(run))
    return openDraft(spend(move, 'regenerations', missing))
  if (how !== 'regenerate' && left(run, 'augments') > 0 && affordsTry(run))
    return augment(spend(move, 'augments', missing), missing)
  return spent(move, why)
}

/** Remedies go to the steps that were missed, or to all where no step's question was; what stood is released when there is none left. */
const notUseful = (move: Move, grading: Grading): Move => {
  const { steps, policy } = move.run
  const { whenNotUseful: how } = policy
  const missed = steps.filter((step) => isMissed(step, grading))
  const reason = whatIsMissing(grading) || `Usefulness ${String(grading.usefulness)}, ${policy.minUsefulness} needed.`
  const targets = missed.length > 0 ? missed : steps
  const again = targets.reduce(
    (rest, step) => remedied(rest, step, how, whatFailed(policy, step, reason)) ?? rest,
    move,
  )
  if (again !== move) return again
  const halted = targets.some((step) => misses(move.run, step, how)) ? noteNoWeb(move, 'what is missing') : move
  return release(halted, 'answered.incomplete', 'incomplete')
}

/** Asking back takes a move; without one the answer goes out with a question that asks the same of everybody. */
const tooBroad = (move: Move): Move => {
  if (isShortOfSources(move.run, lastDraft(move.run))) return park(move, 'parked.sensitive')
  return affords(move.run, 1)
    ? openReply(
        move,
        'narrow',
        'The question is too broad for one answer: it leaves open which part of it or which case is meant.',
      )
    : askNarrower(move)
}

/** An edited text is a person's: nothing rewrites it, it stands its check or is held again. */
const weighed = (move: Move, grading: Grading): Move => {
  const { policy, draft } = move.run
  const isEdited = draft?.editedBy !== undefined
  if (grading.degraded) return park(move, 'parked.checked-offline')
  if (isNotInDocuments(grading) && grading.claims.length === 0 && !isEdited)
    return fallback(move, 'unanswered.not-in-documents')
  if (!isGrounded(policy, grading)) return isEdited ? park(move, 'parked.edit-ungrounded') : ungrounded(move, grading)
  if (isNotInDocuments(grading)) return unanswered(move, 'unanswered.not-in-documents', draftAsAnswer(move.run))
  if (isEdited) return release(move, 'answered.edited')
  if (grading.tooBroad && policy.whenTooBroad === 'ask') return tooBroad(move)
  return isUseful(policy, grading) ? release(move, 'answered.checked') : notUseful(move, grading)
}

export const gradeAnswer: Transition<'grade-answer'> = (move, _task, { outcome: _, ...result }) => {
  if (move.run.draft?.quotes) return releaseQuotes(move)
  const grading: Grading = { draft: lastDraft(move.run).draft, score: groundingScore(result), ...result }
  const graded = tell(change(move, { grading }), { type: 'answer-graded', audience: 'desk', ...grading })
  return weighed(graded, grading)
}
