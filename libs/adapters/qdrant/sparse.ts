import type { Passage } from '@plumbline/contracts'
import { queryTerms } from '@plumbline/knowledge/bm25'
import { searchedText } from '@plumbline/knowledge/chunking/chunk'
import { terms } from '@plumbline/knowledge/text'

export type Sparse = { indices: number[]; values: number[] }

/** Increase it with every change of the terms. A document then has a new version, and a re-index writes it again. */
export const sparseForm = 5

const k1 = 1.2
const b = 0.75
/** In words. Fixed, because vectors are written before the average of later documents is known. */
const usualLength = 200

/** FNV-1a, so that a word has the same dimension in every process and version. */
const dimensionOf = (word: string): number => {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** Words with the same dimension share its value, because indices must be unique. */
const gathered = (entries: Iterable<[string, number]>): Sparse => {
  const values = new Map<number, number>()
  for (const [word, value] of entries) values.set(dimensionOf(word), (values.get(dimensionOf(word)) ?? 0) + value)
  return { indices: [...values.keys()], values: [...values.values()] }
}

/** Returns the weight of each word in a passage, without its rarity, which the server knows. */
export const sparsePassage = (passage: Passage): Sparse => {
  const words = terms([passage.title, ...passage.headingPath, searchedText(passage)].join('\n'))
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const norm = k1 * (1 - b + (b * words.length) / usualLength)
  return gathered([...counts].map(([word, times]): [string, number] => [word, (times * (k1 + 1)) / (times + norm)]))
}

/** Returns null for a text without searchable words. */
export const sparseQuery = (text: string): Sparse | null => {
  const words = queryTerms(text)
  return words.length > 0 ? gathered(words.map((word): [string, number] => [word, 1])) : null
}
