import type { EndStatus, Reason, Released } from '@plumbline/contracts'
import type { Draft, Run } from '../map/run'
import { nearestIds } from './evidence'
import { type Caveat, caveats, quotesInstead, type Unanswered, whatWasTried } from './fixed-texts'
import { isGrounded, isShortOfSources } from './grounding'
import { isByRule, ruleHolds } from './hold'
import { addEvent, change, close, type Move, open } from './move'
import { dueAfter } from './working-hours'

type Why = 'ungrounded' | 'contradicted' | 'conflict' | 'unchecked' | 'budget'

const noDraft: Draft = { draft: 0, text: '', citations: [] }
export const lastDraft = (run: Run): Draft => run.draft ?? noDraft

export const finish = (move: Move, status: EndStatus, reason: Reason, answer?: Released, by?: string): Move => {
  const closed = move.run.open.reduce((rest, { id }) => close(rest, id, status), move)
  const ended = change(closed, { status, reason, endedAt: move.at, ...(answer && { answer }) })
  return addEvent(ended, 'ended', { status, reason, ...(answer && { answer }), ...(by && { by }) })
}

type Answered = Extract<Reason, `answered.${string}`>
type Parked = Extract<Reason, `parked.${string}`>
const byPerson: Answered[] = ['answered.decided', 'answered.edited', 'answered.review-overdue']

/** What only a person lets out: what rests on sensitive evidence from too few documents, and what the tenant's rules hold. */
export const mustBeReviewed = (run: Run): Parked | undefined =>
  isShortOfSources(run, lastDraft(run)) ? 'parked.sensitive' : ruleHolds(run)

export const release = (move: Move, reason: Answered, caveat?: Caveat): Move => {
  const held = byPerson.includes(reason) ? undefined : mustBeReviewed(move.run)
  return held ? park(move, held) : finish(move, 'answered', reason, draftAsAnswer(move.run, caveat))
}

/** A written draft goes out without what its check found to state nothing. */
export const draftAsAnswer = (run: Run, caveat?: Caveat): Released => {
  const { text, citations, quotes, rows, degraded } = lastDraft(run)
  if (quotes) return { kind: 'quoted', text: quotesInstead[degraded ? 'down' : 'unset'], citations, quotes }
  const stating = run.grading?.text || text
  return {
    kind: 'written',
    text: stating,
    citations,
    ...(rows && { quotes: rows }),
    ...(caveat && { caveat: caveats[caveat] }),
  }
}

/** Quotes are the documents' own words: there is no claim to hold them for. */
export const releaseQuotes = (move: Move): Move => release(move, 'answered.quoted')

/** Beside a draft that is held back, places would say what it rests on. */
const heldBack: Unanswered[] = [
  'unanswered.ungrounded',
  'unanswered.contradicted',
  'unanswered.conflict',
  'unanswered.unchecked',
]

export const unanswered = (move: Move, reason: Unanswered, answer: Released): Move => {
  const nearest = heldBack.includes(reason) ? [] : nearestIds(move.run)
  return finish(move, 'unanswered', reason, { ...answer, ...(nearest.length > 0 && { nearest }) })
}

/** Without an answer a run ends with what was tried, in fixed words. */
export const fallback = (move: Move, reason: Unanswered): Move =>
  unanswered(move, reason, { kind: 'written', text: whatWasTried(move.run, reason), citations: [] })

/** The last draft under another number: a task's id is used once. */
export const renumbered = ({ draft, grading }: Run, number: number): Pick<Run, 'draft' | 'grading'> => ({
  draft: draft && { ...draft, draft: number },
  grading: grading && { ...grading, draft: number },
})

export const park = (move: Move, reason: Parked): Move => {
  const { policy, deadline, closed } = move.run
  const last = lastDraft(move.run).draft
  const again = `review.${last}` in closed
  const held = again ? change(move, renumbered(move.run, last + 1)) : move
  const draft = lastDraft(held.run).draft
  const dueAt = deadline ? dueAfter(move.at, deadline.waitMs, deadline.hours) : move.at + policy.parkMs
  // An asker who decides cannot release: what a rule holds is for reviewers.
  const decider = isByRule(reason) ? 'reviewer' : policy.decider
  // A parked run's deadline is its review's: whoever looks at deadlines needs to know only one.
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

/** Where a draft that did not pass goes when nothing more may be tried. */
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

/** No better draft will come: quotes go out, and so does what stands in itself, even where more was wanted. */
export const giveUp = (move: Move, why: Why): Move => {
  const { policy, grading, draft } = move.run
  if (draft?.quotes) return releaseQuotes(move)
  if (grading?.degraded) return park(move, 'parked.checked-offline')
  return grading && isGrounded(policy, grading)
    ? release(move, 'answered.incomplete', 'incomplete')
    : endSpent(move, why)
}

/** A draft that was never checked is not let out because nothing more may be spent. */
const hasOutcome = ({ grading, draft }: Run): boolean => grading !== undefined || draft?.quotes !== undefined

export const outOfBudget = (move: Move): Move =>
  hasOutcome(move.run) ? giveUp(move, 'budget') : fallback(move, 'unanswered.budget')

/** A draft that could not be written: the one before it goes where a draft goes for which nothing more may be tried. */
export const draftFailed = (move: Move, draft: number, reason: 'unanswered.refused' | 'failed.not-written'): Move => {
  if (hasOutcome(move.run)) return giveUp(change(move, renumbered(move.run, draft)), 'ungrounded')
  return reason === 'failed.not-written' ? finish(move, 'failed', reason) : fallback(move, reason)
}
