import type { ProviderCall } from './chat-model'

export interface Embedder {
  /** The name of the embedder. Vectors of embedders with different names are never compared. */
  readonly name: string
  readonly dimensions: number
  /**
   * Returns one vector per text. `onCall` is called after each request to a provider, and never by a local embedder.
   */
  embed(texts: string[], signal: AbortSignal, onCall?: (call: ProviderCall) => void): Promise<Float32Array[]>
}

export interface Reranker {
  readonly name: string
  /**
   * Returns the indexes and scores of the best `topN` documents, best first. `onCall` is called after each request to a
   * provider, and never by a local reranker.
   */
  rerank(
    query: string,
    documents: string[],
    topN: number,
    signal: AbortSignal,
    onCall?: (call: ProviderCall) => void,
  ): Promise<{ index: number; score: number }[]>
}
