import { stem, stopWords, tokens } from '@plumbline/knowledge/text'
import type { Embedder } from '@plumbline/ports/search-models'
import { LRUCache } from 'lru-cache'

const dimensions = 512
const gram = 4
const weights = { word: 1, pair: 0.5, gram: 0.35, stopWord: 0.05 }

const hash = (text: string): number => {
  let state = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193)
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  return (state ^ (state >>> 13)) >>> 0
}

const grams = (word: string): string[] => {
  const marked = `<${word}>`
  return marked.length <= gram
    ? [marked]
    : Array.from({ length: marked.length - gram + 1 }, (_, at) => marked.slice(at, at + gram))
}

type Hashed = { common: boolean; word: number; pieces: number[] }
const hashed = (token: string): Hashed => ({
  common: stopWords.has(token),
  word: hash(`w:${stem(token)}`),
  pieces: grams(token).map((piece) => hash(`g:${piece}`)),
})

const longestKept = 40
const hashCache = new LRUCache<string, Hashed>({ max: 20_000, memoMethod: hashed })
const hashOf = (token: string): Hashed => (token.length > longestKept ? hashed(token) : hashCache.memo(token))

/**
 * Counts words, pairs of words and parts of words. Because of the parts, forms and misspellings of a word have similar
 * vectors.
 */
const features = (text: string): Map<number, number> => {
  const found = new Map<number, number>()
  const add = (feature: number, weight: number): void => void found.set(feature, (found.get(feature) ?? 0) + weight)
  let before: number | undefined
  for (const token of tokens(text)) {
    const { common, word, pieces } = hashOf(token)
    add(word, common ? weights.stopWord : weights.word)
    if (common) continue
    for (const piece of pieces) add(piece, weights.gram / Math.sqrt(pieces.length))
    if (before !== undefined) add(hash(`p:${before} ${word}`), weights.pair)
    before = word
  }
  return found
}

/**
 * About half of the features are subtracted instead of added. Features that share a position by chance then cancel out
 * on average.
 */
const vectorOf = (text: string): Float32Array => {
  const vector = new Float32Array(dimensions)
  for (const [feature, weight] of features(text)) {
    const at = feature % dimensions
    vector[at] = (vector[at] ?? 0) + (feature & 0x80000000 ? -1 : 1) * Math.sqrt(weight)
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}

export const lexicalEmbedder: Embedder = {
  name: 'lexical-hash-512-v2',
  dimensions,
  embed: (texts, signal) =>
    new Promise((resolve) => {
      signal.throwIfAborted()
      resolve(texts.map(vectorOf))
    }),
}
