import type { ProviderCall } from './chat-model'

export interface Embedder {
  /** What made the vectors; vectors of different names are never compared. */
  readonly name: string
  readonly dimensions: number
  /** `onCall` is told of each call of a provider; an embedder without one tells nothing. */
  embed(texts: string[], signal: AbortSignal, onCall?: (call: ProviderCall) => void): Promise<Float32Array[]>
}

export interface Reranker {
  readonly name: string
  /** The best `topN` of the documents, best first, by index. `onCall` is told of each call of a provider; a reranker without one tells nothing. */
  rerank(
    query: string,
    documents: string[],
    topN: number,
    signal: AbortSignal,
    onCall?: (call: ProviderCall) => void,
  ): Promise<{ index: number; score: number }[]>
}
