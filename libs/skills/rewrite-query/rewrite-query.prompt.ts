import { questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'
import type { RewriteQuery } from './rewrite-query'

const numbered = (all: string[]): string => all.map((each, at) => `${at + 1}. ${each}`).join('\n')

export const rewriteQueryPrompt: Prompt<Parameters<RewriteQuery>[0]> = {
  name: 'rewrite-query',
  version: 1,
  system: `A search did not bring what a question needs. You see the question, the queries that were tried, why they fell short, and some of
what they brought. Write one query that will do better, by one of five strategies:

expand-terms: other names for what is sought, where the words of the question are not the documents'.
narrow-focus: only the names, years and main word, where what came was about too many things.
rephrase-intent: the question as the heading or sentence that would answer it.
decompose: one part of the question alone, where nothing answers all of it.
add-context: words of what is missing, or of passages that came close.

The query keeps the question's subject and differs clearly from every query tried: other words, not another order. Passages that fell
short show what to move away from. Give as reason, in one sentence, what went wrong and what the query does about it.`,
  quotes: ({ question, triedQueries, failedPassages, reason }) => [
    questionQuote(question),
    { name: 'tried queries', text: numbered(triedQueries) },
    { name: 'why they fell short', text: reason },
    ...failedPassages.map((text, at) => ({ name: `passage ${at + 1} that fell short`, text })),
  ],
  task: () => 'Write the next query.',
}
