import { fuseMethods, type SearchMethod } from '@plumbline/knowledge/fusion'
import type { Found, Query, Scope, SearchMethods } from '@plumbline/ports/passage-index/passage-index'
import type { Schemas } from '@qdrant/js-client-rest'
import { vectorNames, type Quantisation } from './collections'
import { is, isOneOf, within, type Manifest, type PointPayload } from './payload'
import { sparseQuery, type Sparse } from './sparse'
import { ask, unlessAbsent } from './api'
import type { Parts } from './manifests'

type Leaf = Pick<Schemas['Prefetch'], 'prefetch' | 'query' | 'using' | 'filter' | 'params' | 'limit'>
type MethodQuery = { way: SearchMethod; weight: number; leaf: Leaf }
/** `alone` is the search method of the request, or null if the request combines several search methods. */
type Planned = { alone: SearchMethod | null; body: Schemas['QueryRequest'] }

const rescored = { quantization: { rescore: true, oversampling: 2 } } as const

const leavesOf = (
  scope: Scope,
  values: Float32Array | null,
  words: Sparse | null,
  ways: SearchMethods,
  stale: readonly string[],
  quantisation: Quantisation,
): MethodQuery[] => {
  const filter = { ...within(scope), ...(stale.length > 0 && { must_not: [isOneOf('version', stale)] }) }
  const { dense } = vectorNames
  const near = { using: dense, filter, ...(quantisation !== 'none' && { params: rescored }) }
  const asked: MethodQuery[] = []
  if (values && ways.similarity.k > 0)
    asked.push({
      way: 'similarity',
      weight: ways.similarity.weight,
      leaf: { query: { nearest: Array.from(values) }, ...near, limit: ways.similarity.k },
    })
  if (values && ways.mmr.k > 0) {
    const nearest = Array.from(values)
    const { k, fetch, lambda, weight } = ways.mmr
    // Without this `prefetch`, Qdrant would fetch the candidates for MMR (maximal marginal relevance) but would not
    // make the result diverse.
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
    // Qdrant computes the rarity of words within this tenant, not over all tenants.
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
 * Qdrant counts ranks from 0, so `k` is one higher than `constant`. A formula applies the weights, because Qdrant's own
 * weights would change the ranks.
 */
const fused = (asked: readonly MethodQuery[], { constant, limit }: SearchMethods): Schemas['QueryRequest'] => ({
  prefetch: asked.map(({ leaf }) => ({
    prefetch: [leaf],
    query: { rrf: { k: Math.max(1, Math.round(constant) + 1) } },
    limit: leaf.limit ?? limit,
  })),
  query: { formula: { sum: asked.map(({ weight }, at) => ({ mult: [weight, `$score[${at}]`] })) } },
  limit,
  with_payload: withPayload,
})

const planned = (
  scope: Scope,
  query: Query,
  ways: SearchMethods,
  stale: readonly string[],
  quantisation: Quantisation,
): Planned | null => {
  const asked = leavesOf(scope, query.vector?.values ?? null, sparseQuery(query.text), ways, stale, quantisation)
  const [first, ...more] = asked
  if (!first) return null
  if (more.length > 0) return { alone: null, body: fused(asked, ways) }
  return { alone: first.way, body: { ...first.leaf, with_payload: withPayload } }
}

type Hit = Pick<PointPayload, 'passage' | 'documentId' | 'version' | 'home'> & { score: number }
type Hits = Pick<Planned, 'alone'> & { hits: Hit[] }

const mostRounds = 50
/**
 * A version that has been current for longer than this was complete before the query began, even if the servers' clocks
 * differ.
 */
const settledMs = 60_000

type ManifestsById = ReadonlyMap<string, Manifest>
const countsFor = (manifest: Manifest | undefined, { version, home }: Pick<Hit, 'version' | 'home'>): boolean =>
  manifest !== undefined && manifest.version === version && manifest.homes.includes(home)
/** False if the version may have become current during the query, which may then have missed its passages. */
const wasWhole = (manifest: Manifest | undefined, before: Manifest | undefined): boolean =>
  manifest !== undefined && (before?.version === manifest.version || Math.abs(Date.now() - manifest.since) > settledMs)

const ranked = (all: readonly Hits[], ways: SearchMethods): Found[] =>
  all
    .flatMap(({ alone, hits }) =>
      alone
        ? fuseMethods({ similarity: [], mmr: [], bm25: [], [alone]: hits }, ways)
        : hits.map(({ passage, score }) => ({ passage, scores: { fused: score } })),
    )
    .sort((a, b) => (b.scores.fused ?? 0) - (a.scores.fused ?? 0))
    .slice(0, ways.limit)

const only = (all: readonly Hits[], holds: (hit: Hit) => boolean): Hits[] =>
  all.map(({ alone, hits }) => ({ alone, hits: hits.filter(holds) }))

const seekingIn = ({ api, names, manifests }: Parts, quantisation: Quantisation) => {
  const hitsOf = async (
    alias: string,
    scope: Scope,
    query: Query,
    ways: SearchMethods,
    stale: readonly string[],
    signal: AbortSignal,
  ): Promise<Hits> => {
    const plan = planned(scope, query, ways, stale, quantisation)
    if (!plan) return { alone: null, hits: [] }
    const asked = { collection_name: alias, ...plan.body }
    const found = await unlessAbsent(ask(api.queryPoints, asked, signal), { points: [] })
    return {
      alone: plan.alone,
      hits: found.points.map(({ payload, score }) => ({ ...(payload as unknown as Omit<Hit, 'score'>), score })),
    }
  }
  /**
   * Searches the Qdrant collections of all embedders. In collections of other embedders, it searches for words only,
   * because vectors of different embedders cannot be compared.
   */
  return async (
    scope: Scope,
    query: Query,
    ways: SearchMethods,
    stale: readonly string[],
    signal: AbortSignal,
  ): Promise<Hits[]> => {
    const own = query.vector && names.alias(query.vector.space, query.vector.values.length)
    const wordsOnly = { text: query.text, vector: null }
    const seeking = planned(scope, wordsOnly, ways, [], quantisation) !== null
    const [first, aliases] = await Promise.all([
      own ? hitsOf(own, scope, query, ways, stale, signal) : null,
      seeking ? manifests.aliases(scope, signal) : [],
    ])
    const others = aliases
      .filter((alias) => alias !== own)
      .map((alias) => hitsOf(alias, scope, wordsOnly, ways, stale, signal))
    return [...(first ? [first] : []), ...(await Promise.all(others))]
  }
}

export const searchingIn = (parts: Parts, quantisation: Quantisation) => {
  const { manifests } = parts
  const everywhere = seekingIn(parts, quantisation)

  return async (scope: Scope, query: Query, ways: SearchMethods, signal: AbortSignal): Promise<Found[]> => {
    signal.throwIfAborted()
    if (scope.collections.length === 0) return []
    /** The document versions that the next search excludes, because they were not current at the last check. */
    const left = new Map<string, string>()
    let [before, all]: [ManifestsById, Hits[]] = [new Map(), []]
    for (let round = 0; round < mostRounds; round += 1) {
      all = await everywhere(scope, query, ways, [...left.keys()], signal)
      const hits = all.flatMap((one) => one.hits)
      const now = await manifests.lookUp(
        scope.tenant,
        [...hits.map(({ documentId }) => documentId), ...left.values()],
        signal,
      )
      const counts = (hit: Hit): boolean => countsFor(now.get(hit.documentId), hit)
      const sure = (hit: Hit): boolean => counts(hit) && wasWhole(now.get(hit.documentId), before.get(hit.documentId))
      const wronglyLeft = [...left].filter(([version, documentId]) => now.get(documentId)?.version === version)
      all = only(all, sure)
      if (hits.every(sure) && wronglyLeft.length === 0) break
      for (const hit of hits) if (!counts(hit)) left.set(hit.version, hit.documentId)
      for (const [version] of wronglyLeft) left.delete(version)
      before = now
    }
    return ranked(all, ways)
  }
}
