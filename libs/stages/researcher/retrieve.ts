import type { RetrievalCache } from '@plumbline/adapters/redis/caches/retrievals'
import type { Evidence, ModelCall, RetrievalSettings } from '@plumbline/contracts'
import { amendedBy, amendmentsFirst, eachTextOnce } from '@plumbline/knowledge/retrieval'
import type { ProviderCall } from '@plumbline/ports/chat-model'
import type { Embedder } from '@plumbline/ports/search-models'
import type { Found, PassageIndex, Scope } from '@plumbline/ports/passage-index/passage-index'
import type { Reranker } from '@plumbline/ports/search-models'
import { candidatesFor, firstByWords, rerankCandidates } from './candidates'
import { ofOneVersion, unite, withIntroductions, withNeighbours } from './evidence'
import { type RetrievalDefaults, retrievalDefaults, settingsFor } from './retrieval-defaults'

type RerankedBy = Exclude<RetrievalSettings['reranker'], 'none' | 'offline' | undefined>
export type RetrievalPorts = {
  index: PassageIndex
  embedder: Embedder
  /** If null, results keep the order of the search. */
  reranker: Reranker | null
  rerankers?: Partial<Record<RerankedBy, Reranker>>
  cache?: RetrievalCache | undefined
}
export type Retrieved = { passages: Evidence[]; degraded: string[]; cached?: number }
export type RetrievalAsk = {
  scope: Scope
  queries: string[]
  without?: readonly string[]
  collections?: Readonly<Record<string, RetrievalSettings>>
  signal: AbortSignal
  onCall?: (call: ModelCall) => void
}
type Context = RetrievalPorts &
  RetrievalAsk & { settings: RetrievalDefaults; own: ReadonlyMap<string, RetrievalSettings> }

const telling = ({ onCall }: Context, skill: 'embed' | 'rerank') =>
  onCall &&
  (({ model, usage, fallback, ms, error }: ProviderCall): void =>
    onCall({
      ...{ skill, model, usage },
      ...(fallback && { insteadBy: 'fallback' as const }),
      ...(ms !== undefined && { ms }),
      ...(error !== undefined && { failed: { calls: 1, error } }),
    }))

const vectorsOf = async (context: Context, queries: string[]): Promise<Float32Array[] | null> => {
  const { embedder, signal } = context
  try {
    return await embedder.embed(queries, signal, telling(context, 'embed'))
  } catch {
    signal.throwIfAborted()
    return null
  }
}

/**
 * Returns the reranker that the collections have chosen. If they have chosen different rerankers, the default reranker
 * from the environment is used.
 */
const rerankerOf = ({
  scope,
  own,
  settings,
  reranker,
  rerankers = {},
}: Context): { by: Reranker | null; missing?: string } => {
  const wanted = new Set(scope.collections.map((name) => settingsFor(settings, own.get(name)).rerank.by))
  const [only] = wanted
  if (wanted.size !== 1 || only === undefined) return { by: reranker }
  if (only === 'none' || only === 'offline') return { by: null }
  const by = rerankers[only]
  return by ? { by } : { by: reranker, missing: `reranker:${only}` }
}

type Searched = { found: Evidence[]; degraded: boolean; cached: boolean }

const ranksOtherwise = ({ scope, settings, own }: Context, by: Reranker | null): boolean =>
  by !== null ||
  scope.collections.some((name) => {
    const { similarity, mmr } = settingsFor(settings, own.get(name)).search
    return similarity.k > 0 || mmr.k > 0
  })

const withFirst = (found: readonly Evidence[], first: readonly Evidence[]): Evidence[] => {
  const scores = new Map(first.map((evidence) => [evidence.id, evidence.scores.bm25]))
  const known = new Set(found.map(({ id }) => id))
  return [
    ...found.map((evidence) =>
      scores.has(evidence.id)
        ? { ...evidence, scores: { ...evidence.scores, bm25: scores.get(evidence.id) } }
        : evidence,
    ),
    ...first.filter(({ id }) => !known.has(id)),
  ]
}

