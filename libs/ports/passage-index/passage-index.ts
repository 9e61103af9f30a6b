import type { Passage } from '@plumbline/contracts'

/** Every query names its tenant and its collections: one without does not compile. */
export type Scope = { tenant: string; collections: string[]; filters?: Record<string, string> }
export type Hit = { passage: Passage; score: number }
export type IndexedPassage = { passage: Passage; vector: Float32Array }

export interface PassageIndex {
  /** Replaces every passage of the document in one step: a query sees the old ones or the new ones. */
  write(tenant: string, document: { id: string; collection: string; metadata?: Record<string, string> }, passages: IndexedPassage[], signal: AbortSignal): Promise<void>
  remove(tenant: string, documentId: string, signal: AbortSignal): Promise<void>
  similar(scope: Scope, vector: Float32Array, k: number, signal: AbortSignal): Promise<Hit[]>
  /** Maximal marginal relevance over the `fetch` nearest: relevance weighs `lambda`, novelty the rest. */
  diverse(scope: Scope, vector: Float32Array, options: { k: number; fetch: number; lambda: number }, signal: AbortSignal): Promise<Hit[]>
  /** BM25 over the words of the passages and their headings. */
  matching(scope: Scope, text: string, k: number, signal: AbortSignal): Promise<Hit[]>
  /** A whole document of the scope, in its order; nothing where the scope does not hold it. */
  document(scope: Scope, documentId: string, signal: AbortSignal): Promise<Passage[]>
  count(scope: Scope, signal: AbortSignal): Promise<number>
  close(): Promise<void>
}
