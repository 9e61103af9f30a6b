import type { Evidence, Passage } from '@plumbline/contracts'
import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import { oneWay, type PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { retrievalDefaults, type RetrievalDefaults } from '@plumbline/stages/researcher/retrieval-defaults'
import { retrieve } from '@plumbline/stages/researcher/retrieve'
import { never, scopeOf } from './sets'
import type { Query } from './quoted'

export const depth = 10

/** One way of finding passages, to be measured beside the others. */
export type Arm = { name: string; find: (index: PassageIndex, query: Query) => Promise<Passage[]> }

/** The baseline for every other arm: BM25 alone. */
export const baseline: Arm = {
  name: 'BM25 alone',
  find: async (index, query) => {
    const words = { text: query.text, vector: null }
    return (await index.search(scopeOf(query), words, oneWay('bm25', { k: depth }), never)).map((one) => one.passage)
  },
}

const { search } = retrievalDefaults
const similarity = { k: 8, weight: 0.1 }
const mmr = { ...search.mmr, k: 10, weight: 0.1 }
const bm25 = { ...search.bm25, weight: 0.8 }
const off = { k: 0, weight: 0 }

const searching = (name: string, change: Partial<RetrievalDefaults['search']>): Arm => ({
  name,
  find: async (index, query): Promise<Evidence[]> => {
    const settings = {
      ...retrievalDefaults,
      search: { ...search, ...change },
      evidence: { ...retrievalDefaults.evidence, perQuery: depth, atLeast: depth, fillFrom: 0 },
    }
    const ports = { index, embedder: lexicalEmbedder, reranker: null }
    const ask = { scope: scopeOf(query), queries: [query.text], signal: never }
    return (await retrieve(ports, ask, settings)).passages
  },
})

export const ours = searching('by default', {})

/** Arms with lexical vectors, beside words and alone. */
export const others: Arm[] = [
  searching('with similarity', { similarity, bm25 }),
  searching('with MMR', { mmr, bm25 }),
  searching('with both', { similarity, mmr, bm25 }),
  searching('similarity alone', { similarity, bm25: off }),
]
