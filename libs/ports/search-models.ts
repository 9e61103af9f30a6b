import type { ProviderCall } from './chat-model'

export interface Embedder {
  /** The embedder's name. Vectors of different names are never compared. */
  readonly name: string
  readonly dimensions: number
  /** `onCall` receives each provider call. An embedder without a provider never calls it. */
  embed(texts: string[], signal: AbortSignal, onCall?: (call: ProviderCall) => void): Promise<Float32Array[]>
}

export interface Reranker {
  readonly name: string
  /**
   * Returns the indexes of the best `topN` documents, best first. `onCall` receives each provider call; a reranker
   * without a provider never calls it.
   */
  rerank(
    query: string,
    documents: string[],
    topN: number,
    signal: AbortSignal,
    onCall?: (call: ProviderCall) => void,
  ): Promise<{ index: number; score: number }[]>
}
