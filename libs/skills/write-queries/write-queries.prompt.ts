import { questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'
import type { WriteQueries } from './write-queries'

export const writeQueriesPrompt: Prompt<Parameters<WriteQueries>[0]> = {
  name: 'write-queries',
  version: 1,
  system: `You write search queries that find the passages in which a question is answered. The question itself is searched as well, so each
query goes about it in another way: in the words that a document's heading or table would have, in other terms for the same thing, or from
the side of the answer. Keep every name, year and code of the question as it is written; add no facts.`,
  quotes: ({ question }) => [questionQuote(question)],
  task: ({ count }) => `Write ${count} ${count === 1 ? 'query' : 'queries'}.`,
}
