import { z } from 'zod'
import { ProviderError } from '../providers'

export type Order = { index: number; score: number }[]

const index = z.number().int().nonnegative()
const Listed = z.array(z.object({ index, score: z.number() }))
const Wrapped = z
  .object({ results: z.array(z.object({ index, relevance_score: z.number() })) })
  .transform(({ results }) => results.map((one) => ({ index: one.index, score: one.relevance_score })))
const Ranking = z.union([Listed, Wrapped])

/** The order of all documents with the scores as they are, in whichever of the two forms a server answers. */
export const readOrder = (body: unknown, documents: number, host: string): Order => {
  const read = Ranking.safeParse(body)
  const order = read.data ?? []
  const distinct = new Set(order.map((one) => one.index))
  if (
    !read.success ||
    order.length !== documents ||
    distinct.size !== documents ||
    order.some((one) => one.index >= documents)
  )
    throw new ProviderError('malformed', `${host} answered something else than an order of the documents.`)
  return order
}
