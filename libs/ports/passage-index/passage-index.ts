import type { Way } from '@plumbline/knowledge/fusion'
import type { Filters, Passage, Scores } from '@plumbline/contracts'

const off: Ways = {
  similarity: { k: 0, weight: 0 },
  mmr: { k: 0, weight: 0, fetch: 0, lambda: 0 },
  bm25: { k: 0, weight: 0 },
  constant: 1,
  limit: 0,
}

/** One way of searching alone. */
export const oneWay = <One extends Way>(way: One, settings: Omit<Ways[One], 'weight'>): Ways => ({
  ...off,
  [way]: { ...settings, weight: 1 },
  limit: settings.k,
})

/** What a reader may see beside documents without tags: those with one of these tags, or everything. */
export type Access = readonly string[] | 'all'

/** Whether who reads with these tags may read a document that is marked so; without a mark it is for all of its tenant. */
export const mayRead = (access: Access, marks: readonly string[] = []): boolean =>
  access === 'all' || marks.length === 0 || marks.some((tag) => access.includes(tag))

/** Every query names its tenant, its collections, its filters and what its reader may see: one without does not compile. */
export type Scope = {
  tenant: string
  collections: readonly string[]
  filters: Readonly<Filters>
  access: Access
}

/** `space` is whose vector it is, an embedder's name: vectors of different spaces are never compared. */
export type Query = { text: string; vector: { space: string; values: Float32Array } | null }

/** How much each way of searching brings and weighs; one with a k of 0 is off. They are fused by weighted reciprocal rank. */
export type Ways = {
  similarity: { k: number; weight: number }
  /** Maximal marginal relevance over the `fetch` nearest: relevance weighs `lambda`, novelty the rest. */
  mmr: { k: number; weight: number; fetch: number; lambda: number }
  /** Over the words of the passages, their titles and their headings. */
  bm25: { k: number; weight: number }
  constant: number
  limit: number
}
export type Found = { passage: Passage; scores: Scores }

export type IndexedPassage = { passage: Passage; vector: Float32Array }
export type IndexedDocument = {
  id: string
  collection: string
  version: string
  metadata: Readonly<Record<string, string>>
  access: readonly string[]
  /** What made the vectors of its passages. */
  space: string
}

export interface PassageIndex {
  /** Replaces every passage of the document in one step: a query sees the old ones or the new ones. Writing twice is writing once. */
  write(
    tenant: string,
    document: IndexedDocument,
    passages: readonly IndexedPassage[],
    signal: AbortSignal,
  ): Promise<void>
  remove(tenant: string, documentId: string, signal: AbortSignal): Promise<void>
  /** The best of all ways together, best first, each passage once. Without a vector only its words are looked for. */
  search(scope: Scope, query: Query, ways: Ways, signal: AbortSignal): Promise<Found[]>
  /** The passages of a document of the scope in their order, or those at positions `from` to `to`; nothing where the scope does not hold it. */
  passages(
    scope: Scope,
    documentId: string,
    span: { from: number; to: number } | null,
    signal: AbortSignal,
  ): Promise<Passage[]>
  count(scope: Scope, signal: AbortSignal): Promise<number>
  /** Makes the terms of one document as this version makes them, if an older one made them; false when no such document is left. */
  renewOne?(signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}
