import { z } from 'zod'
import { ProviderError } from '../providers'

export type Order = { index: number; score: number }[]

const index = z.number().int().nonnegative()
const Listed = z.array(z.object({ index, score: z.number() }))
const Wrapped = z.object({ results: z.array(z.object({ index, relevance_score: z.number() })) }).transform(({ results }) => results.map((one) => ({ index: one.index, score: one.relevance_score })))
const Ranking = z.union([Listed, Wrapped])

const logistic = (score: number): number => 1 / (1 + Math.exp(-score))

/** The order of the documents with scores from 0 to 1, in whichever of the two forms a server answers. One that gives raw scores is read as log odds. */
export const readOrder = (body: unknown, documents: number, host: string): Order => {
  const read = Ranking.safeParse(body)
  const order = read.data ?? []
  const distinct = new Set(order.map((one) => one.index))
  if (!read.success || distinct.size !== order.length || order.some((one) => one.index >= documents))
    throw new ProviderError('malformed', `${host} answered something else than an order of the documents.`)
  const raw = order.some(({ score }) => score < 0 || score > 1)
  return order.map((one) => ({ index: one.index, score: raw ? logistic(one.score) : one.score })).sort((a, b) => b.score - a.score)
}
