import type { Passage } from '@plumbline/contracts'
import { queryTerms } from '../bm25'
import { spans, terms } from '../text'
import type { Part, Unit } from './units'
import { unitsIn } from './units'
import { written } from './written'

export type Place = {
  passageId: string
  /** Lines of the passage word for word; `…` stands alone on a line where lines between were left out. */
  text: string
  /** Where words of the question stand in the text. */
  marks: [from: number, to: number][]
}

/** What a word in a heading or a lead-in counts beside one in the line itself. */
const fromAround = 0.5
/** What a sentence has of the better of its neighbours: an answer often stands beside the words that were asked for. */
const fromBeside = 0.2
/** How much a passage that retrieval put first is ahead of one far behind. */
const fromRank = 0.3
/** Rows are quoted with the best one as far as they reach this share of its score. */
const rowShare = 0.6

type Line = Unit & {
  passage: Passage
  at: number
  own: string[]
  around: Set<string>
  score: number
  /** The score with what stands beside it and how early its passage was found. */
  rank: number
}

const linesOf = (passage: Passage): Line[] => {
  const about = terms([passage.title, ...passage.headingPath].join('\n'))
  const termsAt = ({ from, to }: Part): string[] => terms(passage.text.slice(from, to))
  return unitsIn(passage).map((unit, at) => {
    const around = new Set([...about, ...unit.frame.flatMap(termsAt)])
    return { ...unit, passage, at, own: termsAt(unit), around, score: 0, rank: 0 }
  })
}

/** BM25 of each line, to which the words around it count in part. */
const weigh = (asked: readonly string[], lines: readonly Line[]): void => {
  const mean = lines.reduce((sum, { own }) => sum + own.length, 0) / Math.max(1, lines.length)
  const held = lines.map(({ own, around }) => {
    const counts = new Map<string, number>()
    for (const word of own) counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const word of around) counts.set(word, (counts.get(word) ?? 0) + fromAround)
    return counts
  })
  for (const word of asked) {
    const holding = held.filter((counts) => counts.has(word)).length
    const weight = Math.log(1 + (lines.length - holding + 0.5) / (holding + 0.5))
    lines.forEach((line, at) => {
      const times = held[at]?.get(word) ?? 0
      line.score += (weight * times * 2.2) / (times + 1.2 * (0.6 + (0.4 * line.own.length) / mean))
    })
  }
}

const rankLines = (sections: readonly Line[][]): void => {
  const best = Math.max(...sections.flat().map(({ score }) => score), 1e-9)
  sections.forEach((lines, nth) => {
    for (const line of lines) {
      const beside = line.kind === 'row' ? [0] : [line.at - 1, line.at + 1].map((at) => lines[at]?.score ?? 0)
      const own = (line.score + fromBeside * Math.max(...beside)) / best
      line.rank = line.score > 0 ? own + fromRank / (1 + nth) : 0
    }
  })
}

const isRowOf = (first: Line, other: Line): boolean => other.kind === 'row' && other.block === first.block

/** The lines quoted with a seed: the best rows of its table, or what stands around it, up to the length of a place. */
const around = (seed: Line, lines: readonly Line[], maxChars: number, taken: ReadonlySet<Line>): Line[] => {
  const found = [seed]
  const fits = (line: Line | undefined): line is Line =>
    line !== undefined && !taken.has(line) && written(seed.passage.text, [...found, line]).length <= maxChars
  if (seed.kind === 'row') {
    const rows = lines.filter((line) => line !== seed && isRowOf(seed, line) && line.score >= rowShare * seed.score)
    for (const row of rows.sort((a, b) => b.score - a.score || a.at - b.at)) if (fits(row)) found.push(row)
    return found
  }
  for (let [first, last] = [seed.at, seed.at]; ;) {
    const [next] = [lines[last + 1], lines[first - 1]]
      .filter(fits)
      .filter(({ kind }) => kind !== 'row')
      .sort((a, b) => b.rank - a.rank)
    if (!next) return found
    found.push(next)
    first = Math.min(first, next.at)
    last = Math.max(last, next.at)
  }
}

const marksIn = (text: string, asked: ReadonlySet<string>): [number, number][] =>
  spans(text)
    .filter(({ raw }) => terms(raw).some((word) => asked.has(word)))
    .map(({ start, end }) => [start, end])

/** The places in these passages that come closest to a question, best first, each cut to its best lines. */
export const closestPlaces = (
  question: string,
  passages: Passage[],
  { most = 3, maxChars = 600 }: { most?: number; maxChars?: number } = {},
): Place[] => {
  const asked = queryTerms(question)
  const sections = passages.map(linesOf)
  const lines = sections.flat()
  weigh(asked, lines)
  rankLines(sections)
  const taken = new Set<Line>()
  const places: Place[] = []
  for (const seed of lines.filter(({ rank }) => rank > 0).sort((a, b) => b.rank - a.rank)) {
    if (places.length >= most) break
    if (taken.has(seed)) continue
    const found = around(seed, sections[passages.indexOf(seed.passage)] ?? [], maxChars, taken)
    for (const line of found) taken.add(line)
    const text = written(seed.passage.text, found)
    places.push({ passageId: seed.passage.id, text, marks: marksIn(text, new Set(asked)) })
  }
  return places
}
