import type { Passage } from '@plumbline/contracts'
import { bm25, indexWords, queryWords } from '@plumbline/knowledge/bm25'
import { cosine, mmr } from '@plumbline/knowledge/mmr'
import type { Hit, IndexedPassage, PassageIndex, Scope } from './passage-index'

type Held = { tenant: string; id: string; collection: string; metadata: Record<string, string>; passages: IndexedPassage[] }

const wordsOf = ({ title, headingPath, text }: Passage): string[] => indexWords([title, ...headingPath, text].join('\n'))
const best = <Scored extends { score: number }>(scored: Scored[], k: number): Scored[] => scored.sort((a, b) => b.score - a.score).slice(0, k)

/** The whole index in this process's memory: for specs. */
export const memoryPassageIndex = (): PassageIndex => {
  const documents = new Map<string, Held>()
  const key = (tenant: string, id: string): string => JSON.stringify([tenant, id])
  const inScope = ({ tenant, collections, filters = {} }: Scope): IndexedPassage[] =>
    [...documents.values()]
      .filter((held) => held.tenant === tenant && collections.includes(held.collection))
      .filter(({ metadata }) => Object.entries(filters).every(([name, value]) => metadata[name] === value))
      .flatMap(({ passages }) => passages)
  const near = (scope: Scope, vector: Float32Array, k: number): (Hit & IndexedPassage)[] =>
    best(
      inScope(scope).filter((held) => held.vector.length === vector.length).map((held) => ({ ...held, score: cosine(held.vector, vector) })),
      k,
    )
  const step = async <Result>(signal: AbortSignal, work: () => Result): Promise<Result> => {
    await Promise.resolve()
    signal.throwIfAborted()
    return work()
  }
  return {
    write: (tenant, { id, collection, metadata = {} }, passages, signal) =>
      step(signal, () => void documents.set(key(tenant, id), { tenant, id, collection, metadata, passages })),
    remove: (tenant, documentId, signal) => step(signal, () => void documents.delete(key(tenant, documentId))),
    similar: (scope, vector, k, signal) => step(signal, () => near(scope, vector, k).map(({ passage, score }) => ({ passage, score }))),
    diverse: (scope, vector, { k, fetch, lambda }, signal) =>
      step(signal, () => {
        const held = near(scope, vector, fetch)
        const picked = mmr(held.map((one) => ({ relevance: one.score, vector: one.vector })), k, lambda)
        return picked.flatMap(({ index, score }) => held.slice(index, index + 1).map(({ passage }) => ({ passage, score })))
      }),
    matching: (scope, text, k, signal) =>
      step(signal, () => {
        const held = inScope(scope)
        const scores = bm25(queryWords(text), held.map(({ passage }) => wordsOf(passage)))
        return best(held.map(({ passage }, at) => ({ passage, score: scores[at] ?? 0 })).filter(({ score }) => score > 0), k)
      }),
    document: (scope, documentId, signal) =>
      step(signal, () => inScope(scope).map(({ passage }) => passage).filter((passage) => passage.documentId === documentId).sort((a, b) => a.position - b.position)),
    count: (scope, signal) => step(signal, () => inScope(scope).length),
    close: () => Promise.resolve(),
  }
}
