import { stopWords, tokens, stem } from '@plumbline/knowledge/text'
import type { Embedder } from '@plumbline/ports/embedder'

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
  return marked.length <= gram ? [marked] : Array.from({ length: marked.length - gram + 1 }, (_, at) => marked.slice(at, at + gram))
}

/** Features of a text with their weights: words, neighbouring words, and the pieces of each word, which bring its forms and misspellings near. */
const features = (text: string): Map<string, number> => {
  const found = new Map<string, number>()
  const add = (feature: string, weight: number): void => void found.set(feature, (found.get(feature) ?? 0) + weight)
  let before = ''
  for (const token of tokens(text)) {
    const common = stopWords.has(token)
    const word = stem(token)
    add(`w:${word}`, common ? weights.stopWord : weights.word)
    if (common) continue
    const pieces = grams(token)
    for (const piece of pieces) add(`g:${piece}`, weights.gram / Math.sqrt(pieces.length))
    if (before !== '') add(`p:${before} ${word}`, weights.pair)
    before = word
  }
  return found
}

/** Hashed with a sign, so that collisions cancel out on average; repeats count less and less; length 1. */
const vectorOf = (text: string): Float32Array => {
  const vector = new Float32Array(dimensions)
  for (const [feature, weight] of features(text)) {
    const at = hash(feature)
    vector[at % dimensions] = (vector[at % dimensions] ?? 0) + (at & 0x80000000 ? -1 : 1) * Math.sqrt(weight)
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}

/** No model: likeness here means shared words and word pieces, not shared meaning. */
export const lexicalEmbedder: Embedder = {
  name: 'lexical-hash-512-v1',
  dimensions,
  embed: (texts, signal) =>
    new Promise((resolve) => {
      signal.throwIfAborted()
      resolve(texts.map(vectorOf))
    }),
}
