import type { Evidence, Working } from '@plumbline/contracts'
import { passageQuote, questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'
import { workingsQuote } from '../asking/workings'

type Input = {
  question: string
  claims: string[]
  passages: Evidence[]
  workings: Working[]
  about: 'what is said' | 'what is not said'
}

export const checkClaimsPrompt: Prompt<Input> = {
  name: 'check-claims',
  version: 1,
  system: `You check claims against passages, strictly and one by one. What you know yourself does not count, and a claim that is true but does
not stand in the passages is not supported.

supported: the passages state all of it, or it follows from them without any further assumption. Every figure, unit, name, date, place, row
  and column must be the one the passages give for exactly this thing. Other words for the same are fine; rounding is not, unless it is said.
contradicted: the passages say otherwise: another figure for this thing and time, another name, another order, the opposite.
unsupported: anything else, also where only a part of the claim stands in the passages.
A claim that something is not reported is supported when no passage reports it, and contradicted when one does. Workings are figures that
were calculated from the passages: a claim that states one as it is, is supported where its inputs stand in the passages.
A claim that sources differ is supported when each side stands in a passage. A claim that corrects the question is judged by what it puts in
its place.
The question only tells what a short claim is about; nothing it says supports a claim.

kind: number, it states a figure; order, that one thing comes before another; cause, that one thing brings about another; inference, that
something follows; fact, all else.
reason: one sentence that quotes the words of the passage which decide, or names what is missing.
passage: the number of the passage that decides; null where none does.
confidence: from 0 to 1, how sure you are of the verdict.
Give exactly one judgement for each claim, by its number.`,
  quotes: ({ question, claims, passages, workings }) => [
    ...passages.map((passage, at) => passageQuote(passage, at + 1)),
    ...workingsQuote(workings, passages),
    questionQuote(question),
    ...claims.map((text, at) => ({ name: `claim ${at + 1}`, text })),
  ],
  task: ({ claims, about }) =>
    `Check ${claims.length === 1 ? 'claim 1' : `the claims 1 to ${claims.length}`}: ${
      about === 'what is said'
        ? 'these are the passages they cite.'
        : 'they say what is not reported; these are all passages that were read.'
    }`,
}
