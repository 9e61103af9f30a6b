import { z } from 'zod'
import { ProviderError } from '../providers/provider'

export type Order = { index: number; score: number }[]

const index = z.number().int().nonnegative()
const Listed = z.array(z.object({ index, score: z.number() }))
const Wrapped = z
  .object({ results: z.array(z.object({ index, relevance_score: z.number() })) })
  .transform(({ results }) => results.map((one) => ({ index: one.index, score: one.relevance_score })))
const Ranking = z.union([Listed, Wrapped])

export const readOrder = (body: unknown, documents: number, host: string, all: boolean): Order => {
  const read = Ranking.safeParse(body)
  const order = read.data ?? []
  const places = new Set(order.map((one) => one.index).filter((at) => at < documents))
  if (!read.success || places.size !== order.length || (all && order.length !== documents))
    throw new ProviderError('malformed', `${host} did not return a ranking of the documents.`)
  return order
}

/** The maximum lengths in characters. Rerankers truncate or reject longer texts. */
const longest = { query: 2_000, document: 16_000 }
const nothing = '—'

export const rerankableText = (text: string, as: keyof typeof longest): string =>
  text.trim() === '' ? nothing : text.slice(0, longest[as]).toWellFormed()
