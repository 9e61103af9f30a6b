import { stem, stopWords, tokens } from '@plumbline/knowledge/text'
import { z } from 'zod'
import type { ModelRequest } from './request'
import { tokensOf } from './openai/completion'

const Rerank = z.strictObject({
  model: z.string().min(1),
  query: z.string().min(1),
  documents: z.array(z.string()).min(1).max(1_000),
  top_n: z.int().min(1).nullish(),
  max_tokens_per_doc: z.int().min(1).nullish(),
  priority: z.int().min(0).max(999).nullish(),
})

export const rerankFaults = (asked: ModelRequest): string[] => {
  const read = Rerank.safeParse(asked.body)
  return read.success ? [] : read.error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`)
}

const wordsOf = (text: string): Set<string> =>
  new Set(tokens(text).flatMap((token) => (stopWords.has(token) ? [] : [stem(token)])))

/** Scores a document by the words that it shares with the query. Its other words lower the score slightly. */
const scoreOf = (query: Set<string>, text: string): number => {
  const held = wordsOf(text)
  const common = [...query].filter((word) => held.has(word)).length
  return common === 0 ? 0.001 : 0.9 * (common / query.size) + 0.09 * (common / held.size)
}

export const rerankBody = (asked: ModelRequest, serial: number): object => {
  const { query: text, documents, top_n: most } = Rerank.parse(asked.body)
  const query = wordsOf(text)
  const results = documents
    .map((document, index) => ({ index, relevance_score: scoreOf(query, document) }))
    .sort((a, b) => b.relevance_score - a.relevance_score || a.index - b.index)
    .slice(0, most ?? documents.length)
  const units = Math.ceil(documents.length / 100)
  return {
    id: `00000000-0000-4000-8000-${`${serial}`.padStart(12, '0')}`,
    results,
    meta: {
      api_version: { version: '2' },
      billed_units: { search_units: units },
      tokens: { input_tokens: tokensOf(asked.text), output_tokens: 0 },
    },
  }
}
