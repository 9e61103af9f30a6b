import { queryTerms } from '@plumbline/knowledge/bm25'
import { stopWords, tokens } from '@plumbline/knowledge/text'
import type { Reranker } from '@plumbline/ports/reranker'
import { createReader, type Read } from './read-document'

const weights = {
  /** What a question word counts where a better document has said it. */
  again: 0.3,
  /** The question names the document's heading; a better document does. */
  asked: 0.35,
  linked: 0.2,
  /** The share of a heading's words that the question holds. */
  heading: 0.2,
  phrase: 0.1,
  figure: 0.05,
  /** The share of the question that one sentence holds, or one table row with its header, each with the headings. */
  unit: 0.25,
  /** Beyond this many words a document's hits count less. */
  usualLength: 100,
}
/** Only the best few documents lend their links. */
const lenders = 4

type Wanted = { words: string[]; pairs: string[]; figures: string[]; plain: string }

const plainOf = (all: readonly string[]): string => ` ${all.join(' ')} `

const want = (query: string): Wanted => {
  const content = tokens(query).filter((token) => !stopWords.has(token))
  return {
    words: queryTerms(query),
    pairs: content.slice(1).map((token, at) => ` ${content[at] ?? ''} ${token} `),
    figures: [...new Set(tokens(query).filter((token) => /^\d/.test(token)))].map((figure) => ` ${figure} `),
    plain: plainOf(tokens(query)),
  }
}

const share = (all: readonly string[], holds: (one: string) => boolean): number =>
  all.length === 0 ? 0 : all.filter(holds).length / all.length

/** A word that few of the documents hold tells them apart. The weights of all words together are 1. */
const rarities = (wanted: readonly string[], documents: readonly Read[]): Map<string, number> => {
  const raw = wanted.map((word) => {
    const holding = documents.filter(({ counts }) => counts.has(word)).length
    return Math.log(1 + (documents.length - holding + 1) / (holding + 1))
  })
  const total = raw.reduce((sum, weight) => sum + weight, 0)
  return new Map(wanted.map((word, at) => [word, (raw[at] ?? 0) / (total || 1)]))
}

/** How much of a document a word is, as BM25 has it, from 0 to 1. */
const presence = ({ counts, length }: Read, word: string): number => {
  const times = counts.get(word) ?? 0
  return times === 0 ? 0 : Math.min(1, (1.5 * times) / (times + 1.2 * (0.25 + (0.75 * length) / weights.usualLength)))
}

const bestUnit = ({ units }: Read, rarity: Map<string, number>): number =>
  units.reduce(
    (best, unit) =>
      Math.max(
        best,
        [...rarity].reduce((sum, [word, weight]) => sum + (unit.has(word) ? weight : 0), 0),
      ),
    0,
  )

const standing = (document: Read, wanted: Wanted, rarity: Map<string, number>): number =>
  weights.unit * bestUnit(document, rarity) +
  (document.names.some((name) => wanted.plain.includes(name)) ? weights.asked : 0) +
  weights.heading * share(document.heading, (word) => wanted.words.includes(word)) +
  weights.phrase * share(wanted.pairs, (pair) => document.plain.includes(pair)) +
  weights.figure * share(wanted.figures, (figure) => document.plain.includes(figure))

type Picked = { index: number; score: number }

/** The share of the shorter one's words that the other holds; squared, as any two texts share the common ones. */
const likeness = ({ counts: a }: Read, { counts: b }: Read): number => {
  const both = [...a.keys()].filter((word) => b.has(word)).length
  return (both / (Math.min(a.size, b.size) || 1)) ** 2
}

/** Another document says a word again; a passage of the same document goes on with it, as far as it does not say the same. */
const repeats = (document: Read, better: Read): number =>
  document.title !== '' && document.title === better.title ? likeness(document, better) : 1

/** How much of each question word better documents have said before this one. */
type Said = Map<string, number>
const hear = (said: Said, document: Read, better: Read, words: readonly string[]): void => {
  const by = repeats(document, better)
  for (const word of words) if (better.counts.has(word)) said.set(word, Math.max(by, said.get(word) ?? 0))
}

/** The best document first; then whichever holds most of what is still uncovered, or is named by the best ones. */
const pick = (query: string, documents: readonly Read[], topN: number): Picked[] => {
  const wanted = want(query)
  const rarity = rarities(wanted.words, documents)
  const left = new Map(
    documents.map((document, index) => [
      index,
      { document, fixed: standing(document, wanted, rarity), said: new Map<string, number>() },
    ]),
  )
  const picked: Picked[] = []
  const linked = (document: Read): boolean =>
    picked.slice(0, lenders).some(({ index }) => document.names.some((name) => documents[index]?.plain.includes(name)))
  while (picked.length < topN && left.size > 0) {
    let best: Picked = { index: -1, score: -1 }
    for (const [index, { document, fixed, said }] of left) {
      const counts = (word: string): number => 1 - (1 - weights.again) * (said.get(word) ?? 0)
      const worth = wanted.words.reduce(
        (sum, word) => sum + (rarity.get(word) ?? 0) * presence(document, word) * counts(word),
        0,
      )
      const score = worth + fixed + (linked(document) ? weights.linked : 0)
      if (score > best.score) best = { index, score }
    }
    const better = left.get(best.index)
    left.delete(best.index)
    picked.push({ index: best.index, score: Math.min(best.score, picked.at(-1)?.score ?? Infinity) })
    if (better) for (const { document, said } of left.values()) hear(said, document, better.document, wanted.words)
  }
  return picked
}

const read = createReader()

/** No model: counts the question's words, phrases and figures, and follows names. The first line of a document counts as its headings, set apart by ` · `. */
export const lexicalReranker: Reranker = {
  name: 'lexical-coverage-v2',
  rerank: (query, documents, topN, signal) =>
    new Promise((resolve) => {
      signal.throwIfAborted()
      resolve(pick(query, documents.map(read), topN))
    }),
}
