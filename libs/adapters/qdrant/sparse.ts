import type { Passage } from '@plumbline/contracts'
import { queryTerms } from '@plumbline/knowledge/bm25'
import { searchedText } from '@plumbline/knowledge/chunking/chunk'
import { terms } from '@plumbline/knowledge/text'

export type Sparse = { indices: number[]; values: number[] }

/** Increase this number if the code computes search terms differently. A re-index then writes all documents again. */
export const sparseForm = 5

const k1 = 1.2
const b = 0.75
/** The assumed average length of a passage, in words. The real average is unknown. */
const usualLength = 200

/** Uses the FNV-1a hash, because the hash must be the same in every process and release. */
const dimensionOf = (word: string): number => {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/**
 * The dimension of a word is a hash, so several words can have the same dimension. Their values are added, because
 * Qdrant accepts each dimension only once.
 */
const gathered = (entries: Iterable<[string, number]>): Sparse => {
  const values = new Map<number, number>()
  for (const [word, value] of entries) values.set(dimensionOf(word), (values.get(dimensionOf(word)) ?? 0) + value)
  return { indices: [...values.keys()], values: [...values.values()] }
}

/** Weights words by their frequency in the passage. Qdrant multiplies the weights by the rarity of the words. */
export const sparsePassage = (passage: Passage): Sparse => {
  const words = terms([passage.title, ...passage.headingPath, searchedText(passage)].join('\n'))
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const norm = k1 * (1 - b + (b * words.length) / usualLength)
  return gathered([...counts].map(([word, times]): [string, number] => [word, (times * (k1 + 1)) / (times + norm)]))
}

export const sparseQuery = (text: string): Sparse | null => {
  const words = queryTerms(text)
  return words.length > 0 ? gathered(words.map((word): [string, number] => [word, 1])) : null
}
