import type { Passage } from '@plumbline/contracts'
import { bm25, queryTerms } from '@plumbline/knowledge/bm25'
import { searchedText } from '@plumbline/knowledge/chunking/chunk'
import { passes } from './filters'
import { terms } from '@plumbline/knowledge/text'
import { fuseMethods } from '@plumbline/knowledge/fusion'
import { cosine, mmr } from '@plumbline/knowledge/mmr'
import {
  type IndexedDocument,
  type IndexedPassage,
  mayRead,
  type PassageIndex,
  type Query,
  type Scope,
} from './passage-index'

type MemoryDocument = IndexedDocument & { tenant: string; passages: readonly IndexedPassage[] }
type Near = IndexedPassage & { score: number }

const wordsOf = (passage: Passage): string[] =>
  terms([passage.title, ...passage.headingPath, searchedText(passage)].join('\n'))
const best = <Scored extends { score: number }>(scored: Scored[], k: number): Scored[] =>
  scored.sort((a, b) => b.score - a.score).slice(0, k)

const near = (documents: readonly MemoryDocument[], { vector }: Query, k: number): Near[] => {
  if (!vector) return []
  const { space, values } = vector
  const comparable = documents
    .filter((held) => held.space === space)
    .flatMap(({ passages }) => passages)
    .filter((held) => held.vector.length === values.length)
  return best(
    comparable.map((held) => ({ ...held, score: cosine(held.vector, values) })),
    k,
  )
}

const diverse = (held: Near[], k: number, lambda: number) =>
  mmr(
    held.map((one) => ({ relevance: one.score, vector: one.vector })),
    k,
    lambda,
  ).flatMap(({ index, score }) => held.slice(index, index + 1).map(({ passage }) => ({ passage, score })))

const matching = (documents: readonly MemoryDocument[], text: string, k: number) => {
  const held = documents.flatMap(({ passages }) => passages)
  const scores = bm25(
    queryTerms(text),
    held.map(({ passage }) => wordsOf(passage)),
  )
  return best(
    held.map(({ passage }, at) => ({ passage, score: scores[at] ?? 0 })).filter(({ score }) => score > 0),
    k,
  )
}

const step = async <Result>(signal: AbortSignal, work: () => Result): Promise<Result> => {
  await Promise.resolve()
  signal.throwIfAborted()
  return work()
}

export const memoryPassageIndex = (): PassageIndex => {
  const documents = new Map<string, MemoryDocument>()
  const key = (tenant: string, id: string): string => JSON.stringify([tenant, id])
  const inScope = (scope: Scope): MemoryDocument[] =>
    [...documents.values()].filter(
      (held) =>
        held.tenant === scope.tenant &&
        scope.collections.includes(held.collection) &&
        passes(scope.filters, held.metadata) &&
        mayRead(scope.access, held.access),
    )
  return {
    write: (tenant, document, passages, signal) =>
      step(signal, () => void documents.set(key(tenant, document.id), { ...document, tenant, passages })),
    remove: (tenant, documentId, signal) => step(signal, () => void documents.delete(key(tenant, documentId))),
    search: (scope, query, ways, signal) =>
      step(signal, () => {
        const asked = inScope(scope)
        return fuseMethods(
          {
            similarity: near(asked, query, ways.similarity.k),
            mmr: diverse(near(asked, query, ways.mmr.fetch), ways.mmr.k, ways.mmr.lambda),
            bm25: matching(asked, query.text, ways.bm25.k),
          },
          ways,
        )
      }),
    passages: (scope, documentId, span, signal) =>
      step(signal, () =>
        inScope(scope)
          .filter(({ id }) => id === documentId)
          .flatMap(({ passages }) => passages.map(({ passage }) => passage))
          .filter(({ position }) => !span || (position >= span.from && position <= span.to))
          .sort((a, b) => a.position - b.position),
      ),
    count: (scope, signal) =>
      step(signal, () => inScope(scope).reduce((sum, { passages }) => sum + passages.length, 0)),
    close: () => Promise.resolve(),
  }
}
