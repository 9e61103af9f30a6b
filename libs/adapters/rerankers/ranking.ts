import { z } from 'zod'
import { ProviderError } from '../providers/provider'

export type Order = { index: number; score: number }[]

const index = z.number().int().nonnegative()
const Listed = z.array(z.object({ index, score: z.number() }))
const Wrapped = z
  .object({ results: z.array(z.object({ index, relevance_score: z.number() })) })
  .transform(({ results }) => results.map((one) => ({ index: one.index, score: one.relevance_score })))
const Ranking = z.union([Listed, Wrapped])

/** The order of documents with the scores as they are, in whichever of the two forms a server answers; `all`: none may be missing. */
export const readOrder = (body: unknown, documents: number, host: string, all: boolean): Order => {
  const read = Ranking.safeParse(body)
  const order = read.data ?? []
  const places = new Set(order.map((one) => one.index).filter((at) => at < documents))
  if (!read.success || places.size !== order.length || (all && order.length !== documents))
    throw new ProviderError('malformed', `${host} answered something else than an order of the documents.`)
  return order
}

/** A reranker reads a query and a document in one go; what is longer it would cut by itself, or refuse. */
const longest = { query: 2_000, document: 16_000 }
const nothing = '—'

/** As rerankers take it: not empty, not too long, no half of a character. */
export const readable = (text: string, as: keyof typeof longest): string =>
  text.trim() === '' ? nothing : text.slice(0, longest[as]).toWellFormed()
