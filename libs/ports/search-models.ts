import type { ProviderCall } from './chat-model'

export interface Embedder {
  /** The name of the embedder. Vectors of different embedders are never compared with each other. */
  readonly name: string
  readonly dimensions: number
  /** One vector per text. Calls `onCall` after each request to a provider; a local embedder never calls it. */
  embed(texts: string[], signal: AbortSignal, onCall?: (call: ProviderCall) => void): Promise<Float32Array[]>
}

export interface Reranker {
  readonly name: string
  /** Best first. Calls `onCall` after each request to a provider; a local reranker never calls it. */
  rerank(
    query: string,
    documents: string[],
    topN: number,
    signal: AbortSignal,
    onCall?: (call: ProviderCall) => void,
  ): Promise<{ index: number; score: number }[]>
}
