import { lexicalReranker } from '@plumbline/adapters/offline'
import type { Reranker } from '@plumbline/ports/reranker'
import type { RetrievalDefaults } from '@plumbline/stages/researcher/retrieval-defaults'
import { retrievalDefaults } from '@plumbline/stages/researcher/retrieval-defaults'

/** One way of setting retrieval up, to be measured beside the others. */
export type Arm = { name: string; settings: RetrievalDefaults; reranker: Reranker | null }

const wide: RetrievalDefaults = { ...retrievalDefaults, evidence: { perQuery: 10, atLeast: 10, fillFrom: 0 } }
const { search } = wide
const off = { k: 0, weight: 0 }
const without = {
  similarity: { similarity: off },
  mmr: { mmr: { ...search.mmr, ...off } },
  bm25: { bm25: off },
}
const searching = (change: Partial<RetrievalDefaults['search']>): RetrievalDefaults => ({
  ...wide,
  search: { ...search, ...change },
})
const noHop = { ...wide, secondHop: { ...wide.secondHop, on: false } }

export const whole: Arm = { name: 'all of it', settings: wide, reranker: lexicalReranker }

/** Each part taken away, then each way of searching alone. */
export const ablations: Arm[] = [
  { ...whole, name: 'without second hop', settings: noHop },
  { ...whole, name: 'without reranker', reranker: null },
  { ...whole, name: 'without BM25', settings: searching(without.bm25) },
  { ...whole, name: 'without similarity', settings: searching(without.similarity) },
  { ...whole, name: 'without MMR', settings: searching(without.mmr) },
  { ...whole, name: 'without both vectors', settings: searching({ ...without.similarity, ...without.mmr }) },
  {
    name: 'BM25 alone',
    settings: { ...noHop, search: { ...search, ...without.similarity, ...without.mmr } },
    reranker: null,
  },
  {
    name: 'similarity alone',
    settings: { ...noHop, search: { ...search, ...without.bm25, ...without.mmr } },
    reranker: null,
  },
  {
    name: 'MMR alone',
    settings: { ...noHop, search: { ...search, ...without.bm25, ...without.similarity } },
    reranker: null,
  },
]
