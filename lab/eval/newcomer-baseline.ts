import type { Passage } from '@plumbline/contracts'
import { words } from '@plumbline/knowledge/text'
import type { VisibleAnswer } from './newcomer-judge'

const quotesShown = 3
const mostCharacters = 600
/** The usual values of the BM25 parameters. */
const [k1, b] = [1.2, 0.75]

type TextPart = { text: string; counts: Map<string, number>; length: number }

const pieceOf = (head: string, text: string): TextPart => {
  const all = words(`${head} ${text}`)
  const counts = new Map<string, number>()
  for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { text: text.slice(0, mostCharacters), counts, length: all.length }
}

const piecesOf = ({ title, headingPath, text }: Passage): TextPart[] => {
  const head = [title, ...headingPath].join(' ')
  return text.split(/\n\s*\n/).flatMap((block) => {
    const lines = block.split('\n')
    const rows = lines.filter((line) => line.startsWith('|') && /[\p{L}\p{N}]/u.test(line))
    if (rows.length < 3) return [pieceOf(head, block)]
    return rows.slice(1).map((row) => pieceOf(head, `${rows[0]}\n${row}`))
  })
}

/** Quotes the three best paragraphs or rows by BM25, without a model. */
export const plainReader = (passages: Passage[]): ((question: string) => VisibleAnswer) => {
  const pieces = passages.flatMap(piecesOf)
  const mean = pieces.reduce((sum, { length }) => sum + length, 0) / Math.max(1, pieces.length)
  const holding = new Map<string, number>()
  for (const { counts } of pieces) for (const word of counts.keys()) holding.set(word, (holding.get(word) ?? 0) + 1)
  const weight = (word: string): number => {
    const n = holding.get(word) ?? 0
    return Math.log(1 + (pieces.length - n + 0.5) / (n + 0.5))
  }
  const scoreOf = (asked: string[], { counts, length }: TextPart): number =>
    asked.reduce((sum, word) => {
      const f = counts.get(word) ?? 0
      return sum + (weight(word) * f * (k1 + 1)) / (f + k1 * (1 - b + (b * length) / mean))
    }, 0)
  return (question) => {
    const asked = [...new Set(words(question))]
    const quotes = pieces
      .map((piece) => ({ piece, score: scoreOf(asked, piece) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, quotesShown)
      .map(({ piece }) => piece.text)
    return quotes.length > 0
      ? { status: 'answered', reason: 'answered.quoted', said: '', quotes }
      : { status: 'unanswered', reason: 'unanswered.nothing-found', said: '', quotes }
  }
}
