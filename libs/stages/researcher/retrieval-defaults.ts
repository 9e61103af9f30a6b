import { builtInName } from '@plumbline/encoder/built-in-embedder'
import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import type { RetrievalSettings } from '@plumbline/contracts'

export const retrievalDefaults = {
  /**
   * `candidates`: how many passages are reranked. Vectors have no weight by default, because vectors that only count
   * words made the results worse.
   */
  search: {
    similarity: { k: 0, weight: 0 },
    mmr: { k: 0, weight: 0, fetch: 40, lambda: 0.7 },
    bm25: { k: 24, weight: 1 },
    constant: 10,
    candidates: 36,
  },
  /** After `timeoutMs`, the order before reranking is kept. `spare`: additional results to replace duplicates. */
  rerank: { by: undefined as RetrievalSettings['reranker'], timeoutMs: 10_000, spare: 4 },
  /** `each`: how many passages before and after a result are joined to it. `maxChars`: the limit of the joined text. */
  neighbours: { each: 0, maxChars: 6_000 },
  /**
   * Results are added until there are `atLeast`, but only if their score is at least the share `fillFrom` of the best
   * score. `byWords`: this many of the best word matches (BM25) are always kept.
   */
  evidence: { perQuery: 2, atLeast: 4, fillFrom: 0.25, byWords: 2 },
}
export type RetrievalDefaults = typeof retrievalDefaults

/** Vectors of the built-in encoder weigh as much as BM25. ADR 053 compares other weights. */
const builtInVectors = {
  similarity: { k: 24, weight: 0.5 },
  bm25: { k: 24, weight: 0.5 },
}

const modelVectors = {
  similarity: { k: 20, weight: 0.4 },
  mmr: { ...retrievalDefaults.search.mmr, k: 10, weight: 0.2 },
  bm25: { k: 20, weight: 0.4 },
}

const { bm25: _, ...vectorsAlone } = modelVectors

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

export const settingsFor = (defaults: RetrievalDefaults, own: RetrievalSettings | undefined): RetrievalDefaults => {
  if (!own) return defaults
  const { rerank, neighbours } = defaults
  // A collection without BM25 must be searched by vectors, even if the defaults give vectors no weight.
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
