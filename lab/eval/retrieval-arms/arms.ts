import type { Evidence, Passage } from '@plumbline/contracts'
import { builtInEmbedders } from '@plumbline/encoder/built-in-embedder'
import { onlyMethod, type PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import type { Embedder } from '@plumbline/ports/search-models'
import { defaultsWith, type RetrievalDefaults } from '@plumbline/stages/researcher/retrieval-defaults'
import { retrieve } from '@plumbline/stages/researcher/retrieve'
import { never, scopeOf } from './sets'
import type { Query } from './quoted'

export const depth = 10

/** A retrieval method that is compared with other methods. */
export type Arm = { name: string; find: (index: PassageIndex, query: Query) => Promise<Passage[]> }

export const baseline: Arm = {
  name: 'BM25 alone',
  find: async (index, query) => {
    const words = { text: query.text, vector: null }
    return (await index.search(scopeOf(query), words, onlyMethod('bm25', { k: depth }), never)).map(
      (one) => one.passage,
    )
  },
}

const { questions: builtIn } = builtInEmbedders()
const defaults = defaultsWith(builtIn)
const { search } = defaults
const weighted = (weight: number): Partial<RetrievalDefaults['search']> => ({
  similarity: { ...search.similarity, weight },
  bm25: { ...search.bm25, weight: 1 - weight },
})

const searching = (name: string, change: Partial<RetrievalDefaults['search']>, embedder: Embedder = builtIn): Arm => ({
  name,
  find: async (index, query): Promise<Evidence[]> => {
    const settings = {
      ...defaults,
      search: { ...search, ...change },
      evidence: { ...defaults.evidence, perQuery: depth, atLeast: depth, fillFrom: 0 },
    }
    const ports = { index, embedder, reranker: null }
    const ask = { scope: scopeOf(query), queries: [query.text], signal: never }
    return (await retrieve(ports, ask, settings)).passages
  },
})

export const ours = searching('by default', {})

/** The characters of the text are the seed, so every run gets the same vectors. */
const randomVector = (text: string): Float32Array => {
  let state = 0x9e3779b9
  for (const sign of text) state = Math.imul(state ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return Float32Array.from({ length: builtIn.dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return state / 2 ** 31
  })
}
const random: Embedder = { ...builtIn, embed: (texts) => Promise.resolve(texts.map(randomVector)) }

export const others: Arm[] = [
  searching('weight 0.2', weighted(0.2)),
  searching('weight 0.3', weighted(0.3)),
  searching('weight 0.7', weighted(0.7)),
  searching('similarity alone', { bm25: { k: 0, weight: 0 } }),
  searching('random vectors', {}, random),
]
