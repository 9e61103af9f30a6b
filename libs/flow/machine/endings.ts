import type { EndStatus, Reason, Released } from '@plumbline/contracts'
import type { Draft, Run } from '../map/run'
import { nearestIds } from './evidence'
import { isGrounded, isShortOfSources } from './grounding'
import type { Move } from './move'
import { change, close, open, tell } from './move'

type Why = 'ungrounded' | 'contradicted' | 'conflict' | 'unchecked' | 'budget'

const caveats: Record<Why | 'incomplete' | 'overdue' | 'general', string> = {
  ungrounded: 'Not every statement of this answer is supported by the documents.',
  contradicted: 'The documents contradict a statement of this answer.',
  conflict: 'The documents give different values for something that this answer states.',
  unchecked: 'This answer was not checked against the documents.',
  budget: 'This answer did not pass its check against the documents.',
  incomplete: 'Not every part of the question is answered.',
  general: 'This is general knowledge of the model: no document was read and nothing was checked.',
  overdue: 'This answer did not pass its check, and nobody has reviewed it.',
}
export type Caveat = keyof typeof caveats

const noDraft: Draft = { draft: 0, text: '', citations: [] }
export const lastDraft = (run: Run): Draft => run.draft ?? noDraft

export const finish = (move: Move, status: EndStatus, reason: Reason, answer?: Released, by?: string): Move => {
  const closed = move.run.open.reduce((rest, { id }) => close(rest, id, status), move)
  const ended = change(closed, { status, reason, endedAt: move.at, ...(answer && { answer }) })
  return tell(ended, { type: 'ended', audience: 'asker', status, reason, ...(answer && { answer }), ...(by && { by }) })
}

type Answered = Extract<Reason, `answered.${string}`>
const byPerson: Answered[] = ['answered.decided', 'answered.edited', 'answered.review-overdue']

/** What rests on sensitive evidence from too few documents is let out by a person or not at all. */
export const release = (move: Move, reason: Answered, caveat?: Caveat): Move =>
  !byPerson.includes(reason) && isShortOfSources(move.run, lastDraft(move.run))
    ? park(move, 'parked.sensitive')
    : finish(move, 'answered', reason, draftAsAnswer(move.run, caveat))

export const draftAsAnswer = (run: Run, caveat?: Caveat): Released => {
  const { text, citations, quotes, degraded } = lastDraft(run)
  if (quotes) return { kind: 'quoted', text: degraded ? quotedInstead : quoted, citations, quotes }
  return { kind: 'written', text, citations, ...(caveat && { caveat: caveats[caveat] }) }
}

/** Quotes are the documents' own words: there is no claim to hold them for. */
export const releaseQuotes = (move: Move): Move => release(move, 'answered.quoted')

const quoted = 'No model is set up to write an answer, so these are the places in your documents that come closest.'
const quotedInstead =
  'No model can be reached to write an answer now, so these are the places in your documents that come closest.'

/** What is said of a search that led to no answer: the asker's own words, and how often it was tried. */
const opening: Record<Extract<Reason, `unanswered.${string}`>, (asked: string) => string> = {
  'unanswered.nothing-found': (asked) => `I found no place in these documents that speaks of ${asked}.`,
  'unanswered.all-irrelevant': (asked) =>
    `I found places that share words with ${asked}, and none of them bears on it.`,
  'unanswered.too-little-found': (asked) => `I found too little that bears on ${asked} to write from.`,
  'unanswered.no-web': (asked) => `I found too little that bears on ${asked}, and web search is off.`,
  'unanswered.budget': (asked) => `I stopped looking for ${asked}: what this question may cost is used up.`,
  'unanswered.refused': (asked) => `The model would not answer ${asked}.`,
  'unanswered.ungrounded': (asked) => `I wrote no answer to ${asked} that passed its check, so none is shown.`,
  'unanswered.contradicted': (asked) => `I wrote no answer to ${asked} that passed its check, so none is shown.`,
  'unanswered.conflict': (asked) => `The places that bear on ${asked} give different values, so no answer is shown.`,
  'unanswered.unchecked': (asked) => `I wrote no answer to ${asked} that could be checked, so none is shown.`,
  'unanswered.not-in-documents': (asked) => `I found no place in these documents that answers ${asked}.`,
}

/** Says what was tried in the asker's words only: filled-in questions may hold words of the documents. */
export const fallback = (move: Move, reason: Extract<Reason, `unanswered.${string}`>): Move => {
  const { steps, collections } = move.run
  const queries = steps.reduce((sum, step) => sum + step.queries.length, 0)
  const asked = steps.map(({ question }) => `“${question}”`).join(', ')
  const strategies = [...new Set(steps.flatMap((step) => step.strategies ?? []))].map((strategy) =>
    strategy.replace('-', ' '),
  )
  const where = collections.length > 0 ? ` in ${collections.join(', ')}` : ''
  const ways = strategies.length > 0 ? `, rewritten to ${strategies.join(', ')}` : ''
  const text = `${opening[reason](asked)} Searched${where} with ${queries} ${queries === 1 ? 'query' : 'queries'}${ways}.`
  // Beside a draft that is held back they would say what it rests on.
  const nearest = move.run.draft ? [] : nearestIds(move.run)
  return finish(move, 'unanswered', reason, { text, citations: [], ...(nearest.length > 0 && { nearest }) })
}

/** The last draft under another number: a task's id is used once. */
export const renumbered = ({ draft, grading }: Run, number: number): Pick<Run, 'draft' | 'grading'> => ({
  draft: draft && { ...draft, draft: number },
  grading: grading && { ...grading, draft: number },
})

export const park = (move: Move, reason: Extract<Reason, `parked.${string}`>): Move => {
  const { policy, closed } = move.run
  const last = lastDraft(move.run).draft
  const again = `review.${last}` in closed
  const held = again ? change(move, renumbered(move.run, last + 1)) : move
  const draft = lastDraft(held.run).draft
  const dueAt = move.at + policy.parkMs
  // A parked run's deadline is its review's: whoever looks at deadlines needs to know only one.
  const parked = change(held, { status: 'parked', reason, deadlineAt: dueAt })
  const task = {
    id: `review.${draft}`,
    kind: 'review',
    openedAt: move.at,
    draft,
    dueAt,
    decider: policy.decider,
  } as const
  return tell(open(parked, task), { type: 'parked', audience: 'asker', task: task.id, reason, decider: policy.decider })
}

/** Where a draft that did not pass goes when nothing more may be tried. */
export const spent = (move: Move, why: Why): Move => {
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

/** The last draft has been checked and no better one will come: what stands in itself is released, even where more was wanted. */
export const giveUp = (move: Move, why: Why): Move => {
  const { policy, grading } = move.run
  if (grading?.degraded) return park(move, 'parked.checked-offline')
  return grading && isGrounded(policy, grading) ? release(move, 'answered.incomplete', 'incomplete') : spent(move, why)
}

export const outOfBudget = (move: Move): Move =>
  move.run.grading ? giveUp(move, 'budget') : finish(move, 'unanswered', 'unanswered.budget')

/** A draft that could not be written: the one before it goes where a draft goes for which nothing more may be tried. */
export const unwritten = (move: Move, draft: number, status: EndStatus, reason: Reason): Move =>
  move.run.grading ? giveUp(change(move, renumbered(move.run, draft)), 'ungrounded') : finish(move, status, reason)
