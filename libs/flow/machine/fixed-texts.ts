import type { Reason } from '@plumbline/contracts'
import type { Run } from '../map/run'

/** Stands before an answer that is let out although it did not pass, or that no document was read for. */
export const caveats = {
  ungrounded: 'Not every statement of this answer is supported by the documents.',
  contradicted: 'The documents contradict a statement of this answer.',
  conflict: 'The documents give different values for something that this answer states.',
  unchecked: 'This answer was not checked against the documents.',
  budget: 'This answer did not pass its check against the documents.',
  incomplete: 'Not every part of the question is answered.',
  general: 'This is general knowledge of the model: no document was read and nothing was checked.',
  reply: 'This is a general reply. It is not from the documents.',
  overdue: 'This answer did not pass its check, and nobody has reviewed it.',
  unreviewed: 'This answer was to be reviewed by a person, and nobody has done so.',
}
export type Caveat = keyof typeof caveats

export const quotesInstead = {
  unset: 'No model is set up to write an answer, so these are the places in your documents that come closest.',
  down: 'No model can be reached to write an answer now, so these are the places in your documents that come closest.',
}

/** What is replied where a model's own words cannot be. */
export const replies = {
  general: 'I can only tell what stands in the documents here. What would you like to know from them?',
  clarify: 'Which part of this, which case or which time do you mean?',
  narrow: 'Which part of this, which case or which time matters most to you?',
  decline: 'This question is outside what the documents here are for.',
  noWeb: 'This question needs a search of the web, which is off.',
}

export type Unanswered = Extract<Reason, `unanswered.${string}`>

/** How far a search came that led to no answer. None says that something stands nowhere: only what was read is known. */
const openings: Record<Unanswered, (asked: string) => string> = {
  'unanswered.nothing-found': (asked) => `I found no place in these documents that speaks of ${asked}.`,
  'unanswered.all-irrelevant': (asked) => `The places I found for ${asked} were all judged to be about something else.`,
  'unanswered.too-little-found': (asked) => `I found too little that bears on ${asked} to write from.`,
  'unanswered.no-web': (asked) => `I found too little that bears on ${asked}, and web search is off.`,
  'unanswered.budget': (asked) => `I stopped looking for ${asked}: what this question may use is used up.`,
  'unanswered.refused': (asked) => `The model refused to answer ${asked}.`,
  'unanswered.ungrounded': (asked) => `No draft of an answer to ${asked} passed its check, so none is shown.`,
  'unanswered.contradicted': (asked) => `No draft of an answer to ${asked} passed its check, so none is shown.`,
  'unanswered.conflict': (asked) => `The places that bear on ${asked} give different values, so no answer is shown.`,
  'unanswered.unchecked': (asked) => `No draft of an answer to ${asked} could be checked, so none is shown.`,
  'unanswered.not-in-documents': (asked) =>
    `I read the places that come closest to ${asked} and found none that answers it.`,
}

const searched = ({ steps, collections }: Run): string[] => {
  const queries = steps.reduce((sum, step) => sum + step.queries.length, 0)
  if (queries === 0) return []
  const strategies = [...new Set(steps.flatMap((step) => step.strategies ?? []))].map((way) => way.replace('-', ' '))
  const where = collections.length > 0 ? ` in ${collections.join(', ')}` : ''
  const ways = strategies.length > 0 ? `, rewritten to ${strategies.join(', ')}` : ''
  return [`Searched${where} with ${queries} ${queries === 1 ? 'query' : 'queries'}${ways}.`]
}

const beingRead = ({ steps }: Run): string[] => {
  const most = Math.max(0, ...steps.map((step) => step.beingRead ?? 0))
  if (most === 0) return []
  return [`${most === 1 ? '1 document is' : `${most} documents are`} still being read. Ask again when that is done.`]
}

/** Names the question in the asker's own words: those of steps and queries are a model's, and may hold words of the documents. */
export const whatWasTried = (run: Run, reason: Unanswered): string =>
  [openings[reason](`“${run.question}”`), ...beingRead(run), ...searched(run)].join(' ')
