import type { ProviderCall } from './chat-model'

export interface Embedder {
  readonly name: string
  readonly dimensions: number
  embed(texts: string[], signal: AbortSignal, onCall?: (call: ProviderCall) => void): Promise<Float32Array[]>
}

export interface Reranker {
  readonly name: string
  rerank(
    query: string,
    documents: string[],
    topN: number,
    signal: AbortSignal,
    onCall?: (call: ProviderCall) => void,
  ): Promise<{ index: number; score: number }[]>
}
