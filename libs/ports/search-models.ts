import type { ProviderCall } from './chat-model'

export interface Embedder {
  /** The name of the embedder. Vectors of different embedders are never compared with each other. */
  readonly name: string
  readonly dimensions: number
  /** Returns one vector per text. Calls `onCall` after each request to a provider. */
  embed(texts: string[], signal: AbortSignal, onCall?: (call: ProviderCall) => void): Promise<Float32Array[]>
}

export interface Reranker {
  readonly name: string
  /** Returns the documents by relevance, best first. Calls `onCall` after each request to a provider. */
  rerank(
    query: string,
    documents: string[],
    topN: number,
    signal: AbortSignal,
    onCall?: (call: ProviderCall) => void,
  ): Promise<{ index: number; score: number }[]>
}
