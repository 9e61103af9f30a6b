import type { ProviderCall } from './chat-model'

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
