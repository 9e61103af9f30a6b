import { contentTerms, sentences, terms } from './text'

const k1 = 1.2
const b = 0.75

export const bm25 = (query: readonly string[], texts: readonly (readonly string[])[]): number[] => {
  const mean = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(texts.length, 1)
  const counts = texts.map((text) => {
    const count = new Map<string, number>()
    for (const word of text) count.set(word, (count.get(word) ?? 0) + 1)
    return count
  })
  const idf = query.map((word) => {
    const holding = counts.filter((count) => count.has(word)).length
    return Math.max(Math.log((texts.length - holding + 0.5) / (holding + 0.5)), 1e-6)
  })
  return counts.map((count, at) =>
    query.reduce((sum, word, nth) => {
      const times = count.get(word) ?? 0
      const norm = k1 * (1 - b + (b * (texts[at]?.length ?? 0)) / mean)
      return sum + (times === 0 ? 0 : ((idf[nth] ?? 0) * times * (k1 + 1)) / (times + norm))
    }, 0),
  )
}

const mostTerms = 64

const queryWords = (query: string): string[] =>
  query
    .split(/[?？]/)
    .slice(0, -1)
    .flatMap((before) => sentences(before).slice(-1))

/**
 * Reorders the terms of a query with more than 64 terms, because the caller keeps only the first 64 different ones:
 * terms of its questions, the last 32 terms, all terms.
 */
const cut = (query: string, content: readonly string[]): readonly string[] =>
  content.length <= mostTerms
    ? content
    : [...queryWords(query).flatMap(contentTerms), ...content.slice(-mostTerms / 2), ...content]

export const queryTerms = (query: string): string[] => {
  const content = cut(query, contentTerms(query))
  return [...new Set(content.length > 0 ? content : terms(query))].slice(0, mostTerms)
}
