import type { Working } from '@plumbline/contracts'
import {
  collectionQuotes,
  type NumberedPassage,
  type Prompt,
  questionQuote,
  type Quote,
  quoteLines,
} from '../skill/prompt'
import type { CollectionCard } from '../skill/skill'
import { workingsQuote } from '../skill/workings'

export type CheckInput = {
  question: string
  steps: string[]
  passages: NumberedPassage[]
  workings: Working[]
  claims: { text: string; marks: number[] }[]
  known: number
  /** The descriptions of the collections can say which collection has more authority. */
  collections?: CollectionCard[]
}

const citing = (marks: number[]): string => (marks.length === 0 ? 'cites nothing' : `cites ${marks.join(' ')}`)

const claimNumbers = (known: number, all: number): string =>
  all === known + 1 ? `claim ${all}` : `the claims ${known + 1} to ${all}`
const knownClaims = (known: number): string => {
  if (known === 0) return ''
  return known === 1
    ? 'Claim 1 was found supported before: do not list it again. '
    : `The claims 1 to ${known} were found supported before: do not list them again. `
}
const against = (passages: readonly NumberedPassage[]): string =>
  passages.length === 1 ? 'the passage' : `the ${passages.length} passages`

const claimLines = ({ claims }: CheckInput): Quote[] =>
  quoteLines(
    'claims',
    claims.map(({ text, marks }, at) => `${at + 1}, ${citing(marks)}: ${text}`),
  )

const quotesOf = (input: CheckInput): Quote[] => {
  const { question, steps, passages, workings, collections = [] } = input
  return [
    ...collectionQuotes(collections),
    questionQuote(question),
    ...(steps.length > 1
      ? quoteLines(
          'steps',
          steps.map((step) => `- ${step}`),
        )
      : []),
    ...workingsQuote(workings, passages),
    ...claimLines(input),
  ]
}

const workingsRule = ({ workings }: CheckInput): string =>
  workings.length === 0
    ? ''
    : 'A working is calculated by code without mistakes. A claim with its result is supported if the inputs are right and the formula is the one that the question words, also if it rounds the result. '
const stepsRule = ({ steps }: CheckInput): string =>
  steps.length > 1 ? 'The parts are the steps, in the words of the steps. ' : ''

export const checkPrompt: Prompt<CheckInput> = {
  name: 'check',
  version: 7,
  maxTokens: 6_000,
  system: `Check a drafted answer against the passages, claim by claim, then rate it. Be strict.

Judge each claim by itself, read with the claims before it. List its number once: in supported, or with its verdict in others.
supported: its cited passages, alone or together, state all of it, or it follows from them without a further assumption. Other words, another language
  and another notation of a figure or date are fine (4,50 is 4.50).
others: verdict contradicted if a passage says otherwise; nothing for words that join or greet and state nothing, never for advice, a promise or a
  request; else unsupported, also if only a part of it is stated, or only by uncited passages. reason: one sentence for the writer, without passage
  numbers: the deciding words, or what is missing. passage: the one that decides, or null. conflictsWith: a passage with another value that the claim
  leaves out, or null.
- A heading, a table's header or a lead-in is supported if the text under it is.
- "The documents do not say" is supported if no passage says it, cited or not, and contradicted if one does.
- A count, a total, a highest value or a list that claims to be complete needs all rows in the passages, or must say that it covers the rows found.
- Search all passages for another value of the same thing and time. A claim with one value is then unsupported, with conflictsWith; a claim with both is
  supported. Other years or things, or a value that a later passage replaces, are no conflict.
- That an expired rule or timetable holds now is unsupported. That it has expired is supported by its dates.
- A claim that corrects the question is judged by its correction.
marks: one entry for each of these; most answers have none.
  absent, with a claim's number: the claim that the documents do not say something, also if it is supported.
  sensitive, with null: the answer advises a person on health, rights or savings, where no single source should decide. An organization's own rules,
  prices, instructions and figures are not sensitive.
  outdated, with a passage's number: a cited passage that no longer holds today by its own dates or by another passage, unless the question asks for
  that time or the claim says so.
  lowAuthority, with a passage's number: a cited passage that is hearsay or opinion, or that its collection, title or text makes weaker than another
  passage about the same.

parts: each thing that the question asks for, in order, with the claims that settle it. outcome answered: a supported claim answers it, states both sides
  of a conflict, corrects the question, or says that a whole list does not name the thing. not-in-documents: a supported claim says that the documents do
  not say. missed: neither. why: for missed, one line on what is missing; else null.
  If the question asks how something is done, each step that the passages prescribe for it and no claim gives is one more part, missed.
usefulness: 5, each part is answered or rightly not in the documents, in the form asked for. 4, the same in another form. 3, more parts are settled than
  missed. 2, fewer. 1, none. why: below 4, one line on what is lacking; else null.
tooBroad: if the question names neither its thing nor its time, and very many different answers fit, one line on what it leaves open; else null.
confidence: 0 to 1, in all verdicts together.`,
  passages: ({ passages }) => passages,
  quotes: quotesOf,
  task: (input) => {
    const { claims, passages, known } = input
    const rate =
      claims.length > known
        ? `Check ${claimNumbers(known, claims.length)} against ${against(passages)}, and rate`
        : 'Rate'
    return `${workingsRule(input)}${stepsRule(input)}${knownClaims(known)}${rate} the answer.`
  },
}

/** The reply is short, because the asker is waiting for it. */
export const checkPartPrompt: Prompt<CheckInput> = {
  name: 'check-part',
  version: 3,
  maxTokens: 2_000,
  system: `Check the beginning of an answer that is still being written, claim by claim, against the passages. A supported claim is shown to its reader at
once and cannot be taken back. Be strict.

Put each claim number that you are asked to check exactly once, into supported or wait. Read each claim with the claims before it.
supported: the cited passages, alone or together, state all of it, or it follows from them without a further assumption. Other words, another language
  and another notation of a figure or date are fine (4,50 is 4.50).
  A start date or an age alone does not end a rule, and a claim that names its own past period or version is right for that period.
wait: every other claim, and also each of these:
- a claim that the documents do not say something, also if a table is shown whole
- a claim for whose thing and time a passage gives another value, even if the claim names both; a rule and its exception are no conflict
- a claim that an expired rule, price or plan holds now, or a claim from hearsay or opinion
- a count, a total, a highest value or a list that claims to be complete, unless the passages show the whole table or list
- advice for the asker's own health, rights or savings; to restate a rule of the documents is not advice
- a claim with "it", "they", "this" or "the same" for something that an earlier claim gets wrong
Judge a heading, a table's header or a lead-in by its own words.`,
  passages: ({ passages }) => passages,
  quotes: quotesOf,
  task: (input) =>
    `${workingsRule(input)}${knownClaims(input.known)}Check ${claimNumbers(input.known, input.claims.length)} against ${against(input.passages)}.`,
}
