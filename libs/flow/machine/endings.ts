import type { EndStatus, Reason, Released } from '@plumbline/contracts'
import type { Draft, Run } from '../schema/run'
import { nearestIds } from './evidence'
import { type Caveat, caveats, quotesOpening, type Unanswered, triedSummary } from './fixed-texts'
import { isGrounded, isNotInDocuments, isShortOfSources, isUseful } from './grounding'
import { isByRule, ruleHolds } from './hold'
import { addEvent, change, close, type Move, open } from './move'
import { keepsShown, takeBack } from './show'
import { dueAfter } from './working-hours'

type Why = 'ungrounded' | 'contradicted' | 'conflict' | 'unchecked' | 'budget'

const noDraft: Draft = { draft: 0, text: '', citations: [] }
export const lastDraft = (run: Run): Draft => run.draft ?? noDraft

export const finish = (move: Move, status: EndStatus, reason: Reason, answer?: Released, by?: string): Move => {
  if (reason === 'rejected.decided') return finishAs(takeBack(move, 'withdrawn'), status, reason, answer, by)
  if (!answer || keepsShown(move.run, answer)) return finishAs(move, status, reason, answer, by)
  return byPerson.includes(reason) || isEdited(move.run)
    ? finishAs(takeBack(move, 'corrected'), status, reason, answer, by)
    : park(move, 'parked.other-text')
}

const isEdited = ({ draft }: Run): boolean => draft?.editedBy !== undefined

const finishAs = (move: Move, status: EndStatus, reason: Reason, answer?: Released, by?: string): Move => {
  const closed = move.run.open.reduce((rest, { id }) => close(rest, id, status), move)
  const ended = change(closed, { status, reason, endedAt: move.at, ...(answer && { answer }) })
  return addEvent(ended, 'ended', { status, reason, ...(answer && { answer }), ...(by && { by }) })
}

type Answered = Extract<Reason, `answered.${string}`>
type Parked = Extract<Reason, `parked.${string}`>
const byPerson: Reason[] = ['answered.decided', 'answered.edited', 'answered.review-overdue']

export const mustBeReviewed = (run: Run): Parked | undefined =>
  isShortOfSources(run, lastDraft(run)) ? 'parked.sensitive' : ruleHolds(run)

export const release = (move: Move, reason: Answered, caveat?: Caveat): Move => {
  const held = byPerson.includes(reason) ? undefined : mustBeReviewed(move.run)
  return held ? park(move, held) : finish(move, 'answered', reason, draftAsAnswer(move.run, caveat))
}

/** Prefers the text of the check, which leaves out the statements of the draft that cannot be checked. */
export const draftAsAnswer = (run: Run, caveat?: Caveat): Released => {
  const { text, citations, quotes, rows, missing, degraded } = lastDraft(run)
  if (quotes) return { kind: 'quoted', text: quotesOpening({ missing, degraded }), citations, quotes }
  const stating = run.grading?.text || text
  return {
    kind: 'written',
    text: stating,
    citations,
    ...(rows && { quotes: rows }),
    ...(caveat && { caveat: caveats[caveat] }),
  }
}

/** Releases quotes without a check, because quotes are words of the documents and make no claims of their own. */
export const releaseQuotes = (move: Move): Move => release(move, 'answered.quoted')

/**
 * A run that ends for one of these reasons shows no passages nearest to the question, because they would reveal what
 * the withheld draft was based on.
 */
const heldBack: Unanswered[] = [
  'unanswered.ungrounded',
  'unanswered.contradicted',
  'unanswered.conflict',
  'unanswered.unchecked',
]

/** Puts the text that the asker has already read above the fixed text, unless a reviewer edited the draft. */
const belowShown = (run: Run, answer: Released): Released =>
  run.shown && !keepsShown(run, answer) && !isEdited(run)
    ? { ...answer, text: `${run.shown.text}\n\n${answer.text}`, citations: run.shown.citations }
    : answer

const unanswered = (move: Move, reason: Unanswered, answer: Released): Move => {
  const nearest = heldBack.includes(reason) ? [] : nearestIds(move.run)
  return finish(move, 'unanswered', reason, { ...answer, ...(nearest.length > 0 && { nearest }) })
}

export const fallback = (move: Move, reason: Unanswered): Move =>
  unanswered(
    move,
    reason,
    belowShown(move.run, { kind: 'written', text: triedSummary(move.run, reason), citations: [] }),
  )

export const endNotInDocuments = (move: Move): Move => {
  const held = lastDraft(move.run).editedBy === undefined ? ruleHolds(move.run) : undefined
  return held ? park(move, held) : unanswered(move, 'unanswered.not-in-documents', draftAsAnswer(move.run))
}

/** Gives the last draft a new number, because task ids contain this number and no task id may be used twice. */
export const renumberDraft = ({ draft, grading }: Run, number: number): Pick<Run, 'draft' | 'grading'> => ({
  draft: draft && { ...draft, draft: number },
  grading: grading && { ...grading, draft: number },
})

export const park = (move: Move, reason: Parked): Move => {
  const { policy, deadline, closed } = move.run
  const last = lastDraft(move.run).draft
  const again = `review.${last}` in closed
  const held = again ? change(move, renumberDraft(move.run, last + 1)) : move
  const draft = lastDraft(held.run).draft
  const dueAt = deadline ? dueAfter(move.at, deadline.waitMs, deadline.hours) : move.at + policy.parkMs
  // A draft that a rule holds may be released only by a reviewer, even if the policy lets the asker decide.
  const decider = isByRule(reason) ? 'reviewer' : policy.decider
  // The run gets the review's deadline, because the background check for overdue runs reads only the run's deadline.
  const parked = change(held, { status: 'parked', reason, deadlineAt: dueAt })
  const task = {
    id: `review.${draft}`,
    kind: 'review',
    openedAt: move.at,
    draft,
    dueAt,
    decider,
  } as const
  return addEvent(open(parked, task), 'parked', { task: task.id, reason, decider })
}

export const endSpent = (move: Move, why: Why): Move => {
  switch (move.run.policy.whenSpent) {
    case 'park':
      return park(move, `parked.${why}`)
    case 'caveat':
      return release(move, 'answered.with-caveat', why)
    case 'mark':
      return release(move, 'answered.marked', why)
    case 'fallback':
      return fallback(move, `unanswered.${why}`)
  }
}

export const giveUp = (move: Move, why: Why): Move => {
  const { policy, grading, draft } = move.run
  if (draft?.quotes) return releaseQuotes(move)
  if (grading?.degraded) return park(move, 'parked.checked-offline')
  if (!grading || !isGrounded(policy, grading)) return endSpent(move, why)
  if (isNotInDocuments(grading)) return endNotInDocuments(move)
  return isUseful(policy, grading)
    ? release(move, 'answered.checked')
    : release(move, 'answered.incomplete', 'incomplete')
}

const hasOutcome = ({ grading, draft }: Run): boolean => grading !== undefined || draft?.quotes !== undefined

export const outOfBudget = (move: Move): Move =>
  hasOutcome(move.run) ? giveUp(move, 'budget') : fallback(move, 'unanswered.budget')

type WithoutDraft = 'unanswered.refused' | 'unanswered.all-irrelevant' | 'failed.not-written'

export const draftFailed = (move: Move, draft: number, reason: WithoutDraft): Move => {
  if (hasOutcome(move.run)) return giveUp(change(move, renumberDraft(move.run, draft)), 'ungrounded')
  return reason === 'failed.not-written' ? finish(move, 'failed', reason) : fallback(move, reason)
}
