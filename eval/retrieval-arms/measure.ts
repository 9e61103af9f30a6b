import { lexicalEmbedder, lexicalReranker } from '@plumbline/adapters/offline'
import type { Evidence } from '@plumbline/contracts'
import type { PassageIndex } from '@plumbline/ports/passage-index'
import { isHeldOut } from '../data'
import { retrieve } from '@plumbline/stages/researcher/retrieve'
import type { Arm } from './arms'
import type { Query } from './sets'
import { never, scope } from './sets'

/** What was found for one query: for each of the first ten passages, how much of what is wanted the passages up to it hold. */
export type Found = { heldOut: boolean; shares: number[]; first: number; ms: number }

const depth = 10
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const sharesOf = ({ wanted }: Query, passages: Evidence[]): number[] =>
  Array.from({ length: depth }, (_, at) => mean(wanted.map(({ share }) => share(passages.slice(0, at + 1)))))

export const find = async (index: PassageIndex, query: Query, { settings, reranker }: Arm): Promise<Found> => {
  const by = reranker ?? lexicalReranker
  const from = performance.now()
  const own = reranker ? {} : { collections: { main: { reranker: 'none' as const } } }
  const { passages } = await retrieve(
    { index, embedder: lexicalEmbedder, reranker: by },
    { scope, queries: [query.text], signal: never, ...own },
    settings,
  )
  const ms = performance.now() - from
  const shares = sharesOf(query, passages)
  return { heldOut: isHeldOut({ key: query.id }), shares, first: shares.findIndex((share) => share > 0), ms }
}

export const recallAt = (found: readonly Found[], k: number): number =>
  mean(found.map(({ shares }) => shares[k - 1] ?? 0))
/** Reciprocal rank of the first passage that holds something of what is wanted. */
export const firstRank = (found: readonly Found[]): number =>
  mean(found.map(({ first }) => (first < 0 ? 0 : 1 / (first + 1))))

/** Gain of each rank, discounted, beside the best that could be had with the same parts. */
export const ndcg = (found: readonly Found[], queries: readonly Query[]): number =>
  mean(
    found.map(({ shares }, at) => {
      const parts = queries[at]?.wanted.length ?? 1
      const gain = shares.reduce(
        (sum, share, rank) => sum + ((share - (shares[rank - 1] ?? 0)) * parts) / Math.log2(rank + 2),
        0,
      )
      const best = Array.from({ length: Math.min(parts, depth) }).reduce<number>(
        (sum, _, rank) => sum + 1 / Math.log2(rank + 2),
        0,
      )
      return gain / best
    }),
  )
