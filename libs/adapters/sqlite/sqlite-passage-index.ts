import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Passage } from '@plumbline/contracts'
import { queryTerms } from '@plumbline/knowledge/bm25'
import { fuseMethods } from '@plumbline/knowledge/fusion'
import { mmr } from '@plumbline/knowledge/mmr'
import { searchedText } from '@plumbline/knowledge/chunking/chunk'
import { terms } from '@plumbline/knowledge/text'
import type {
  Found,
  IndexedPassage,
  LaterVectors,
  PassageIndex,
  Query,
  Scope,
  SearchMethods,
  Space,
} from '@plumbline/ports/passage-index/passage-index'
import { startIndexThread, type FoundRow, type IndexThread, type PassageRow, type Words } from './thread'

const bytes = (vector: Float32Array): Uint8Array => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)

/** The name contains the vector length, so that vectors of different lengths are never compared. */
const spaceOf = (name: string, dimensions: number): string => `${name}:${dimensions}`
const searchable = (text: string): string => terms(text).join(' ')

const wordsOf = (passage: Passage): Pick<PassageRow, 'title' | 'headings' | 'text'> => ({
  title: searchable(passage.title),
  headings: searchable(passage.headingPath.join(' ')),
  text: searchable(searchedText(passage)),
})

const rowOf = ({ passage, vector }: IndexedPassage): PassageRow => ({
  passage: JSON.stringify(passage),
  position: passage.position,
  ...wordsOf(passage),
  vector: bytes(vector),
})

/** The maximum number of rows per turn of the event loop. It is low, so that other work is not delayed. */
const rowsPerTurn = 100

const rowsOf = async (passages: readonly IndexedPassage[], signal: AbortSignal): Promise<PassageRow[]> => {
  const rows: PassageRow[] = []
  for (let at = 0; at < passages.length; at += rowsPerTurn) {
    rows.push(...passages.slice(at, at + rowsPerTurn).map(rowOf))
    await nextTurn()
    signal.throwIfAborted()
  }
  return rows
}

const floats = (blob: Uint8Array): Float32Array => new Float32Array(blob.slice().buffer)

type Hit = Omit<FoundRow, 'passage'> & { passage: Passage }
const hitOf = ({ passage, ...row }: FoundRow): Hit => ({ ...row, passage: JSON.parse(passage) as Passage })

/**
 * The maximum number of times a search runs. Each search uses two threads and is repeated if they find different
 * versions of a document.
 */
const mostRounds = 3
/** Keeps only the hits of the newest version of each document, because the two threads may find different versions. */
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

/** Returns the full-text query of a text. Quotes the words, so that no word of a question acts as an operator. */
const expression = (text: string): string =>
  queryTerms(text)
    .map((word) => `"${word.replaceAll('"', '""')}"`)
    .join(' OR ')

type Threads = Record<'reader' | 'vectors', IndexThread>

const searchingIn = ({ reader, vectors }: Threads) => {
  const nearest = async (
    scope: Scope,
    { vector }: Query,
    { similarity, mmr: novel }: SearchMethods,
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
    ways: SearchMethods,
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

  return async (scope: Scope, query: Query, ways: SearchMethods, signal: AbortSignal): Promise<Found[]> => {
    const [near = [], words = []] = await bothWays(scope, query, ways, signal)
    return fuseMethods(
      {
        similarity: near.slice(0, ways.similarity.k),
        mmr: diverse(near.slice(0, ways.mmr.fetch), ways.mmr.k, ways.mmr.lambda),
        bm25: words,
      },
      ways,
    )
  }
}

const renewingIn = ({ reader, writer }: Record<'reader' | 'writer', IndexThread>) => {
  let after = 0
  return async (signal: AbortSignal): Promise<boolean> => {
    const older = await reader.call('older', [after], signal)
    after = older?.document ?? 0
    if (!older) return false
    const rows: Words[] = []
    for (const [at, { key, passage }] of older.passages.entries()) {
      if (at % rowsPerTurn === rowsPerTurn - 1) await nextTurn()
      rows.push({ key, ...wordsOf(JSON.parse(passage) as Passage) })
    }
    await writer.call('renew', [older.document, rows], signal)
    return true
  }
}

const passagesPerBatch = 64

const laterVectorsIn = ({ reader, writer }: Record<'reader' | 'writer', IndexThread>): LaterVectors => {
  const nameOf = ({ name, dimensions }: Space): string => spaceOf(name, dimensions)
  return {
    next: async (space, signal) => {
      const row = await reader.call('unfilled', [nameOf(space), passagesPerBatch], signal)
      if (!row) return null
      const { id, size, done, passages, ...document } = row
      const read = passages.map(({ key, passage }) => ({ key, passage: JSON.parse(passage) as Passage }))
      return { ...document, documentId: id, from: done, of: size, passages: read }
    },
    add: (space, { document, from, passages }, vectors, signal) => {
      const rows = passages.flatMap(({ key }, at) => {
        const vector = vectors[at]
        return vector ? [{ key, vector: bytes(vector) }] : []
      })
      return writer.call('fill', [document, nameOf(space), from, rows], signal)
    },
    missing: (space, within, signal) =>
      reader.call('missing', [nameOf(space), within?.tenant ?? null, within?.collection ?? ''], signal),
  }
}

type Options = { file: string }

const openMs = 30_000

const reasonOf = (error: unknown): string => {
  const origin = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return origin instanceof Error ? origin.message : String(origin)
}

const anywhere = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }

export const openSqlitePassageIndex = async ({ file }: Options): Promise<PassageIndex> => {
  await mkdir(dirname(file), { recursive: true })
  const reader = startIndexThread(file)
  const vectors = startIndexThread(file)
  const writer = startIndexThread(file)

  const index: PassageIndex = {
    write: async (tenant, { space, ...document }, passages, signal) => {
      const rows = await rowsOf(passages, signal)
      await writer.call(
        'write',
        [tenant, { ...document, space: spaceOf(space, passages[0]?.vector.length ?? 0) }, rows],
        signal,
      )
    },
    remove: (tenant, documentId, signal) => writer.call('remove', [tenant, documentId], signal),
    search: searchingIn({ reader, vectors }),
    passages: async (scope, documentId, span, signal) => {
      const rows = await reader.call(
        'passages',
        [scope, documentId, span?.from ?? anywhere.from, span?.to ?? anywhere.to],
        signal,
      )
      return rows.map(({ passage }) => JSON.parse(passage) as Passage)
    },
    count: (scope, signal) => reader.call('count', [scope], signal),
    laterVectors: laterVectorsIn({ reader, writer }),
    renewOne: renewingIn({ reader, writer }),
    close: async () => void (await Promise.all([reader.close(), vectors.close(), writer.close()])),
  }
  await index
    .count({ tenant: '', collections: [], filters: {}, access: [] }, AbortSignal.timeout(openMs))
    .catch(async (cause: unknown) => {
      await index.close()
      throw new Error(
        `The index ${file} cannot be opened: ${reasonOf(cause)}. Move the file away to start with an empty index, or set DATA_DIR to another folder.`,
        { cause },
      )
    })
  return index
}
