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

export type Access = readonly string[] | 'all'

/** Returns whether a reader may read a document with these tags. Without tags, every reader of the tenant may. */
export const mayRead = (access: Access, marks: readonly string[] = []): boolean =>
  access === 'all' || marks.length === 0 || marks.some((tag) => access.includes(tag))

/** Restricts a search. All fields are required, so that no caller forgets a restriction. */
export type Scope = {
  tenant: string
  collections: readonly string[]
  filters: Readonly<Filters>
  access: Access
}

/** The text and the vector of a query. Only vectors of the same embedder (`space`) can be compared. */
export type Query = { text: string; vector: { space: string; values: Float32Array } | null }

/** The methods of a search. A `k` of 0 turns one off. Their results are merged by weighted reciprocal rank fusion. */
export type SearchMethods = {
  similarity: { k: number; weight: number }
  mmr: { k: number; weight: number; fetch: number; lambda: number }
  bm25: { k: number; weight: number }
  constant: number
  limit: number
}
export type Found = { passage: Passage; scores: Scores }

/** A passage to store. With an empty vector, only words find the passage until `laterVectors` adds a vector. */
export type IndexedPassage = { passage: Passage; vector: Float32Array }
export type IndexedDocument = {
  id: string
  collection: string
  version: string
  metadata: Readonly<Record<string, string>>
  access: readonly string[]
  space: string
}

/**
 * The embedder of a collection and the length of its vectors. A document is found by meaning only when all its passages
 * have such vectors.
 */
export type Space = { name: string; dimensions: number }

export type WithoutVectors = {
  tenant: string
  collection: string
  documentId: string
  version: string
  /** The internal number that the index gives the document. */
  document: number
  from: number
  of: number
  passages: { key: number; passage: Passage }[]
}

export interface LaterVectors {
  /** Returns the next batch of passages without vectors. All passages of a batch belong to one document. */
  next(space: Space, signal: AbortSignal): Promise<WithoutVectors | null>
  /** Stores the vectors of a batch, unless the document was replaced. Searches use them after the last batch. */
  add(space: Space, batch: WithoutVectors, vectors: readonly Float32Array[], signal: AbortSignal): Promise<void>
  missing(space: Space, within: { tenant: string; collection: string } | null, signal: AbortSignal): Promise<number>
}

export interface PassageIndex {
  /** Replaces the passages of a document in one step: a query finds either the old or the new ones. May be repeated. */
  write(
    tenant: string,
    document: IndexedDocument,
    passages: readonly IndexedPassage[],
    signal: AbortSignal,
  ): Promise<void>
  remove(tenant: string, documentId: string, signal: AbortSignal): Promise<void>
  /** Returns the best passages first, without duplicates. Without a query vector, searches only by words. */
  search(scope: Scope, query: Query, ways: SearchMethods, signal: AbortSignal): Promise<Found[]>
  /** Returns the passages of a document. Returns an empty list if the scope excludes the document. */
  passages(
    scope: Scope,
    documentId: string,
    span: { from: number; to: number } | null,
    signal: AbortSignal,
  ): Promise<Passage[]>
  count(scope: Scope, signal: AbortSignal): Promise<number>
  /** Undefined if the index can write documents only together with their vectors. */
  laterVectors?: LaterVectors
  /** Updates the search terms of one document that an older release indexed. Returns false if there is none. */
  renewOne?(signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}
