import { stem, stopWords, tokens } from '@plumbline/knowledge/text'
import { z } from 'zod'
import type { Asked } from './asked'
import { tokensOf } from './openai/say'

const document = z.union([z.string(), z.looseObject({ text: z.string() })])
const shared = { model: z.string().min(1), query: z.string().min(1), top_n: z.int().min(1).nullish() }

const shapes = {
  1: z.strictObject({
    ...shared,
    model: z.string().min(1).nullish(),
    documents: z.array(document).min(1).max(10_000),
    rank_fields: z.array(z.string()).nullish(),
    return_documents: z.boolean().nullish(),
    max_chunks_per_doc: z.int().min(1).nullish(),
  }),
  2: z.strictObject({
    ...shared,
    documents: z.array(z.string()).min(1).max(1_000),
    max_tokens_per_doc: z.int().min(1).nullish(),
    priority: z.int().min(0).max(999).nullish(),
  }),
}

const rerank = z.looseObject({
  query: z.string(),
  documents: z.array(document),
  top_n: shared.top_n,
  return_documents: z.boolean().nullish(),
})

const versionOf = (asked: Asked): 1 | 2 => (asked.path.startsWith('/v2/') ? 2 : 1)

export const rerankFaults = (asked: Asked): string[] => {
  const read = shapes[versionOf(asked)].safeParse(asked.body)
  return read.success ? [] : read.error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`)
}

const wordsOf = (text: string): Set<string> =>
  new Set(tokens(text).flatMap((token) => (stopWords.has(token) ? [] : [stem(token)])))

/** The share of the query's words that the document holds, a little more for a document that holds little else. */
const scoreOf = (query: Set<string>, text: string): number => {
  const held = wordsOf(text)
  const common = [...query].filter((word) => held.has(word)).length
  return common === 0 ? 0.001 : 0.9 * (common / query.size) + 0.09 * (common / held.size)
}

export const rerankBody = (asked: Asked, serial: number): object => {
  const read = rerank.parse(asked.body)
  const query = wordsOf(read.query)
  const texts = read.documents.map((one) => (typeof one === 'string' ? one : one.text))
  const results = texts
    .map((text, index) => ({
      index,
      relevance_score: scoreOf(query, text),
      ...(read.return_documents && { document: { text } }),
    }))
    .sort((a, b) => b.relevance_score - a.relevance_score || a.index - b.index)
    .slice(0, read.top_n ?? texts.length)
  const units = Math.ceil(texts.length / 100)
  return {
    id: `00000000-0000-4000-8000-${`${serial}`.padStart(12, '0')}`,
    results,
    meta: {
      api_version: { version: `${versionOf(asked)}` },
      billed_units: { search_units: units },
      tokens: { input_tokens: tokensOf(asked.text), output_tokens: 0 },
    },
  }
}
