import { cosine } from '@plumbline/knowledge/mmr'
import type { z } from 'zod'
import { pointsWhere, Refusal, type Collection, type Id, type Point } from './store'
import type { PointQuery, Expression, Filter, Prefetch, Query, Sparse } from './shapes'

export type Scored = { point: Point; score: number }
type Search = Omit<Prefetch, 'prefetch'> & { prefetch: Prefetch[] }

const bySparse = (
  collection: Collection,
  name: string,
  query: Sparse,
  within: Point[],
  corpus: Filter | undefined,
): Scored[] => {
  if (!(name in collection.settings.sparse_vectors))
    throw new Refusal(400, `Wrong input: Not existing vector name error: ${name}`)
  const population = pointsWhere(collection, corpus).filter((point) => point.sparse[name])
  const weights = query.indices.map((index, at) => {
    const holding = population.filter((point) => point.sparse[name]?.indices.includes(index)).length
    return (query.values[at] ?? 0) * Math.log(1 + (population.length - holding + 0.5) / (holding + 0.5))
  })
  return within.flatMap((point) => {
    const held = point.sparse[name]
    const shared = query.indices.flatMap((index, at) => {
      const where = held?.indices.indexOf(index) ?? -1
      return where < 0 ? [] : [(held?.values[where] ?? 0) * (weights[at] ?? 0)]
    })
    return shared.length > 0 ? [{ point, score: shared.reduce((sum, one) => sum + one, 0) }] : []
  })
}

const byDense = (collection: Collection, name: string, query: number[], within: Point[]): Scored[] => {
  const settings = collection.settings.vectors[name]
  if (!settings) throw new Refusal(400, `Wrong input: Not existing vector name error: ${name}`)
  if (settings.size !== query.length)
    throw new Refusal(400, `Wrong input: Vector dimension error: expected dim: ${settings.size}, got ${query.length}`)
  const values = Float32Array.from(query)
  return within.flatMap((point) => (point.dense[name] ? [{ point, score: cosine(point.dense[name], values) }] : []))
}

const nearestTo = (
  collection: Collection,
  { nearest }: Extract<PointQuery, { nearest: unknown }>,
  search: Search,
  within: Point[],
  limit: number,
): Scored[] => {
  const using = search.using ?? ''
  const scored = Array.isArray(nearest)
    ? byDense(collection, using, nearest, within)
    : bySparse(collection, using, nearest, within, search.params?.idf?.corpus)
  return scored.sort((a, b) => b.score - a.score).slice(0, limit)
}

/** Selects points that differ from each other. As in Qdrant, the score says only how well a point matches the query. */
const diverse = (candidates: Scored[], using: string, lambda: number, limit: number): Scored[] => {
  const left = [...candidates].sort((a, b) => b.score - a.score)
  const picked = left.splice(0, 1)
  const likeness = (a: Scored, b: Scored): number =>
    cosine(a.point.dense[using] ?? new Float32Array(), b.point.dense[using] ?? new Float32Array())
  while (picked.length < limit && left.length > 0) {
    const worth = left.map(
      (one) => lambda * one.score - (1 - lambda) * Math.max(...picked.map((other) => likeness(one, other))),
    )
    picked.push(...left.splice(worth.indexOf(Math.max(...worth)), 1))
  }
  return picked.slice(0, limit)
}

/** Merges lists by rank. As in Qdrant, ranks begin at 0 and are scaled by the weight of their list. */
const reciprocal = (lists: Scored[][], k: number, weights: number[] | undefined): Scored[] => {
  if (weights && weights.length !== lists.length)
    throw new Refusal(
      400,
      `Wrong input: Number of weights in RRF should match number of pre-fetches: got ${weights.length}, expected ${lists.length}`,
    )
  const sums = new Map<Id, Scored>()
  for (const [nth, list] of lists.entries()) {
    const weight = weights?.[nth] ?? 1
    for (const [at, { point }] of list.entries()) {
      const share = weight <= 0 ? 0 : 1 / ((at + 1) / weight + k - 1)
      sums.set(point.id, { point, score: (sums.get(point.id)?.score ?? 0) + share })
    }
  }
  return [...sums.values()].sort((a, b) => b.score - a.score)
}

const evaluate = (expression: Expression, scores: number[]): number => {
  if (typeof expression === 'number') return expression
  if (typeof expression === 'string') return scores[Number(/\d+/.exec(expression)?.[0])] ?? 0
  if ('sum' in expression) return expression.sum.reduce<number>((sum, one) => sum + evaluate(one, scores), 0)
  return expression.mult.reduce<number>((product, one) => product * evaluate(one, scores), 1)
}

const byFormula = (lists: Scored[][], formula: Expression): Scored[] => {
  const points = new Map(lists.flat().map(({ point }) => [point.id, point]))
  const scores = lists.map((list) => new Map(list.map(({ point, score }) => [point.id, score])))
  return [...points.values()]
    .map((point) => ({
      point,
      score: evaluate(
        formula,
        scores.map((one) => one.get(point.id) ?? 0),
      ),
    }))
    .sort((a, b) => b.score - a.score)
}

const merge = (filters: (Filter | undefined)[]): Filter => ({
  must: filters.flatMap((one) => one?.must ?? []),
  must_not: filters.flatMap((one) => one?.must_not ?? []),
})

const run = (collection: Collection, search: Search, outer: Filter | undefined, isRoot: boolean): Scored[] => {
  const { query, limit } = search
  const filter = merge([outer, search.filter])
  const lists = search.prefetch.map((inner) => run(collection, inner, filter, false))
  if (lists.length === 0 && !('nearest' in query))
    throw new Refusal(400, 'Wrong input: cannot apply Fusion without prefetches')
  if ('rrf' in query) return reciprocal(lists, query.rrf.k, query.rrf.weights).slice(0, limit)
  if ('formula' in query) return byFormula(lists, query.formula).slice(0, limit)
  const prefetched = new Map(lists.flat().map(({ point }) => [point.id, point]))
  const within = lists.length > 0 ? [...prefetched.values()] : pointsWhere(collection, filter)
  if (!query.mmr) return nearestTo(collection, query, search, within, limit)
  const candidates = nearestTo(collection, query, search, within, query.mmr.candidates_limit)
  // A prefetch without inner searches returns all its candidates. Only the outer query selects among them.
  return lists.length === 0 && !isRoot
    ? candidates
    : diverse(candidates, search.using ?? '', 1 - query.mmr.diversity, limit)
}

export const answerQuery = (collection: Collection, query: z.infer<typeof Query>): Scored[] =>
  run(collection, query, undefined, true)
