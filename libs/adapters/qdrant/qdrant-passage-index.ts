import type { Passage } from '@plumbline/contracts'
import type { PassageIndex, Scope } from '@plumbline/ports/passage-index'
import { ask, connect, unlessAbsent } from './api'
import { collectionsOf, type Quantisation } from './collections'
import { manifestsIn } from './manifests'
import { namesUnder } from './names'
import type { Parts } from './parts'
import { is, within, type PointPayload } from './payload'
import { rebuildingIn, type Rebuilt } from './rebuilding'
import { countsFor, searchingIn } from './searching'
import { writingTo } from './writing'

export type QdrantOptions = {
  url: string
  apiKey?: string | undefined
  /** What the names of all its collections begin with: several systems may share one server. */
  prefix?: string | undefined
  /** How the vectors of collections made from now on are compressed; `rebuild` brings it to those that are there. */
  quantisation?: Quantisation | undefined
  signal?: AbortSignal | undefined
}

export interface QdrantPassageIndex extends PassageIndex {
  /** Builds the collections of an embedder anew with the options of now, while the old ones serve and are written to. */
  rebuild(space: string, signal: AbortSignal, onProgress?: (progress: Rebuilt) => void): Promise<void>
}

const pageSize = 500
const mostRounds = 10

type Span = { from: number; to: number } | null
type Read = Pick<PointPayload, 'passage' | 'version' | 'home'>

const readingFrom = ({ api, manifests }: Parts) => {
  const pages = async (alias: string, scope: Scope, documentId: string, version: string, span: Span, signal: AbortSignal): Promise<Read[]> => {
    const range = span ? [{ key: 'position', range: { gte: span.from, lte: span.to } }] : []
    const filter = within(scope, is('documentId', documentId), is('version', version), ...range)
    const read: Read[] = []
    let offset: string | number | undefined
    do {
      const asked = { collection_name: alias, filter, limit: pageSize, with_payload: ['passage', 'version', 'home'], with_vector: false, ...(offset !== undefined && { offset }) }
      const { points, next_page_offset: next } = await unlessAbsent(ask(signal, (init) => api.scrollPoints(asked, init)), { points: [] })
      read.push(...points.map(({ payload }) => payload as unknown as Read))
      offset = typeof next === 'string' || typeof next === 'number' ? next : undefined
    } while (offset !== undefined)
    return read
  }
  return async (scope: Scope, documentId: string, span: Span, signal: AbortSignal): Promise<Passage[]> => {
    for (let round = 0; round < mostRounds && scope.collections.length > 0; round += 1) {
      const before = (await manifests.lookUp(scope.tenant, [documentId], signal)).get(documentId)
      if (!before) return []
      const read = await pages(before.alias, scope, documentId, before.version, span, signal)
      const after = (await manifests.lookUp(scope.tenant, [documentId], signal)).get(documentId)
      if (after?.version === before.version) return read.filter((one) => countsFor(after, one)).map(({ passage }) => passage).sort((a, b) => a.position - b.position)
    }
    return []
  }
}

/** A Qdrant server as the index: one collection per embedder behind an alias, and one of manifests that say which version counts. */
export const openQdrantPassageIndex = async (options: QdrantOptions): Promise<QdrantPassageIndex> => {
  const { url, apiKey, prefix = 'plumbline', quantisation = 'none', signal = new AbortController().signal } = options
  const names = namesUnder(prefix)
  const api = await connect(url, apiKey, signal)
  const parts: Parts = { api, names, collections: collectionsOf(api, names, quantisation), manifests: manifestsIn(api, names.documents) }
  return {
    ...writingTo(parts),
    search: searchingIn(parts, quantisation),
    passages: readingFrom(parts),
    count: async (scope, until) => (scope.collections.length === 0 ? 0 : parts.manifests.size(scope, until)),
    rebuild: rebuildingIn(parts),
    close: () => Promise.resolve(),
  }
}
