import { collectionQuotes, questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'
import type { Plan } from '../skill'

export const planPrompt: Prompt<Parameters<Plan>[0]> = {
  name: 'plan',
  version: 2,
  maxTokens: 1_500,
  system: `You cut a question into the look-ups that answer it from a company's documents, of which you see what their collections are about. Each step is
one question that somebody who sees nothing else can look up: it names its thing, its value and its time in full, with no "it" or "the same".

A question that one look-up answers stays one step, in its own words. Most others need two to four steps; take more only where more
things are asked, and keep several years or values of one thing together.
A comparison has one step for each side. Do not plan steps that compare, calculate or sum up: that is done afterwards.
Where a step needs what an earlier one finds, write # and that step's number in its place, and name that number as waitsFor:
  1. Who directed the film Jaws?   waitsFor: null
  2. Where was #1 born?            waitsFor: 1
A step waits for at most one other. All others have waitsFor null, so that they run at once.

queries: what is searched beside the step's own question: each goes about it in another way, in the words a document's heading or table would have,
  in other terms for the same, or from the side of the answer. Keep names, years and codes as they are written; add no facts. Where the
  descriptions are in another language than the question, at least one query is in theirs, even if none is wanted. A step that waits has no queries.
Write the steps in the language of the question. Give as logic, in one sentence, why these steps.`,
  stable: ({ collections }) => collectionQuotes(collections),
  quotes: ({ question }) => [questionQuote(question)],
  task: ({ maxSteps, queries }) =>
    `Plan the question in at most ${maxSteps} steps, each that does not wait with ${queries} ${queries === 1 ? 'query' : 'queries'}.`,
}
