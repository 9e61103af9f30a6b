import type { CollectionView, Evidence, ModelCall, RetrievalSettings } from '@plumbline/contracts'
import type { Embedder } from '@plumbline/ports/search-models'
import type { Scope } from '@plumbline/ports/passage-index/passage-index'
import type { ReadCollections } from '../handler/caches'
import { defaultsWith, type RetrievalDefaults } from './retrieval-defaults'
import { type RetrievalAsk, type RetrievalPorts, type Retrieved, retrieve } from './retrieve'

const retrievalOf = (views: readonly CollectionView[]): Record<string, RetrievalSettings> =>
  Object.fromEntries(views.flatMap(({ name, retrieval }) => (retrieval ? [[name, retrieval]] : [])))

/** Collections with vectors of another embedder are searched only by words, until they are indexed again. */
const stale = (embedder: Embedder, views: readonly CollectionView[]): string[] =>
  views
    .filter(({ embedder: made }) => made !== undefined && made !== embedder.name)
    .map(({ name }) => `vectors:${name}`)

/** Searches with the settings of each collection. */
export const retrieveAsSet = async (
  ports: RetrievalPorts,
  views: readonly CollectionView[],
  ask: Omit<RetrievalAsk, 'collections'>,
  settings: RetrievalDefaults,
): Promise<Retrieved> => {
  const retrieved = await retrieve(ports, { ...ask, collections: retrievalOf(views) }, settings)
  return { ...retrieved, degraded: [...retrieved.degraded, ...stale(ports.embedder, views)] }
}

type Search = {
  scope: Scope
  query: string
  limit: number
  signal: AbortSignal
  onCall(call: ModelCall): void
}

/** Returns the results a research step would have for one query, for searches without a question. */
export const searchPassages =
  (ports: RetrievalPorts & { collections: ReadCollections }) =>
  async ({ scope, query, limit, ...rest }: Search): Promise<{ passages: Evidence[]; degraded: string[] }> => {
    const defaults = defaultsWith(ports.embedder)
    const settings = { ...defaults, evidence: { ...defaults.evidence, perQuery: limit, atLeast: limit } }
    const views = await ports.collections(scope.tenant, scope.collections)
    const { passages, degraded } = await retrieveAsSet(ports, views, { scope, queries: [query], ...rest }, settings)
    return { passages: passages.slice(0, limit), degraded }
  }
