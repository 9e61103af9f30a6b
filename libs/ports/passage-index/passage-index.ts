import type { Way } from '@plumbline/knowledge/fusion'
import type { Filters, Passage, Scores } from '@plumbline/contracts'

const off: Ways = {
  similarity: { k: 0, weight: 0 },
  mmr: { k: 0, weight: 0, fetch: 0, lambda: 0 },
  bm25: { k: 0, weight: 0 },
  constant: 1,
  limit: 0,
}

/** Returns settings that turn on a single way of searching. */
export const oneWay = <One extends Way>(way: One, settings: Omit<Ways[One], 'weight'>): Ways => ({
  ...off,
  [way]: { ...settings, weight: 1 },
  limit: settings.k,
})

/** The access of a reader: documents with one of these tags, or all. Documents without tags are open to everybody. */
export type Access = readonly string[] | 'all'

/**
 * Returns whether a reader with this access may read a document with these tags. An untagged document is open to its
 * tenant.
 */
export const mayRead = (access: Access, marks: readonly string[] = []): boolean =>
  access === 'all' || marks.length === 0 || marks.some((tag) => access.includes(tag))

/** Every query must state tenant, collections, filters and access, or it does not compile. */
export type Scope = {
  tenant: string
  collections: readonly string[]
  filters: Readonly<Filters>
  access: Access
}

/** `space` is the embedder's name. Vectors of different spaces are never compared. */
export type Query = { text: string; vector: { space: string; values: Float32Array } | null }

/**
 * The number of results and the weight of each way of searching. A `k` of 0 turns it off. Results are fused by
 * weighted reciprocal rank.
 */
export type Ways = {
  similarity: { k: number; weight: number }
  /** Maximal marginal relevance over the `fetch` nearest: relevance has the weight `lambda`, novelty the rest. */
  mmr: { k: number; weight: number; fetch: number; lambda: number }
  /** Searches the words of passages, titles and headings. */
  bm25: { k: number; weight: number }
  constant: number
  limit: number
}
export type Found = { passage: Passage; scores: Scores }

/** A passage with an empty vector is found by its words, until `laterVectors` adds one. */
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

/** An embedder's vectors, by which documents are found once all their passages have one. */
export type Space = { name: string; dimensions: number }

/** The next passages of a document that has no vectors of a space yet. */
export type WithoutVectors = {
  tenant: string
  collection: string
  documentId: string
  version: string
  /** Known to the index alone. */
  document: number
  from: number
  /** The number of passages in the document. */
  of: number
  passages: { key: number; passage: Passage }[]
}

/** Adds vectors to documents that are already found by their words. The index remembers how far it came. */
export interface LaterVectors {
  /** Returns the next passages without vectors, oldest document first, or null if there are none. */
  next(space: Space, signal: AbortSignal): Promise<WithoutVectors | null>
  /** The last passages of a document switch it to its new vectors. Does nothing if the document was replaced. */
  add(space: Space, batch: WithoutVectors, vectors: readonly Float32Array[], signal: AbortSignal): Promise<void>
  /** Returns how many passages have no vectors of this space, in all collections or in one. */
  missing(space: Space, within: { tenant: string; collection: string } | null, signal: AbortSignal): Promise<number>
}

export interface PassageIndex {
  /** Replaces all passages of the document atomically, so a query sees the old or the new ones. Idempotent. */
  write(
    tenant: string,
    document: IndexedDocument,
    passages: readonly IndexedPassage[],
    signal: AbortSignal,
  ): Promise<void>
  remove(tenant: string, documentId: string, signal: AbortSignal): Promise<void>
  /**
   * Returns the fused results of all ways, best first, each passage once. Without a vector, it searches only by
   * words.
   */
  search(scope: Scope, query: Query, ways: Ways, signal: AbortSignal): Promise<Found[]>
  /**
   * Returns the passages of a document in order, or those at positions `from` to `to`. Returns none if the scope
   * excludes the document.
   */
  passages(
    scope: Scope,
    documentId: string,
    span: { from: number; to: number } | null,
    signal: AbortSignal,
  ): Promise<Passage[]>
  count(scope: Scope, signal: AbortSignal): Promise<number>
  /** Undefined if documents need their vectors when they are written. */
  laterVectors?: LaterVectors
  /** Rebuilds the search terms of one document from an older version. Returns false when none is left. */
  renewOne?(signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}
