import { setImmediate as nextTurn } from 'node:timers/promises'
import { terms } from '@plumbline/knowledge/text'
import type { IndexedPassage } from '@plumbline/ports/passage-index'
import type { PassageRow } from './protocol'

export const bytes = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)

/** Vectors of different lengths are of different spaces, whatever their name. */
export const spaceOf = (name: string, dimensions: number): string => `${name}:${dimensions}`
const searchable = (text: string): string => terms(text).join(' ')

const rowOf = ({ passage, vector }: IndexedPassage): PassageRow => ({
  passage: JSON.stringify(passage),
  position: passage.position,
  title: searchable(passage.title),
  headings: searchable(passage.headingPath.join(' ')),
  text: searchable(passage.text),
  vector: bytes(vector),
})

/** A large document must not hold the event loop: locks are renewed on it. */
const rowsPerTurn = 100

export const rowsOf = async (passages: readonly IndexedPassage[], signal: AbortSignal): Promise<PassageRow[]> => {
  const rows: PassageRow[] = []
  for (let at = 0; at < passages.length; at += rowsPerTurn) {
    rows.push(...passages.slice(at, at + rowsPerTurn).map(rowOf))
    await nextTurn()
    signal.throwIfAborted()
  }
  return rows
}
