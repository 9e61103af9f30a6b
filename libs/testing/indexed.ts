import type { IndexedDocument } from '@plumbline/ports/passage-index/passage-index'

/** A document that says nothing of itself but what a spec says. */
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
