export interface Reranker {
  readonly name: string
  /** The best `topN` of the documents, best first, by index. */
  rerank(query: string, documents: string[], topN: number, signal: AbortSignal): Promise<{ index: number; score: number }[]>
}
