import { Strategy } from '@plumbline/contracts'
import { words } from '@plumbline/knowledge/text'
import { z } from 'zod'
import { askModel, type ModelOf } from '../skill/ask-model'
import { type Prompt, questionQuote, type Quote, quoteLines } from '../skill/prompt'
import type { FailedPassage, RetryQuery } from '../skill/skill'

const numbered = (all: string[]): string => all.map((each, at) => `${at + 1}. ${each}`).join('\n')

const failedQuote = ({ title, text, level, reason }: FailedPassage, at: number): Quote => {
  const lines = [`Document: ${title}`, ...(level ? [`Graded: ${level}`] : []), ...(reason ? [`Why: ${reason}`] : [])]
  return { name: `passage ${at + 1} that fell short`, text: `${lines.join('\n')}\n\n${text}` }
}

export const retryQueryPrompt: Prompt<Parameters<RetryQuery>[0]> = {
  name: 'rewrite-query',
  version: 4,
  maxTokens: 300,
  system: `You write the next search query after others fell short. You see the question, the tried queries, why they fell short, and some failed passages
with their document and grade. Choose one of five strategies:

expand-terms: other names for the thing, if the documents use other words.
narrow-focus: only the names, years and main word, if too much was found.
rephrase-intent: the heading or sentence that would answer it.
decompose: one part of the question alone.
add-context: words of what is missing, or of passages that came close.

Keep the question's subject. Use other words than each tried query, not another order. The failed passages show the words and language of the documents.
query: null if a query in other words was tried as well and nothing came close, so that the documents do not seem to cover it.
reason: at most fifteen words on what went wrong and what the query changes.`,
  quotes: ({ question, triedQueries, failedPassages, reason }) => [
    questionQuote(question),
    ...quoteLines('tried queries', triedQueries.length > 0 ? [numbered(triedQueries)] : []),
    { name: 'why they fell short', text: reason },
    ...failedPassages.map(failedQuote),
  ],
  task: () => 'Write the next query.',
}

const Rewritten = z.object({
  reason: z.string().min(1),
  strategy: Strategy,
  query: z.string().trim().min(1).nullable(),
})

/** Two queries count as the same if they share at least this part of their words. */
const sameShare = 0.8

const nearCopy = (a: string, b: string): boolean => {
  const [left, right] = [new Set(words(a)), new Set(words(b))]
  const both = [...left].filter((word) => right.has(word)).length
  const either = left.size + right.size - both
  return either === 0 || both / either >= sameShare
}

export const llmRetryQuery =
  (chat: ModelOf): RetryQuery =>
  async (input, call) => {
    const faultIn = ({ query }: z.infer<typeof Rewritten>): string | null => {
      if (query === null) return null
      if (nearCopy(query, input.question)) return 'The query says the same as the question.'
      const earlier = input.triedQueries.findIndex((each) => nearCopy(query, each))
      return earlier === -1 ? null : `The query says the same as tried query ${earlier + 1}.`
    }
    const request = { chat, skill: 'rewriteQuery' as const, prompt: retryQueryPrompt, input, call }
    const result = await askModel({ ...request, schema: Rewritten, faultIn })
    if (result.kind === 'refused' || result.fault !== null) return null
    const { query, ...why } = result.value
    return query === null ? null : { ...why, query }
  }
