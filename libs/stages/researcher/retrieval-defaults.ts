import { builtInName } from '@plumbline/encoder/built-in-embedder'
import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import type { RetrievalSettings } from '@plumbline/contracts'

/** Every number of the retrieval ensemble, without hidden defaults. */
export const retrievalDefaults = {
  /**
   * How many passages each way of searching returns per query, the weight of its ranks, and how many fused ones a
   * reranker sees. Lexical vectors know words like BM25 does, and made results worse with a weight.
   */
  search: {
    similarity: { k: 0, weight: 0 },
    mmr: { k: 0, weight: 0, fetch: 40, lambda: 0.7 },
    bm25: { k: 24, weight: 1 },
    constant: 10,
    candidates: 36,
  },
  /**
   * `by`: the environment's reranker if undefined. `timeoutMs`: after this the fused order is used. `spare`: extra
   * results to replace duplicates.
   */
  rerank: { by: undefined as RetrievalSettings['reranker'], timeoutMs: 10_000, spare: 4 },
  /** How many passages before and after a found one are joined to it, and the maximum length. */
  neighbours: { each: 0, maxChars: 6_000 },
  /**
   * The best of each query make the step's evidence. If queries agree or there is only one, their next best fill it
   * up, as far as they reach a share of the best one's score. BM25's first results for the step's question always
   * stay.
   */
  evidence: { perQuery: 2, atLeast: 4, fillFrom: 0.25, byWords: 2 },
}
export type RetrievalDefaults = typeof retrievalDefaults

/** The built-in encoder ranks beside words. ADR 053 has the measurements of other weights. */
const builtInVectors = {
  similarity: { k: 24, weight: 0.5 },
  bm25: { k: 24, weight: 0.5 },
}

/** A model's vectors know meaning, not only words, and have as much weight as words. */
const modelVectors = {
  similarity: { k: 20, weight: 0.4 },
  mmr: { ...retrievalDefaults.search.mmr, k: 10, weight: 0.2 },
  bm25: { k: 20, weight: 0.4 },
}

const { bm25: _, ...vectorsAlone } = modelVectors

/** Returns the retrieval settings that suit the vectors of an embedder. */
export const defaultsWith = ({ name }: { name: string }): RetrievalDefaults => {
  if (name === lexicalEmbedder.name) return retrievalDefaults
  const vectors = name === builtInName ? builtInVectors : modelVectors
  return { ...retrievalDefaults, search: { ...retrievalDefaults.search, ...vectors } }
}

const given = <Settings extends object>(
  defaults: Settings,
  own: { [Key in keyof Settings]?: Settings[Key] | undefined } = {},
): Settings => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
})

/** Overrides the defaults with a collection's settings. */
export const settingsFor = (defaults: RetrievalDefaults, own: RetrievalSettings | undefined): RetrievalDefaults => {
  if (!own) return defaults
  const { rerank, neighbours } = defaults
  // A collection without words needs vectors, even if they have no weight beside words.
  const search = own.bm25?.k === 0 ? { ...defaults.search, ...vectorsAlone } : defaults.search
  return {
    ...defaults,
    search: {
      ...search,
      similarity: given(search.similarity, own.similarity),
      mmr: given(search.mmr, own.mmr),
      bm25: given(search.bm25, own.bm25),
      candidates: own.candidates ?? search.candidates,
    },
    rerank: { ...rerank, by: own.reranker ?? rerank.by },
    neighbours: { ...neighbours, each: own.neighbours ?? neighbours.each },
  }
}
