/** Every number of the retrieval ensemble, and nothing implied. The weights suit the embedded lexical embedder. */
export const retrievalDefaults = {
  /** How many passages each way of searching brings for one query. */
  k: { similarity: 20, mmr: 10, bm25: 30 },
  mmr: { fetch: 40, lambda: 0.7 },
  fusion: { constant: 10, weights: { similarity: 0.1, mmr: 0.05, bm25: 0.85 } },
  /** How many of the fused passages the reranker sees, and how long it may take before the fused order stands. */
  rerank: { candidates: 30, timeoutMs: 10_000 },
  /**
   * The best of each query make the step's evidence. Where queries agree or stand alone, their next best fill it up,
   * as far as they reach a share of the best one's score.
   */
  evidence: { perQuery: 2, atLeast: 4, fillFrom: 0.25 },
}
export type RetrievalDefaults = typeof retrievalDefaults
