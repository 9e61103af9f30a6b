/** Every number of the retrieval ensemble, and nothing implied. The weights suit the embedded lexical embedder. */
export const retrievalDefaults = {
  search: {
    /** How many passages each way of searching brings for one query, and what its ranks weigh. */
    similarity: { k: 20, weight: 0.1 },
    mmr: { k: 10, weight: 0.05, fetch: 40, lambda: 0.7 },
    bm25: { k: 30, weight: 0.85 },
    constant: 10,
    /** How many of the fused passages the reranker sees. */
    candidates: 30,
  },
  /** How long the reranker may take before the fused order stands. */
  rerank: { timeoutMs: 10_000 },
  /**
   * The best of each query make the step's evidence. Where queries agree or stand alone, their next best fill it up,
   * as far as they reach a share of the best one's score.
   */
  evidence: { perQuery: 2, atLeast: 4, fillFrom: 0.25 },
}
export type RetrievalDefaults = typeof retrievalDefaults
