import type { Passage } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import type { PassageIndex, Scope } from '@plumbline/ports/passage-index/passage-index'
import { connect, scrollPoints, unlessAbsent } from './api'
import { collectionsOf, type Quantisation } from './collections'
import { laterVectorsIn } from './later-vectors'
import { manifestsIn, type Parts } from './manifests'
import { is, namesUnder, within, type Manifest, type PointPayload } from './payload'
import { rebuildingIn, type Rebuilt } from './rebuilding'
import { searchingIn } from './searching'
import { writingTo } from './writing'

export type QdrantOptions = {
  url: string
  apiKey?: string | undefined
  prefix?: string | undefined
  quantisation?: Quantisation | undefined
  signal?: AbortSignal | undefined
}

export interface QdrantPassageIndex extends PassageIndex {
  /** Builds new Qdrant collections. Searches use the old collections until the new collections are complete. */
  rebuild(signal: AbortSignal, onProgress?: (progress: Rebuilt) => void): Promise<void>
}

const pageSize = 500
const mostRounds = 10

type Span = { from: number; to: number } | null

const readingFrom = ({ api, manifests }: Parts) => {
  const pages = async (
    home: string,
    scope: Scope,
    documentId: string,
    { version }: Manifest,
    span: Span,
    signal: AbortSignal,
  ): Promise<Passage[]> => {
    const range = span ? [{ key: 'position', range: { gte: span.from, lte: span.to } }] : []
    const filter = within(scope, is('documentId', documentId), is('version', version), ...range)
    const asked = { collection_name: home, filter, limit: pageSize, with_payload: ['passage'], with_vector: false }
    const read: Passage[] = []
    for await (const points of scrollPoints(api, asked, signal))
      read.push(...points.map(({ payload }) => (payload as unknown as Pick<PointPayload, 'passage'>).passage))
    return read
  }
  return async (scope: Scope, documentId: string, span: Span, signal: AbortSignal): Promise<Passage[]> => {
    if (scope.collections.length === 0) return []
    const manifestOf = async (): Promise<Manifest | undefined> =>
      (await manifests.lookUp(scope.tenant, [documentId], signal)).get(documentId)
    let before = await manifestOf()
    for (let round = 0; round < mostRounds; round += 1) {
      if (!before) return []
      // The manifest may still list a collection that no longer exists, so each round tries the next collection.
      const home = before.homes[round % before.homes.length] ?? ''
      const read = await unlessAbsent(pages(home, scope, documentId, before, span, signal), null)
      const after = await manifestOf()
      if (read && after?.version === before.version && after.homes.includes(home))
        return read.sort((a, b) => a.position - b.position)
      before = after
    }
    throw new AppError('index.failed', 'later', {
      cause: new Error(`The document or its collection changed during each of ${mostRounds} reads.`),
    })
  }
}

export const openQdrantPassageIndex = async (options: QdrantOptions): Promise<QdrantPassageIndex> => {
  const { url, apiKey, prefix = 'plumbline', quantisation = 'none', signal = new AbortController().signal } = options
  const names = namesUnder(prefix)
  const api = await connect(url, apiKey, signal)
  const parts: Parts = {
    api,
    names,
    collections: collectionsOf(api, names, quantisation),
    manifests: manifestsIn(api, names.documents),
  }
  return {
    ...writingTo(parts),
    search: searchingIn(parts, quantisation),
    passages: readingFrom(parts),
    count: async (scope, until) => (scope.collections.length === 0 ? 0 : parts.manifests.size(scope, until)),
    laterVectors: laterVectorsIn(parts),
    rebuild: rebuildingIn(parts),
    close: () => Promise.resolve(),
  }
}