/** Searches for one query. Amendments come before the documents that they amend. Repeated texts are listed once. */
const searched = async (
  context: Context,
  by: Reranker | null,
  query: string,
  values: Float32Array | undefined,
): Promise<Searched> => {
  const { index, scope, settings, own, without = [], embedder, signal } = context
  const vector = values ? { space: embedder.name, values } : null
  const search = { index, scope, collections: own, settings, without: new Set(without), signal }
  const [candidates, words] = await Promise.all([
    candidatesFor(search, { text: query, vector }),
    ranksOtherwise(context, by) ? firstByWords(search, query) : [],
  ])
  const { rerank, evidence } = settings
  const topN = Math.max(evidence.perQuery, evidence.atLeast)
  const asked = {
    query,
    topN: topN + rerank.spare,
    timeoutMs: rerank.timeoutMs,
    signal,
    onCall: telling(context, 'rerank'),
  }
  const { best, degraded } = by
    ? await rerankCandidates(candidates, { ...asked, reranker: by })
    : { best: candidates.slice(0, asked.topN), degraded: false }
  const asEvidence = ({ passage, scores }: Found): Evidence => ({ ...passage, scores, query })
  const found = eachTextOnce(amendmentsFirst(best.map(asEvidence)), (one) => one).slice(0, topN)
  return { degraded, cached: false, found: withFirst(found, words.map(asEvidence)) }
}

/** Results are cached only if no part of the search failed. */
const remembered = async (
  context: Context,
  by: Reranker | null,
  query: string,
  values: Float32Array | undefined,
): Promise<Searched> => {
  const { cache, scope, settings, own, without = [], embedder } = context
  if (!cache || !values || without.length > 0) return searched(context, by, query, values)
  const retrieval = scope.collections.map((name) => own.get(name) ?? null)
  const looked = await cache.look({
    scope,
    query,
    vector: values,
    by: { settings, retrieval, embedder: embedder.name, reranker: by?.name ?? 'none' },
  })
  if (looked.kind === 'hit') return { found: looked.passages, degraded: false, cached: true }
  const fresh = await searched(context, by, query, values)
  if (!fresh.degraded) void looked.keep(fresh.found)
  return fresh
}

/**
 * Keeps the best word matches of each query, because vectors and rerankers may have dropped these matches: `count` of
 * the question, which is the first query, and one of each other query.
 */
const keepingFirst = (united: Evidence[], perQuery: Evidence[][], count: number): Evidence[] => {
  const first = perQuery.flatMap((found, at) =>
    found
      .filter(({ scores }) => scores.bm25 !== undefined)
      .sort((a, b) => (b.scores.bm25 ?? 0) - (a.scores.bm25 ?? 0))
      .slice(0, at === 0 ? count : 1),
  )
  const known = new Set(united.map(({ id }) => id))
  return eachTextOnce([...united, ...first.filter(({ id }) => !known.has(id))], (one) => one)
}

const marked = (united: Evidence[]): Evidence[] =>
  amendmentsFirst(united).map((evidence) => {
    const later = amendedBy(evidence, united)
    return later === undefined ? evidence : { ...evidence, amendedBy: later }
  })

export const retrieve = async (
  ports: RetrievalPorts,
  ask: RetrievalAsk,
  settings: RetrievalDefaults = retrievalDefaults,
): Promise<Retrieved> => {
  const { queries, scope, signal } = ask
  const own = new Map(Object.entries(ask.collections ?? {}))
  const context: Context = { ...ports, ...ask, settings, own }
  const vectors = await vectorsOf(context, queries)
  const { by, missing } = rerankerOf(context)
  const perQuery = await Promise.all(queries.map((query, at) => remembered(context, by, query, vectors?.[at])))
  const found = perQuery.map((each) => each.found)
  const cached = perQuery.filter((each) => each.cached).length
  const united = await ofOneVersion(
    ports.index,
    scope,
    keepingFirst(unite(found, settings.evidence), found, settings.evidence.byWords),
    signal,
  )
  const joined = await withNeighbours(
    ports.index,
    scope,
    marked(united),
    (collection) => settingsFor(settings, own.get(collection)).neighbours,
    signal,
  )
  return {
    passages: await withIntroductions(ports.index, scope, joined, signal),
    ...(cached > 0 && { cached }),
    degraded: [
      ...(vectors ? [] : ['embedder']),
      ...(missing ? [missing] : []),
      ...(perQuery.some(({ degraded }) => degraded) ? ['reranker'] : []),
    ],
  }
}
