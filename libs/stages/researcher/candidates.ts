import type { RetrievalSettings } from '@plumbline/contracts'
import { withHeading } from '@plumbline/knowledge/chunking/chunk'
import { fuse } from '@plumbline/knowledge/fusion'
import { eachTextOnce } from '@plumbline/knowledge/retrieval'
import { rejectOnAbort } from '@plumbline/platform'
import type { ProviderCall } from '@plumbline/ports/chat-model'
import {
  type Found,
  onlyMethod,
  type PassageIndex,
  type Query,
  type Scope,
} from '@plumbline/ports/passage-index/passage-index'
import type { Reranker } from '@plumbline/ports/search-models'
import { type RetrievalDefaults, settingsFor } from './retrieval-defaults'

type Search = {
  index: PassageIndex
  scope: Scope
  collections: ReadonlyMap<string, RetrievalSettings>
  settings: RetrievalDefaults
  without: ReadonlySet<string>
  signal: AbortSignal
}

/** Groups collections with equal settings, because one search can serve a whole group. */
const groupsOf = ({ scope, collections, settings }: Search): { scope: Scope; settings: RetrievalDefaults }[] => {
  const alike = Map.groupBy(scope.collections, (name) => JSON.stringify(collections.get(name) ?? {}))
  return [...alike].map(([own, names]) => ({
    scope: { ...scope, collections: names },
    settings: settingsFor(settings, JSON.parse(own) as RetrievalSettings),
  }))
}

const fusedAs = ({ passage, scores }: Found, fused: number): Found => ({ passage, scores: { ...scores, fused } })

/** Merges the results of several searches by rank, because their scores are not comparable if the settings differ. */
const joined = (rankings: Found[][], constant: number): Found[] => {
  const [own = [], ...others] = rankings
  if (others.length === 0) return own
  const known = new Map(rankings.flat().map((found) => [found.passage.id, found]))
  return fuse(
    rankings.map((found) => ({ weight: 1, ids: found.map(({ passage }) => passage.id) })),
    constant,
  ).flatMap(({ id, score }) => {
    const found = known.get(id)
    return found ? [fusedAs(found, score)] : []
  })
}

export const candidatesFor = async (search: Search, query: Query): Promise<Found[]> => {
  const { index, settings, without, signal } = search
  const groups = groupsOf(search)
  const rankings = await Promise.all(
    groups.map(
      ({
        scope: within,
        settings: {
          search: { similarity, mmr, bm25, constant, candidates },
        },
      }) => index.search(within, query, { similarity, mmr, bm25, constant, limit: candidates + without.size }, signal),
    ),
  )
  const wanted = joined(rankings, settings.search.constant).filter(({ passage }) => !without.has(passage.id))
  const most = Math.max(0, ...groups.map((group) => group.settings.search.candidates))
  return eachTextOnce(wanted, ({ passage }) => passage).slice(0, most)
}

export const firstByWords = async (search: Search, text: string): Promise<Found[]> => {
  const { index, scope, settings, without, signal } = search
  const most = settings.evidence.byWords
  const collections = groupsOf(search)
    .filter((group) => group.settings.search.bm25.k > 0)
    .flatMap((group) => group.scope.collections)
  const found = await index.search(
    { ...scope, collections },
    { text, vector: null },
    onlyMethod('bm25', { k: most + without.size }),
    signal,
  )
  return found.filter(({ passage }) => !without.has(passage.id)).slice(0, most)
}

type RerankOptions = {
  reranker: Reranker
  query: string
  topN: number
  timeoutMs: number
  signal: AbortSignal
  onCall: ((call: ProviderCall) => void) | undefined
}

/** If the reranker fails, times out or returns nothing, keeps the order of the search and sets `degraded`. */
export const rerankCandidates = async (
  candidates: Found[],
  { reranker, query, topN, timeoutMs, signal, onCall }: RerankOptions,
): Promise<{ best: Found[]; degraded: boolean }> => {
  if (candidates.length === 0) return { best: [], degraded: false }
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const order = await rejectOnAbort(
      reranker.rerank(
        query,
        candidates.map(({ passage }) => withHeading(passage)),
        topN,
        limited,
        onCall,
      ),
      limited,
    )
    const best = order.flatMap(({ index, score }) => {
      const candidate = candidates[index]
      return candidate ? [{ passage: candidate.passage, scores: { ...candidate.scores, rerank: score } }] : []
    })
    if (best.length > 0) return { best, degraded: false }
  } catch {
    signal.throwIfAborted()
  }
  return { best: candidates.slice(0, topN), degraded: true }
}
