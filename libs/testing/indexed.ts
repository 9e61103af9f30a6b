import type { IndexedDocument } from '@plumbline/ports/passage-index/passage-index'

export const indexed = (
  id: string,
  collection: string,
  embedder: { name: string },
  more: Partial<IndexedDocument> = {},
): IndexedDocument => ({
  id,
  collection,
  version: '1',
  metadata: {},
  access: [],
  space: embedder.name,
  ...more,
})
