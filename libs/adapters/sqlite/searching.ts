import type { Passage } from '@plumbline/contracts'
import { queryTerms } from '@plumbline/knowledge/bm25'
import { ensemble } from '@plumbline/knowledge/fusion'
import { mmr } from '@plumbline/knowledge/mmr'
import type { Found, Query, Scope, Ways } from '@plumbline/ports/passage-index'
import type { FoundRow } from './protocol'
import { bytes, spaceOf } from './row'
import type { IndexThread } from './thread'

const floats = (blob: Uint8Array): Float32Array => new Float32Array(blob.slice().buffer)

type Hit = Omit<FoundRow, 'passage'> & { passage: Passage }
const hitOf = ({ passage, ...row }: FoundRow): Hit => ({ ...row, passage: JSON.parse(passage) as Passage })

/** How often a search looks again where a document was replaced between its two ways. */
const mostRounds = 3
/** The threads look at moments of their own: of a document that was found in two versions only the newer counts. */
const ofOneVersion = (ways: readonly Hit[][]): Hit[][] => {
  const newest = new Map<string, number>()
  for (const { passage, document } of ways.flat())
    newest.set(passage.documentId, Math.max(document, newest.get(passage.documentId) ?? 0))
  return ways.map((hits) => hits.filter(({ passage, document }) => newest.get(passage.documentId) === document))
}

const diverse = (hits: readonly Hit[], k: number, lambda: number): Pick<Hit, 'passage' | 'score'>[] => {
  const candidates = hits.map(({ score, vector }) => ({
    relevance: score,
    vector: vector ? floats(vector) : new Float32Array(),
  }))
  return mmr(candidates, k, lambda).flatMap(({ index, score }) =>
    hits.slice(index, index + 1).map(({ passage }) => ({ passage, score })),
  )
}

/** Words only, each quoted: nothing in a question is an operator. */
const expression = (text: string): string =>
  queryTerms(text)
    .map((word) => `"${word.replaceAll('"', '""')}"`)
    .join(' OR ')

type Threads = Record<'reader' | 'vectors', IndexThread>

/** Looks for words and for vectors at once, a thread each. */
export const searchingIn = ({ reader, vectors }: Threads) => {
  /** Similarity and MMR ask for the same neighbours: one scan serves both. */
  const nearest = async (
    scope: Scope,
    { vector }: Query,
    { similarity, mmr: novel }: Ways,
    signal: AbortSignal,
  ): Promise<Hit[]> => {
    const k = Math.max(similarity.k, novel.k > 0 ? novel.fetch : 0)
    if (!vector || k === 0) return []
    const { space, values } = vector
    return (await vectors.call('similar', [scope, spaceOf(space, values.length), bytes(values), k], signal)).map(hitOf)
  }
  const matching = async (scope: Scope, text: string, k: number, signal: AbortSignal): Promise<Hit[]> => {
    const words = k > 0 ? expression(text) : ''
    return words === '' ? [] : (await reader.call('matching', [scope, words, k], signal)).map(hitOf)
  }

  const bothWays = async (
    scope: Scope,
    query: Query,
    ways: Ways,
    signal: AbortSignal,
    rounds = mostRounds,
  ): Promise<Hit[][]> => {
    const found = await Promise.all([
      nearest(scope, query, ways, signal),
      matching(scope, query.text, ways.bm25.k, signal),
    ])
    const current = ofOneVersion(found)
    return rounds > 1 && current.flat().length < found.flat().length
      ? bothWays(scope, query, ways, signal, rounds - 1)
      : current
  }

  return async (scope: Scope, query: Query, ways: Ways, signal: AbortSignal): Promise<Found[]> => {
    const [near = [], words = []] = await bothWays(scope, query, ways, signal)
    return ensemble(
      {
        similarity: near.slice(0, ways.similarity.k),
        mmr: diverse(near.slice(0, ways.mmr.fetch), ways.mmr.k, ways.mmr.lambda),
        bm25: words,
      },
      ways,
    )
  }
}
