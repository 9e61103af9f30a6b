import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import type { RetrievalSettings } from '@plumbline/contracts'

/** Every number of the retrieval ensemble, and nothing implied. */
export const retrievalDefaults = {
  /** How many passages each way of searching brings for one query, what its ranks weigh, and how many of the fused ones a reranker sees. Lexical vectors know words, as BM25 does, and made it worse where they had a weight. */
  search: {
    similarity: { k: 0, weight: 0 },
    mmr: { k: 0, weight: 0, fetch: 40, lambda: 0.7 },
    bm25: { k: 24, weight: 1 },
    constant: 10,
    candidates: 36,
  },
  /** Nothing named: the one the environment chooses. How long it may take before the fused order stands, and how many it is asked for beyond those needed, for duplicates to go. */
  rerank: { by: undefined as RetrievalSettings['reranker'], timeoutMs: 10_000, spare: 4 },
  /** How many passages before and after a found one are joined to it, and how long the whole may grow. */
  neighbours: { each: 0, maxChars: 6_000 },
  /**
   * The best of each query make the step's evidence. Where queries agree or stand alone, their next best fill it up,
   * as far as they reach a share of the best one's score. What BM25 ranks first for the step's question always stays.
   */
  evidence: { perQuery: 2, atLeast: 4, fillFrom: 0.25, byWords: 2 },
}
export type RetrievalDefaults = typeof retrievalDefaults

/** Vectors of a model know meaning, not only words, and weigh as much as words do. */
const modelVectors = {
  similarity: { k: 20, weight: 0.4 },
  mmr: { ...retrievalDefaults.search.mmr, k: 10, weight: 0.2 },
  bm25: { k: 20, weight: 0.4 },
}

const { bm25: _, ...vectorsAlone } = modelVectors

export const defaultsWith = ({ name }: { name: string }): RetrievalDefaults =>
  name === lexicalEmbedder.name
    ? retrievalDefaults
    : { ...retrievalDefaults, search: { ...retrievalDefaults.search, ...modelVectors } }

const given = <Settings extends object>(
  defaults: Settings,
  own: { [Key in keyof Settings]?: Settings[Key] | undefined } = {},
): Settings => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
})

/** The defaults with what a collection says otherwise. */
export const settled = (defaults: RetrievalDefaults, own: RetrievalSettings | undefined): RetrievalDefaults => {
  if (!own) return defaults
  const { rerank, neighbours } = defaults
  // Whoever turns words off wants vectors, also where they have no weight beside words.
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
