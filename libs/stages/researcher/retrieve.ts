import type { Evidence, ModelCall } from '@plumbline/contracts'
import { headed } from '@plumbline/knowledge/chunking'
import type { ProviderCall } from '@plumbline/ports/chat-model'
import type { Embedder } from '@plumbline/ports/embedder'
import type { Found, PassageIndex, Scope } from '@plumbline/ports/passage-index'
import type { Reranker } from '@plumbline/ports/reranker'
import { orAborted } from './or-aborted'
import type { RetrievalDefaults } from './retrieval-defaults'
import { retrievalDefaults } from './retrieval-defaults'

export type RetrievalPorts = { index: PassageIndex; embedder: Embedder; reranker: Reranker }
export type Retrieved = { passages: Evidence[]; degraded: string[] }
type Ask = {
  scope: Scope
  queries: string[]
  /** Passages that are known already and not wanted again. */
  without?: readonly string[]
  signal: AbortSignal
  onCall?: (call: ModelCall) => void
}
type Context = RetrievalPorts & Ask & { settings: RetrievalDefaults }

/** All ways at once; without a vector only the words are left. What is known already is not wanted again. */
const search = async ({ index, embedder, scope, settings, without = [], signal }: Context, text: string, values: Float32Array | undefined): Promise<Found[]> => {
  const { similarity, mmr, bm25, constant, candidates } = settings.search
  const ways = { similarity, mmr, bm25, constant, limit: candidates + without.length }
  const vector = values ? { space: embedder.name, values } : null
  const found = await index.search(scope, { text, vector }, ways, signal)
  return found.filter(({ passage }) => !without.includes(passage.id)).slice(0, candidates)
}

/** What searching costs is told like any skill's work. */
const telling = ({ onCall }: Context, skill: 'embed' | 'rerank') =>
  onCall && (({ model, usage, fallback }: ProviderCall): void => onCall({ skill, model, usage, ...(fallback && { insteadBy: 'fallback' as const }) }))

/** The reranker may fail or hang: then the fused order stands, and the caller is told. */
const reranked = async (context: Context, query: string, candidates: Found[], topN: number): Promise<{ best: Found[]; degraded: boolean }> => {
  const { reranker, settings, signal } = context
  if (candidates.length === 0) return { best: [], degraded: false }
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(settings.rerank.timeoutMs)])
    const order = await orAborted(reranker.rerank(query, candidates.map(({ passage }) => headed(passage)), topN, limited, telling(context, 'rerank')), limited)
    const best = order.flatMap(({ index, score }) => {
      const ranked = candidates[index]
      return ranked ? [{ passage: ranked.passage, scores: { ...ranked.scores, rerank: score } }] : []
    })
    return { best, degraded: false }
  } catch {
    signal.throwIfAborted()
    return { best: candidates.slice(0, topN), degraded: true }
  }
}

const strength = ({ scores }: Evidence): number => scores.rerank ?? scores.fused ?? 0

/** Each passage once, with the scores of the query it stood highest in: the best of every query, then their next best until there is enough. */
export const unite = (perQuery: Evidence[][], { perQuery: best, atLeast, fillFrom }: RetrievalDefaults['evidence']): Evidence[] => {
  const united = new Map<string, Evidence>()
  const take = (evidence: Evidence): void => {
    const known = united.get(evidence.id)
    if (!known || strength(evidence) > strength(known)) united.set(evidence.id, evidence)
  }
  for (const found of perQuery) found.slice(0, best).forEach(take)
  const enough = fillFrom * Math.max(0, ...[...united.values()].map(strength))
  const deepest = Math.max(0, ...perQuery.map((found) => found.length))
  for (let rank = best; rank < deepest && united.size < atLeast; rank += 1) {
    const next = perQuery.flatMap((found) => found.slice(rank, rank + 1)).filter((evidence) => strength(evidence) >= enough).sort((a, b) => strength(b) - strength(a))
    for (const evidence of next) if (united.has(evidence.id) || united.size < atLeast) take(evidence)
  }
  return [...united.values()].sort((a, b) => strength(b) - strength(a))
}

const vectorsOf = async (context: Context, queries: string[]): Promise<Float32Array[] | null> => {
  const { embedder, signal } = context
  try {
    return await embedder.embed(queries, signal, telling(context, 'embed'))
  } catch {
    signal.throwIfAborted()
    return null
  }
}

/** A step's queries, all at once: each an ensemble of similarity, MMR and BM25, fused, reranked against itself, its best kept; then united. */
export const retrieve = async (
  ports: RetrievalPorts,
  ask: Ask,
  settings: RetrievalDefaults = retrievalDefaults,
): Promise<Retrieved> => {
  const { queries } = ask
  const context = { ...ports, ...ask, settings }
  const vectors = await vectorsOf(context, queries)
  const topN = Math.max(settings.evidence.perQuery, settings.evidence.atLeast)
  const perQuery = await Promise.all(
    queries.map(async (query, at) => {
      const candidates = await search(context, query, vectors?.[at])
      const { best, degraded } = await reranked(context, query, candidates, topN)
      return { degraded, found: best.map(({ passage, scores }): Evidence => ({ ...passage, scores, query })) }
    }),
  )
  return {
    passages: unite(perQuery.map(({ found }) => found), settings.evidence),
    degraded: [...(vectors ? [] : ['embedder']), ...(perQuery.some(({ degraded }) => degraded) ? ['reranker'] : [])],
  }
}
