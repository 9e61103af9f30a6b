import { names, numbers, stem, stopWords, subjectWords, tokens, words, years } from '@plumbline/knowledge/text'
import type { Reranker } from '@plumbline/ports/reranker'

const weights = { coverage: 1, heading: 0.35, phrase: 0.3, number: 0.25, name: 0.35, density: 0.1 }

type Read = { words: Set<string>; heading: Set<string>; text: string; length: number }
const read = (document: string): Read => {
  const [first = ''] = document.split('\n', 1)
  const all = tokens(document).map(stem)
  return { words: new Set(all), heading: new Set(words(first)), text: ` ${all.join(' ')} `, length: all.length }
}

const share = (wanted: readonly string[], holds: (word: string) => boolean, weight: (word: string) => number): number => {
  const total = wanted.reduce((sum, word) => sum + weight(word), 0)
  return total === 0 ? 0 : wanted.reduce((sum, word) => sum + (holds(word) ? weight(word) : 0), 0) / total
}

const wantedFrom = (query: string) => {
  const all = [...new Set(subjectWords(query))]
  const asked = tokens(query).filter((token) => !stopWords.has(token)).map(stem)
  return {
    words: all,
    pairs: asked.slice(1).map((word, at) => ` ${asked[at] ?? ''} ${word} `),
    figures: [...new Set([...years(query), ...numbers(query).map(({ raw }) => raw.toLowerCase())])],
    names: names(query).map((name) => ` ${tokens(name).map(stem).join(' ')} `),
  }
}

/** A word few of the documents hold tells them apart; one that all hold does not. */
const rarity = (documents: readonly Read[]) => (word: string): number => {
  const holding = documents.filter((document) => document.words.has(word)).length
  return Math.log(1 + (documents.length + 1) / (holding + 0.5))
}

const scoreAll = (query: string, documents: readonly Read[]): number[] => {
  const wanted = wantedFrom(query)
  const weight = rarity(documents)
  const even = (): number => 1
  return documents.map((document) => {
    const holds = (phrase: string): boolean => document.text.includes(phrase)
    return (
      weights.coverage * share(wanted.words, (word) => document.words.has(word), weight) +
      weights.heading * share([...document.heading], (word) => wanted.words.includes(word), even) +
      weights.phrase * share(wanted.pairs, holds, even) +
      weights.number * share(wanted.figures, (figure) => holds(` ${figure} `), even) +
      weights.name * share(wanted.names, holds, even) +
      weights.density / Math.sqrt(1 + document.length / 100)
    )
  })
}

/** No model: counts the question's words, phrases, names and numbers. The first line of a document counts as its heading. */
export const lexicalReranker: Reranker = {
  name: 'lexical-coverage-v1',
  rerank: (query, documents, topN, signal) =>
    new Promise((resolve) => {
      signal.throwIfAborted()
      const scored = scoreAll(query, documents.map(read)).map((score, index) => ({ index, score }))
      resolve(scored.sort((a, b) => b.score - a.score || a.index - b.index).slice(0, topN))
    }),
}
