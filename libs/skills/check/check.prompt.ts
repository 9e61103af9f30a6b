import type { Working } from '@plumbline/contracts'
import { type NumberedPassage, numberedQuotes, type Prompt, questionQuote, quoteLines } from '../skill/prompt'
import { workingsQuote } from '../skill/workings'

export type CheckInput = {
  question: string
  steps: string[]
  passages: NumberedPassage[]
  workings: Working[]
  claims: { text: string; marks: number[] }[]
  known: number
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

export const checkPrompt: Prompt<CheckInput> = {
  name: 'check',
  version: 5,
  maxTokens: 6_000,
  system: `You check a drafted answer claim by claim against the passages, then rate it. Be strict: your own knowledge does not count.

Put each claim number exactly once, into supported, failed or nothing. Judge each claim by itself, read with the claims before it.
supported: the cited passages, alone or together, state all of it, or it follows from them without a further assumption. Each figure, unit, name, date,
  row and column is right for exactly this thing. Other words, another language and another notation of a figure or date are fine (4,50 is 4.50);
  so is rounding to the decimals of a working. passage: the number of the passage that decides.
failed, verdict contradicted: a passage says otherwise. verdict unsupported: all else, also if only part of it is stated, or only by uncited passages.
  reason: one sentence for the writer, without passage numbers: the deciding words of the passage, or what is missing.
  passage: the deciding passage or null. conflictsWith: a passage with another value that the claim leaves out, or null.
nothing: words that join or greet and state nothing. Never advice, a promise or a request.
- A heading, a table's header or a lead-in is supported if the text under it is.
- "The documents do not say" is supported if no passage says it, cited or not, and contradicted if one does. An empty cell says nothing.
- A working is calculated by code without mistakes. It is supported if its inputs are right and its formula is the one that the question words.
- A count, a total, a highest value or a list that claims to be complete needs all rows in the passages, or must say that it covers the rows found.
- Search all passages for another value of the same thing and time. A claim with one value is then unsupported, with conflictsWith. A claim with both
  values is supported. Other years or things, or a value that a later passage replaces, are no conflict.
- Compare dates with today. A claim that an expired rule or timetable holds now is unsupported. A claim that it has expired is supported by its dates.
- A claim that corrects the question is judged by its correction. The question supports nothing.
- A link or address must be written just so in a cited passage.
absent: numbers of the claims that say that the documents do not say something, also if they are supported.
sensitive: the answer advises a person on health, rights or savings, where no single source should decide. An organization's own rules, prices,
  instructions and figures are not sensitive.
outdated: cited passages that no longer hold today by their own dates or by another passage, unless the question asks for that earlier time
  or the claim itself says that they no longer hold.
lowAuthority: cited passages that are hearsay or opinion.

parts: each thing that the question asks for, in order; with steps, one part a step in the words of the step. claims: the numbers of claims that settle it.
  outcome answered: a supported claim answers it, states both sides of a conflict, corrects the question, or says that a whole list does not name the thing.
  not-in-documents: a supported claim says that the documents do not say. missed: neither.
usefulness: 5, each part is answered or rightly not in the documents, in the form asked for. 4, the same in another form. 3, more parts are settled than
  missed. 2, fewer. 1, none.
tooBroad: the question names neither its thing nor its time, and very many different answers fit.
why: null if usefulness is above 3 and tooBroad is false; else one line: what is missing, or why it is too broad.
confidence: 0 to 1, in all verdicts together.`,
  stable: ({ passages }) => numberedQuotes(passages),
  quotes: ({ question, steps, passages, workings, claims }) => [
    questionQuote(question),
    ...(steps.length > 1
      ? quoteLines(
          'steps',
          steps.map((step) => `- ${step}`),
        )
      : []),
    ...workingsQuote(workings, passages),
    ...claims.map(({ text, marks }, at) => ({ name: `claim ${at + 1}, ${citing(marks)}`, text })),
  ],
  task: ({ claims, passages, known }) =>
    `${knownClaims(known)}${claims.length > known ? `Check ${claimNumbers(known, claims.length)} against ${against(passages)}, and rate` : 'Rate'} the answer.`,
}

/** Requests a short reply, because the asker is waiting. */
export const checkPartPrompt: Prompt<CheckInput> = {
  name: 'check-part',
  version: 1,
  maxTokens: 2_000,
  system: `You check the beginning of an answer that is still being written, claim by claim, against the passages. A supported claim is shown to its
reader at once and cannot be taken back. Be strict: your own knowledge does not count.

Put each claim number that you are asked to check exactly once, into supported or wait. Read each claim with the claims before it.
supported: the cited passages, alone or together, state all of it, or it follows from them without a further assumption. Each figure, unit, name, date,
  row and column is right for exactly this thing. Other words, another language and another notation of a figure or date are fine (4,50 is 4.50);
  so is rounding to the decimals of a working. passage: the passage that decides; if several do, the one with the main figure.
  A start date or an age alone does not end a rule, and a claim that names its own past period or version is right for that period.
wait: every other claim, and also each of these:
- a claim that the documents do not say something, also if a table is shown whole
- a claim for whose thing and time a passage gives another value, even if the claim names both; a rule and its exception are no conflict
- a claim that an expired rule, price or plan holds now, or a claim from hearsay or opinion
- a count, a total, a highest value or a list that claims to be complete, unless the passages show the whole table or list
- advice for the asker's own health, rights or savings; to restate a rule of the documents is not advice
- a claim with "it", "they", "this" or "the same" for something that an earlier claim gets wrong
Judge a heading, a table's header or a lead-in by its own words. A link or address must be written just so in a cited passage.
A working is calculated by code without mistakes. It is supported if its inputs are in the passages or the question, and its formula is the one that the
question words.`,
  stable: checkPrompt.stable,
  quotes: checkPrompt.quotes,
  task: ({ claims, passages, known }) =>
    `${knownClaims(known)}Check ${claimNumbers(known, claims.length)} against ${against(passages)}.`,
}
