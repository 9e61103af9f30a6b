import type { Way } from '@plumbline/knowledge/fusion'
import type { Filters, Passage, Scores } from '@plumbline/contracts'

const off: Ways = {
  similarity: { k: 0, weight: 0 },
  mmr: { k: 0, weight: 0, fetch: 0, lambda: 0 },
  bm25: { k: 0, weight: 0 },
  constant: 1,
  limit: 0,
}

/** Returns settings that use only one way of searching. */
export const oneWay = <One extends Way>(way: One, settings: Omit<Ways[One], 'weight'>): Ways => ({
  ...off,
  [way]: { ...settings, weight: 1 },
  limit: settings.k,
})

/** The access of a reader: the tags of readable documents, or all documents. */
export type Access = readonly string[] | 'all'

/**
 * Returns whether a reader with this access may read a document with these tags. Every reader of the tenant may read an
 * untagged document.
 */
export const mayRead = (access: Access, marks: readonly string[] = []): boolean =>
  access === 'all' || marks.length === 0 || marks.some((tag) => access.includes(tag))

/** The documents that a query may see. All four fields are required, so that no query can forget one. */
export type Scope = {
  tenant: string
  collections: readonly string[]
  filters: Readonly<Filters>
  access: Access
}

/** A query. `space` is the name of the embedder. Vectors of different embedders are never compared. */
export type Query = { text: string; vector: { space: string; values: Float32Array } | null }

/**
 * The number of results (`k`) and the weight of each way of searching. A `k` of 0 turns that way off. Weighted
 * reciprocal rank fusion joins the results.
 */
export type Ways = {
  similarity: { k: number; weight: number }
  /**
   * Maximal marginal relevance over the `fetch` nearest passages. Relevance has the weight `lambda`, and novelty has 1
   * − `lambda`.
   */
  mmr: { k: number; weight: number; fetch: number; lambda: number }
  /** Searches the words of passages, titles and headings. */
  bm25: { k: number; weight: number }
  constant: number
  limit: number
}
export type Found = { passage: Passage; scores: Scores }

/**
 * A passage with its vector. If the vector is empty, only words find the passage until `laterVectors` adds the vector.
 */
export type IndexedPassage = { passage: Passage; vector: Float32Array }
export type IndexedDocument = {
  id: string
  collection: string
  version: string
  metadata: Readonly<Record<string, string>>
  access: readonly string[]
  /** The embedder of the passages' vectors. */
  space: string
}

/** The vectors of one embedder. They find a document only after all its passages have a vector. */
export type Space = { name: string; dimensions: number }

/** The next passages of a document that has no vectors of an embedder yet. */
export type WithoutVectors = {
  tenant: string
  collection: string
  documentId: string
  version: string
  /** The internal number of the document in this index. */
  document: number
  from: number
  /** The number of passages in the document. */
  of: number
  passages: { key: number; passage: Passage }[]
}

/** Adds vectors to documents that words already find. The index stores the progress. */
export interface LaterVectors {
  /**
   * Returns the next passages without vectors, or null if every passage has one. Starts with the document added first.
   */
  next(space: Space, signal: AbortSignal): Promise<WithoutVectors | null>
  /**
   * Adds vectors to a batch. With the last batch of a document, searches use its new vectors. Does nothing if the
   * document was replaced.
   */
  add(space: Space, batch: WithoutVectors, vectors: readonly Float32Array[], signal: AbortSignal): Promise<void>
  /** Returns how many passages have no vectors of this embedder, in all collections or in the given one. */
  missing(space: Space, within: { tenant: string; collection: string } | null, signal: AbortSignal): Promise<number>
}

export interface PassageIndex {
  /** Replaces all passages of the document atomically: a query sees either the old or the new passages. Idempotent. */
  write(
    tenant: string,
    document: IndexedDocument,
    passages: readonly IndexedPassage[],
    signal: AbortSignal,
  ): Promise<void>
  remove(tenant: string, documentId: string, signal: AbortSignal): Promise<void>
  /**
   * Searches in all configured ways and returns the fused results, best first, each passage once. If the query has no
   * vector, searches only by words.
   */
  search(scope: Scope, query: Query, ways: Ways, signal: AbortSignal): Promise<Found[]>
  /**
   * Returns the passages of a document in order. With a `span`, returns only those at positions `from` to `to`. Returns
   * none if the scope excludes the document.
   */
  passages(
    scope: Scope,
    documentId: string,
    span: { from: number; to: number } | null,
    signal: AbortSignal,
  ): Promise<Passage[]>
  count(scope: Scope, signal: AbortSignal): Promise<number>
  /** Undefined if this index needs the vectors when a document is written. */
  laterVectors?: LaterVectors
  /**
   * Rebuilds the search terms of one document that an older version of this software wrote. Returns false if no such
   * document is left.
   */
  renewOne?(signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}
