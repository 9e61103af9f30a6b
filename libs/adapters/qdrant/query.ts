import type { Way } from '@plumbline/knowledge/fusion'
import type { Query, Scope, Ways } from '@plumbline/ports/passage-index'
import type { Schemas } from '@qdrant/js-client-rest'
import { vectorNames, type Quantisation } from './collections'
import { is, isOneOf, within } from './payload'
import { sparseQuery, type Sparse } from './sparse'

type Leaf = Pick<Schemas['Prefetch'], 'prefetch' | 'query' | 'using' | 'filter' | 'params' | 'limit'>
type Asked = { way: Way; weight: number; leaf: Leaf }
/** `alone` where one way is asked for: then its own scores come back. */
export type Planned = { alone: Way | null; body: Schemas['QueryRequest'] }

/** Compressed vectors bring more than is asked for, and the whole ones decide. */
const rescored = { quantization: { rescore: true, oversampling: 2 } } as const

const leavesOf = (
  scope: Scope,
  values: Float32Array | null,
  words: Sparse | null,
  ways: Ways,
  stale: readonly string[],
  quantisation: Quantisation,
): Asked[] => {
  const filter = { ...within(scope), ...(stale.length > 0 && { must_not: [isOneOf('version', stale)] }) }
  const { dense } = vectorNames
  const near = { using: dense, filter, ...(quantisation !== 'none' && { params: rescored }) }
  const asked: Asked[] = []
  if (values && ways.similarity.k > 0)
    asked.push({
      way: 'similarity',
      weight: ways.similarity.weight,
      leaf: { query: { nearest: Array.from(values) }, ...near, limit: ways.similarity.k },
    })
  if (values && ways.mmr.k > 0) {
    const nearest = Array.from(values)
    const { k, fetch, lambda, weight } = ways.mmr
    // As a leaf among prefetches, the server would take MMR for its candidates: it chooses only from a prefetch of its own.
    const leaf = {
      prefetch: [{ query: { nearest }, ...near, limit: fetch }],
      query: { nearest, mmr: { diversity: 1 - lambda, candidates_limit: fetch } },
      using: dense,
      filter,
      limit: k,
    }
    asked.push({ way: 'mmr', weight, leaf })
  }
  if (words && ways.bm25.k > 0) {
    // How rare a word is, is counted in the tenant alone.
    const params = { idf: { corpus: { must: [is('tenant', scope.tenant)] } } }
    asked.push({
      way: 'bm25',
      weight: ways.bm25.weight,
      leaf: { query: { nearest: words }, using: vectorNames.words, filter, params, limit: ways.bm25.k },
    })
  }
  return asked
}

const withPayload = ['passage', 'documentId', 'version', 'home']

/**
 * The server counts ranks from 0, hence `k`. Its own weights stretch the ranks instead of weighing the shares (1 / (rank / weight + k)), so
 * each way is ranked by itself and the shares are weighed in a formula: settings mean the same here as in every other index.
 */
const fused = (asked: readonly Asked[], { constant, limit }: Ways): Schemas['QueryRequest'] => ({
  prefetch: asked.map(({ leaf }) => ({
    prefetch: [leaf],
    query: { rrf: { k: Math.max(1, Math.round(constant) + 1) } },
    limit: leaf.limit ?? limit,
  })),
  query: { formula: { sum: asked.map(({ weight }, at) => ({ mult: [weight, `$score[${at}]`] })) } },
  limit,
  with_payload: withPayload,
})

/** One request for all ways, or nothing to ask. */
export const planned = (
  scope: Scope,
  query: Query,
  ways: Ways,
  stale: readonly string[],
  quantisation: Quantisation,
): Planned | null => {
  const asked = leavesOf(scope, query.vector?.values ?? null, sparseQuery(query.text), ways, stale, quantisation)
  const [first, ...more] = asked
  if (!first) return null
  if (more.length > 0) return { alone: null, body: fused(asked, ways) }
  return { alone: first.way, body: { ...first.leaf, with_payload: withPayload } }
}
