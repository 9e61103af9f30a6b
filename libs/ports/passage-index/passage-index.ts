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

/** All readers of the tenant may see a document without tags. */
export const mayRead = (access: Access, marks: readonly string[] = []): boolean =>
  access === 'all' || marks.length === 0 || marks.some((tag) => access.includes(tag))

/** All fields are required, so that no caller forgets a restriction. */
export type Scope = {
  tenant: string
  collections: readonly string[]
  filters: Readonly<Filters>
  access: Access
}

/** `space` names the embedder, because only vectors of the same embedder are comparable. */
export type Query = { text: string; vector: { space: string; values: Float32Array } | null }

/** A `k` of 0 turns a method off. Weighted reciprocal rank fusion merges the results. */
export type SearchMethods = {
  similarity: { k: number; weight: number }
  mmr: { k: number; weight: number; fetch: number; lambda: number }
  bm25: { k: number; weight: number }
  constant: number
  limit: number
}
export type Found = { passage: Passage; scores: Scores }

/** With an empty vector, only full-text search finds the passage until `laterVectors` adds one. */
export type IndexedPassage = { passage: Passage; vector: Float32Array }
export type IndexedDocument = {
  id: string
  collection: string
  version: string
  metadata: Readonly<Record<string, string>>
  access: readonly string[]
  space: string
}

/** Vector search finds a document only when all its passages have vectors in this space. */
export type Space = { name: string; dimensions: number }

export type WithoutVectors = {
  tenant: string
  collection: string
  documentId: string
  version: string
  /** The internal number of the document in the index. */
  document: number
  from: number
  of: number
  passages: { key: number; passage: Passage }[]
}

export interface LaterVectors {
  /** Returns the next batch of passages without vectors, all from one document. */
  next(space: Space, signal: AbortSignal): Promise<WithoutVectors | null>
  /** The last batch makes a document's vectors searchable. Does nothing if the document was replaced. */
  add(space: Space, batch: WithoutVectors, vectors: readonly Float32Array[], signal: AbortSignal): Promise<void>
  missing(space: Space, within: { tenant: string; collection: string } | null, signal: AbortSignal): Promise<number>
}

export interface PassageIndex {
  /** Replaces passages atomically: a query finds either the old or the new ones. Safe to repeat. */
  write(
    tenant: string,
    document: IndexedDocument,
    passages: readonly IndexedPassage[],
    signal: AbortSignal,
  ): Promise<void>
  remove(tenant: string, documentId: string, signal: AbortSignal): Promise<void>
  /** Returns the best passages first, without duplicates. Without a query vector, uses only full-text search. */
  search(scope: Scope, query: Query, ways: SearchMethods, signal: AbortSignal): Promise<Found[]>
  /** Returns an empty list if the scope excludes the document. */
  passages(
    scope: Scope,
    documentId: string,
    span: { from: number; to: number } | null,
    signal: AbortSignal,
  ): Promise<Passage[]>
  count(scope: Scope, signal: AbortSignal): Promise<number>
  /** Undefined if documents can only be written together with their vectors. */
  laterVectors?: LaterVectors
  /** Rebuilds the search terms of one document that an older release wrote. Returns false if none is left. */
  renewOne?(signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}
