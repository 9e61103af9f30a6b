import type { CollectionView, Evidence, ModelCall, RetrievalSettings } from '@plumbline/contracts'
import type { Embedder } from '@plumbline/ports/search-models'
import type { Scope } from '@plumbline/ports/passage-index/passage-index'
import type { ReadCollections } from '../handler/caches'
import { findElsewhere } from './elsewhere'
import { defaultsWith, type RetrievalDefaults, retrievalDefaults } from './retrieval-defaults'
import { type RetrievalAsk, type RetrievalPorts, type Retrieved, retrieve } from './retrieve'

const isStale = (embedder: Embedder, { embedder: made }: CollectionView): boolean =>
  made !== undefined && made !== embedder.name

const wordsOnly = ({ search }: RetrievalDefaults): RetrievalSettings => ({
  similarity: { k: 0, weight: 0 },
  mmr: { k: 0, weight: 0 },
  bm25: search.bm25,
})

/** A collection whose vectors are from another embedder is searched by keywords only. */
const retrievalOf = (embedder: Embedder, views: readonly CollectionView[]): Record<string, RetrievalSettings> =>
  Object.fromEntries(
    views.flatMap((view): [string, RetrievalSettings][] => {
      const { name, retrieval } = view
      if (isStale(embedder, view)) return [[name, { ...retrieval, ...wordsOnly(retrievalDefaults) }]]
      return retrieval ? [[name, retrieval]] : []
    }),
  )

const stale = (embedder: Embedder, views: readonly CollectionView[]): string[] =>
  views.filter((view) => isStale(embedder, view)).map(({ name }) => `vectors:${name}`)

export const retrieveAsSet = async (
  ports: RetrievalPorts,
  views: readonly CollectionView[],
  ask: Omit<RetrievalAsk, 'collections'>,
  settings: RetrievalDefaults,
): Promise<Retrieved> => {
  const retrieved = await retrieve(ports, { ...ask, collections: retrievalOf(ports.embedder, views) }, settings)
  return { ...retrieved, degraded: [...retrieved.degraded, ...stale(ports.embedder, views)] }
}

type Search = {
  scope: Scope
  query: string
  limit: number
  /** Returns all collections that the reader may see. Undefined if the search already covers all of them. */
  readable?: (() => Promise<readonly string[]>) | undefined
  signal: AbortSignal
  onCall(call: ModelCall): void
}

/** Searches on behalf of a person, without a run. */
export const searchPassages =
  (ports: RetrievalPorts & { collections: ReadCollections }) =>
  async ({
    scope,
    query,
    limit,
    readable,
    ...rest
  }: Search): Promise<{ passages: Evidence[]; degraded: string[]; elsewhere?: string | undefined }> => {
    const defaults = defaultsWith(ports.embedder)
    const settings = { ...defaults, evidence: { ...defaults.evidence, perQuery: limit, atLeast: limit } }
    const views = await ports.collections(scope.tenant, scope.collections)
    const { passages, degraded } = await retrieveAsSet(ports, views, { scope, queries: [query], ...rest }, settings)
    const isByWords = passages.some(({ scores }) => scores.bm25 !== undefined)
    const other =
      readable && !isByWords
        ? await findElsewhere(ports.index, { scope, query, readable, signal: rest.signal })
        : undefined
    return { passages: passages.slice(0, limit), degraded, elsewhere: other }
  }
