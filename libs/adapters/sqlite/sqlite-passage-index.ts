import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Passage } from '@plumbline/contracts'
import { indexWords, queryWords } from '@plumbline/knowledge/bm25'
import { mmr } from '@plumbline/knowledge/mmr'
import type { Hit, IndexedPassage, PassageIndex, Scope } from '@plumbline/ports/passage-index'
import { scanOnce } from './nearest'
import type { FoundRow, PassageRow, ScopeRow } from './protocol'
import { startIndexThread } from './thread'

type Options = {
  file: string
  /** Whose vectors these are: an embedder's name. Vectors of different names are never compared. */
  vectors?: string
}

const openMs = 30_000

const reasonOf = (error: unknown): string => {
  const origin = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return origin instanceof Error ? origin.message : String(origin)
}

const bytes = (vector: Float32Array): Uint8Array => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
const floats = (blob: Uint8Array): Float32Array => new Float32Array(blob.slice().buffer)

const scopeRow = ({ tenant, collections, filters = {} }: Scope): ScopeRow => ({ tenant, collections, filters })
const hit = ({ passage, score }: FoundRow): Hit => ({ passage: JSON.parse(passage) as Passage, score })
const searchable = (text: string): string => indexWords(text).join(' ')

const rowOf = ({ passage, vector }: IndexedPassage): PassageRow => ({
  passage: JSON.stringify(passage),
  title: searchable(passage.title),
  headings: searchable(passage.headingPath.join(' ')),
  text: searchable(passage.text),
  vector: bytes(vector),
})
/** A large document must not hold the event loop: locks are renewed on it. */
const rowsPerTurn = 100

/** Words only, each quoted: nothing in a question is an operator. */
const expression = (text: string): string =>
  queryWords(text)
    .map((word) => `"${word.replaceAll('"', '""')}"`)
    .join(' OR ')

/** The embedded index: one SQLite file that several processes may share. Reading and writing have a thread each. */
export const openSqlitePassageIndex = async ({ file, vectors = 'vectors' }: Options): Promise<PassageIndex> => {
  await mkdir(dirname(file), { recursive: true })
  const reader = startIndexThread(file)
  const writer = startIndexThread(file)
  const space = (dimensions: number): string => `${vectors}:${dimensions}`
  const nearest = scanOnce((scope, vector, k, signal) => reader.call('similar', [scopeRow(scope), space(vector.length), bytes(vector), k], signal))

  const index: PassageIndex = {
    write: async (tenant, { id, collection, metadata = {} }, passages, signal) => {
      const rows: PassageRow[] = []
      for (let at = 0; at < passages.length; at += rowsPerTurn) {
        rows.push(...passages.slice(at, at + rowsPerTurn).map(rowOf))
        await nextTurn()
        signal.throwIfAborted()
      }
      await writer.call('write', [tenant, { id, collection, metadata, space: space(passages[0]?.vector.length ?? 0) }, rows], signal)
    },
    remove: (tenant, documentId, signal) => writer.call('remove', [tenant, documentId], signal),
    similar: async (scope, vector, k, signal) => (await nearest(scope, vector, k, signal)).map(hit),
    diverse: async (scope, vector, { k, fetch, lambda }, signal) => {
      const rows = await nearest(scope, vector, fetch, signal)
      const candidates = rows.map(({ score, vector: held }) => ({ relevance: score, vector: held ? floats(held) : new Float32Array() }))
      return mmr(candidates, k, lambda).flatMap(({ index: at, score }) => {
        const row = rows[at]
        return row ? [{ ...hit(row), score }] : []
      })
    },
    matching: async (scope, text, k, signal) => {
      const words = expression(text)
      return words === '' ? [] : (await reader.call('matching', [scopeRow(scope), words, k], signal)).map(hit)
    },
    document: async (scope, documentId, signal) => {
      const rows = await reader.call('document', [scopeRow(scope), documentId], signal)
      return rows.map(({ passage }) => JSON.parse(passage) as Passage).sort((a, b) => a.position - b.position)
    },
    count: (scope, signal) => reader.call('count', [scopeRow(scope)], signal),
    close: async () => void (await Promise.all([reader.close(), writer.close()])),
  }
  await index.count({ tenant: '', collections: [] }, AbortSignal.timeout(openMs)).catch(async (cause: unknown) => {
    await index.close()
    throw new Error(`The index ${file} cannot be opened: ${reasonOf(cause)}. Move the file away to begin a new one, or set DATA_DIR to another folder.`, { cause })
  })
  return index
}
