import type { SearchMethod } from '@plumbline/knowledge/fusion'
import type { Filters, Passage, Scores } from '@plumbline/contracts'

const off: SearchMethods = {
  similarity: { k: 0, weight: 0 },
  mmr: { k: 0, weight: 0, fetch: 0, lambda: 0 },
  bm25: { k: 0, weight: 0 },
  constant: 1,
  limit: 0,
}

export const onlyMethod = <One extends SearchMethod>(
  way: One,
  settings: Omit<SearchMethods[One], 'weight'>,
): SearchMethods => ({
  ...off,
  [way]: { ...settings, weight: 1 },
  limit: settings.k,
})

/** The access of a reader: the tags of the documents that the reader may see, or all documents. */
export type Access = readonly string[] | 'all'

/** Every reader of the tenant may read an untagged document. */
export const mayRead = (access: Access, marks: readonly string[] = []): boolean =>
  access === 'all' || marks.length === 0 || marks.some((tag) => access.includes(tag))

/** All fields are required, so that no caller forgets a restriction. */
export type Scope = {
  tenant: string
  collections: readonly string[]
  filters: Readonly<Filters>
  access: Access
}

/** Vectors of different embedders are never compared with each other. */
export type Query = { text: string; vector: { space: string; values: Float32Array } | null }

/** A `k` of 0 turns a method off. Weighted reciprocal rank fusion merges the results of all methods. */
export type SearchMethods = {
  similarity: { k: number; weight: number }
  mmr: { k: number; weight: number; fetch: number; lambda: number }
  bm25: { k: number; weight: number }
  constant: number
  limit: number
}
export type Found = { passage: Passage; scores: Scores }

/**
 * A passage and its vector. A passage with an empty vector is found by full-text search only, until `laterVectors`
 * adds a vector.
 */
export type IndexedPassage = { passage: Passage; vector: Float32Array }
export type IndexedDocument = {
  id: string
  collection: string
  version: string
  metadata: Readonly<Record<string, string>>
  access: readonly string[]
  space: string
}

/** The vectors of one embedder. Vector search finds a document only once all its passages have a vector. */
export type Space = { name: string; dimensions: number }

export type WithoutVectors = {
  tenant: string
  collection: string
  documentId: string
  version: string
  /** The index's internal number of the document. */
  document: number
  from: number
  of: number
  passages: { key: number; passage: Passage }[]
}

/** Adds vectors to documents that only full-text search finds so far. */
export interface LaterVectors {
  /** Returns the next passages without vectors, of one document. */
  next(space: Space, signal: AbortSignal): Promise<WithoutVectors | null>
  /**
   * Stores the vectors of a batch. The last batch of a document makes its vectors searchable. Does nothing if the
   * document was replaced meanwhile.
   */
  add(space: Space, batch: WithoutVectors, vectors: readonly Float32Array[], signal: AbortSignal): Promise<void>
  /**
   * Returns the number of passages in documents that still lack vectors of this embedder. Counts one collection, or all
   * collections if `within` is null.
   */
  missing(space: Space, within: { tenant: string; collection: string } | null, signal: AbortSignal): Promise<number>
}

export interface PassageIndex {
  /** Atomic: a query finds either the old or the new passages. Idempotent. */
  write(
    tenant: string,
    document: IndexedDocument,
    passages: readonly IndexedPassage[],
    signal: AbortSignal,
  ): Promise<void>
  remove(tenant: string, documentId: string, signal: AbortSignal): Promise<void>
  /** Returns merged results, best first, each passage once. Without a query vector, only full-text search is used. */
  search(scope: Scope, query: Query, ways: SearchMethods, signal: AbortSignal): Promise<Found[]>
  /** Returns an empty list if the scope excludes the document. */
  passages(
    scope: Scope,
    documentId: string,
    span: { from: number; to: number } | null,
    signal: AbortSignal,
  ): Promise<Passage[]>
  count(scope: Scope, signal: AbortSignal): Promise<number>
  /** Undefined if this index requires the vectors when a document is written. */
  laterVectors?: LaterVectors
  /** Rebuilds the search terms of one document of an older release. Returns false if no such document is left. */
  renewOne?(signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}
