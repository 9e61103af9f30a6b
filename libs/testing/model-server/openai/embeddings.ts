import { stem, stopWords, tokens } from '@plumbline/knowledge/text'
import { objectOf, type ModelRequest } from '../request'
import { modelOf, tokensOf } from './completion'

const usual = 1_536
const sizes: Record<string, number> = { 'text-embedding-3-large': 3_072 }
const weights = { word: 1, stopWord: 0.05 }

const hash = (text: string): number => {
  let state = 0x811c9dc5
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x01000193)
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
  return (state ^ (state >>> 12)) >>> 0
}

/** Returns a vector of the words of a text. Each word changes one dimension, so common words make texts similar. */
const vectorOf = (text: string, size: number): Float32Array => {
  const vector = new Float32Array(size)
  const words = tokens(text)
  for (const word of words.length > 0 ? words : ['']) {
    const feature = hash(stem(word))
    vector[feature % size] =
      (vector[feature % size] ?? 0) +
      (feature & 0x80000000 ? -1 : 1) * (stopWords.has(word) ? weights.stopWord : weights.word)
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length === 0 ? vector.fill(1 / Math.sqrt(size)) : vector.map((value) => value / length)
}

const inputsOf = (input: unknown): string[] => {
  if (typeof input === 'string') return [input]
  if (!Array.isArray(input)) return []
  return input.every((one) => typeof one === 'number')
    ? [input.join(' ')]
    : input.map((one) => (Array.isArray(one) ? one.join(' ') : `${one}`))
}

export const embeddingsBody = (asked: ModelRequest): object => {
  const { input, dimensions } = objectOf(asked.body)
  const texts = inputsOf(input)
  const size = typeof dimensions === 'number' ? dimensions : (sizes[modelOf(asked)] ?? usual)
  const used = tokensOf(asked.text)
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: [...vectorOf(text, size)] }))
  return { object: 'list', data, model: modelOf(asked), usage: { prompt_tokens: used, total_tokens: used } }
}

export const modelsBody = (models: readonly string[]): object => ({
  object: 'list',
  data: models.map((id) => ({ id, object: 'model', created: 1_750_000_000, owned_by: 'plumbline' })),
})
