import type { Reason } from '@plumbline/contracts'
import type { Draft, Run } from '../schema/run'

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
  unreviewed: 'This answer needed a review by a person, but nobody has reviewed it.',
}
export type Caveat = keyof typeof caveats

const quotesInstead = {
  unset: 'No model is set up to write an answer. These are the closest passages in your documents.',
  down: 'No model can be reached now to write an answer. These are the closest passages in your documents.',
}

const either = new Intl.ListFormat('en', { type: 'disjunction' })
const mostMissing = 5

export const quotesOpening = ({ missing = [], degraded }: Pick<Draft, 'missing' | 'degraded'>): string => {
  const opening = quotesInstead[degraded ? 'down' : 'unset']
  if (missing.length === 0) return opening
  const words = missing.slice(0, mostMissing).map((word) => `“${word}”`)
  return `${opening} None of them contains ${either.format(words)}.`
}

export const replies = {
  general: 'I can only answer from the documents here. What would you like to know from them?',
  clarify: 'Could you say which part, case or time you mean?',
  narrow: 'Which part, case or time matters most to you?',
  decline: 'This question is outside the scope of these documents.',
  noWeb: 'This question needs a web search, but web search is off.',
}

export type Unanswered = Extract<Reason, `unanswered.${string}`>

/** None of these texts says that the documents contain no answer, because the run did not read all passages. */
const openings: Record<Unanswered, (asked: string) => string> = {
  'unanswered.nothing-found': (asked) => `I found nothing about ${asked} in these documents.`,
  'unanswered.all-irrelevant': (asked) => `I found passages for ${asked}, but all of them are about something else.`,
  'unanswered.too-little-found': (asked) => `I found too little about ${asked} to write an answer.`,
  'unanswered.no-web': (asked) => `I found too little about ${asked}, and web search is off.`,
  'unanswered.budget': (asked) => `I stopped looking for ${asked} because the budget for this question is used up.`,
  'unanswered.refused': (asked) => `The model refused to answer ${asked}.`,
  'unanswered.ungrounded': (asked) => `No draft of an answer to ${asked} passed its check, so none is shown.`,
  'unanswered.contradicted': (asked) => `No draft of an answer to ${asked} passed its check, so none is shown.`,
  'unanswered.conflict': (asked) => `The passages about ${asked} give different values, so no answer is shown.`,
  'unanswered.unchecked': (asked) => `No draft of an answer to ${asked} could be checked, so none is shown.`,
  'unanswered.not-in-documents': (asked) => `I read the closest passages for ${asked}, but none of them answers it.`,
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

/** Quotes only the asker's question, because steps and queries may contain words of the documents. */
export const triedSummary = (run: Run, reason: Unanswered): string =>
  [openings[reason](`“${run.question}”`), ...beingRead(run), ...searched(run)].join(' ')
