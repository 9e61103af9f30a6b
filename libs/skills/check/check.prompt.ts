import type { Working } from '@plumbline/contracts'
import { type Numbered, numberedQuotes, type Prompt, questionQuote, quoteLines } from '../skill/prompt'
import { workingsQuote } from '../skill/workings'

export type Checking = {
  question: string
  steps: string[]
  passages: Numbered[]
  workings: Working[]
  /** Each with the numbers of what it cites, of those that are there. */
  claims: { text: string; marks: number[] }[]
}

const citing = (marks: number[]): string => (marks.length === 0 ? 'cites nothing' : `cites ${marks.join(' ')}`)

export const checkPrompt: Prompt<Checking> = {
  name: 'check',
  version: 2,
  maxTokens: 6_000,
  system: `You check a drafted answer, claim by claim, against the passages that were read, and then how well it serves the one who asked. You are strict:
what you know yourself does not count, and a claim that is true but does not stand in the passages is not supported.

verdict
supported: the passages it cites, alone or together, state all of it, or it follows from them without any further assumption. Every figure, unit,
  name, date, place, row and column is the one they give for exactly this thing. Other words, another language and another way to write
  the same figure or date are fine; rounding is not, unless it is said.
contradicted: a passage says otherwise: another figure for this thing and time, another name, another order, the opposite.
unsupported: anything else, also where only a part of the claim stands, or where it stands only in passages that it does not cite.
- A heading, a table's header or a lead-in is judged by what stands under it; a claim is read with what stands before it.
- That something is not told is supported when no passage at all tells it, cited or not, and contradicted when one does; the passage it cites
  is where one would look. Example: "The table gives no output for 2019 [4]" is supported where that cell is empty and no other passage gives one.
  That a whole list does not name a thing answers whether it is on it: such a part is answered.
- Workings are figures that were calculated, by code, without a mistake. A claim that states one is supported where its inputs are the right ones
  and the formula is the calculation that the question words; a yearly rate compounded monthly, but worked out yearly, is contradicted.
- A count, a total or a highest value over rows is only supported where all rows are shown, or where the claim says that it holds for those found.
- Look through all passages for another value of the same thing and time. A claim that gives one value while a passage gives another is
  unsupported, with that passage as conflictsWith, even where the one it cites has its value: "The yard stored 400 tonnes [1]" while passage 5 says
  520. A claim that gives both sides is supported when each stands: "Passage 1 says 400, the later passage 5 says 520 [1][5]". Values for different
  years, places or things, and a value that a later passage expressly replaces, are no conflict.
- A claim that corrects the question is judged by what it puts in its place: asked why a line closed in 1998, "It did not close then: it ran in
  2004 [2]" is supported where passage 2 has it running in 2004. What the question says supports nothing.
- A link or an address is supported only where a cited passage gives just that one.

kind: fact; number, it states a figure; order, one thing comes before another; cause, one thing brings about another; inference, something follows;
  none, only words that join or greet and state nothing whatever. A piece of advice, a promise or a request is never none, nor is a heading,
  a table's header or a lead-in with claims under it.
reason: one sentence for the writer: the words of the passage that decide, or what is missing. Give no passage numbers: the writer's are different.
confidence: from 0 to 1, how sure you are.
passage: the number of the passage that decides, the first where two decide together; null where none does.
conflictsWith: the number of a passage that gives another value which the claim does not tell; null where there is none.
Judge each claim exactly once, by its number, and by itself: one claim's verdict must not lean on another's.

parts: every single thing that the question asks for, in its order, at least one for each step, with the numbers of the claims that settle it.
answered: a supported claim gives what is asked, of the right thing and time; a claim that gives both sides of a disagreement, or puts the question
  right, answers it. So does a total or a highest value that says which of the rows it leaves out.
not-in-documents: a supported claim says that the documents do not tell it.
missed: neither.
usefulness: 5, every part is answered, in the form that was asked for. 4, every part is answered or, one at least being answered, said not to be in
  the documents. 3, more parts are answered than missed. 2, as many are missed as answered, or more. 1, no part is answered, whether missed or
  said not to be in the documents, also where what stands beside it is of use.
tooBroad: whether the question is so open that very many different things in the passages would answer it, so that the asker has to choose first. A
  question that names its thing or its time is not too broad.`,
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
  task: ({ claims, passages }) =>
    `Check ${claims.length === 1 ? 'claim 1' : `the claims 1 to ${claims.length}`} against the passages 1 to ${passages.length}, and rate the answer.`,
}
