import {
  onlyMethod,
  type IndexedDocument,
  type IndexedPassage,
  type PassageIndex,
  type Scope,
} from '@plumbline/ports/passage-index/passage-index'
import { startQdrantServer, type QdrantServer, type Recorded } from '@plumbline/testing/qdrant-server/qdrant-server'
import { afterAll, afterEach, expect } from 'vitest'

export const serverOfSpecs = async (options: Parameters<typeof startQdrantServer>[0] = {}): Promise<QdrantServer> => {
  const server = await startQdrantServer(options)
  afterEach(() => {
    expect(server.faults).toEqual([])
    server.reset()
  })
  afterAll(() => server.close())
  return server
}
export const never = new AbortController().signal
export const scope: Scope = { tenant: 't', collections: ['main'], filters: {}, access: 'all' }
export const along = (...values: number[]): Float32Array => Float32Array.from({ length: 4 }, (_, at) => values[at] ?? 0)

export const documentOf = (id: string, more: Partial<IndexedDocument> = {}): IndexedDocument => ({
  id,
  collection: 'main',
  version: '1',
  metadata: {},
  access: [],
  space: 'one',
  ...more,
})
export const passagesOf = (id: string, mark: string, size: number): IndexedPassage[] =>
  Array.from({ length: size }, (_, position) => ({
    passage: {
      id: `${id}.${position}`,
      documentId: id,
      collection: 'main',
      title: id,
      text: `slate ${mark}`,
      headingPath: [],
      position,
    },
    vector: along(1, position / 100),
  }))

export const passagesFound = async (
  index: PassageIndex,
  space = 'one',
  by: ('words' | 'likeness')[] = ['words', 'likeness'],
): Promise<Record<string, string>[]> => {
  const query = { text: 'slate', vector: { space, values: along(1) } }
  const ways = { words: onlyMethod('bm25', { k: 200 }), likeness: onlyMethod('similarity', { k: 200 }) }
  const found = await Promise.all(by.map((way) => index.search(scope, query, ways[way], never)))
  return found.map((hits) => {
    const versions = new Map<string, string[]>()
    for (const { passage } of hits)
      versions.set(passage.documentId, [
        ...(versions.get(passage.documentId) ?? []),
        passage.text.replace('slate ', ''),
      ])
    return Object.fromEntries(
      Array.from(versions, ([id, marks]) => [id, `${[...new Set(marks)].join('+')} ${marks.length}`]),
    )
  })
}

export const stored = ({ store }: QdrantServer, documentId: string): string[] =>
  [...store.collections]
    .flatMap(([name, { points }]) =>
      name.includes('.documents')
        ? []
        : [...points.values()]
            .filter(({ payload }) => payload.documentId === documentId)
            .map(({ payload }) => (payload.passage as { text: string }).text),
    )
    .sort()

export const changes = (requests: readonly Recorded[]): Recorded[] =>
  requests.filter(({ method, path }) => method === 'PUT' && path.endsWith('/points'))
