import type { Passage } from '@plumbline/contracts'
import { spans, stem, stopWords, tokens } from '../text'
import type { Unit } from './units'
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

/** What a token is found by: its stem, and those of an identifier's parts. */
const termsOf = (token: string): string[] =>
  token.includes('_')
    ? [
        token,
        ...token
          .split('_')
          .filter((part) => part !== '')
          .map(stem),
      ]
    : [stem(token)]

const termsIn = (text: string): string[] => tokens(text).flatMap(termsOf)

/** What a question looks for: its content words, or all of them where it has no others. */
const askedIn = (question: string): string[] => {
  const all = tokens(question)
  const content = all.filter((token) => !stopWords.has(token))
  return [...new Set((content.length > 0 ? content : all).flatMap(termsOf))]
}

type Line = Unit & { passage: number; at: number; own: string[]; around: Set<string>; score: number }

const linesOf = (passages: readonly Passage[]): Line[][] =>
  passages.map((passage, nth) => {
    const about = termsIn([passage.title, ...passage.headingPath].join('\n'))
    return unitsIn(passage).map((unit, at) => ({
      ...unit,
      passage: nth,
      at,
      own: termsIn(unit.text),
      around: new Set([...about, ...termsIn([...unit.leads, unit.frame.open].join('\n'))]),
      score: 0,
    }))
  })

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

/** The scores by which lines are chosen: with what stands beside them and how early their passage was found. */
const chosenBy = (sections: readonly Line[][]): Map<Line, number> => {
  const best = Math.max(...sections.flat().map(({ score }) => score), 1e-9)
  const scores = new Map<Line, number>()
  for (const lines of sections)
    for (const line of lines) {
      const beside = [line.at - 1, line.at + 1].map((at) => (line.kind === 'row' ? 0 : (lines[at]?.score ?? 0)))
      const own = (line.score + fromBeside * Math.max(...beside)) / best
      scores.set(line, line.score > 0 ? own + fromRank / (1 + line.passage) : 0)
    }
  return scores
}

const isRowOf = (first: Line, other: Line): boolean => other.kind === 'row' && other.frame.block === first.frame.block

/** The lines quoted with a seed: the best rows of its table, or what stands around it, up to the length of a place. */
const around = (
  seed: Line,
  lines: readonly Line[],
  scores: ReadonlyMap<Line, number>,
  maxChars: number,
  taken: ReadonlySet<Line>,
): Line[] => {
  const found = [seed]
  const fits = (line: Line): boolean => written([...found, line].sort((a, b) => a.at - b.at)).length <= maxChars
  if (seed.kind === 'row') {
    const rows = lines
      .filter((line) => line !== seed && isRowOf(seed, line) && !taken.has(line) && line.score >= rowShare * seed.score)
      .sort((a, b) => b.score - a.score || a.at - b.at)
    for (const row of rows) if (fits(row)) found.push(row)
    return found.sort((a, b) => a.at - b.at)
  }
  for (;;) {
    const [first, last] = [Math.min(...found.map(({ at }) => at)), Math.max(...found.map(({ at }) => at))]
    const next = [lines[last + 1], lines[first - 1]]
      .filter((line): line is Line => line !== undefined && line.kind !== 'row' && !taken.has(line) && fits(line))
      .sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0))[0]
    if (!next) return found.sort((a, b) => a.at - b.at)
    found.push(next)
  }
}

const marksIn = (text: string, asked: ReadonlySet<string>): [number, number][] =>
  spans(text)
    .filter(({ token }) => termsOf(token).some((word) => asked.has(word)))
    .map(({ start, end }) => [start, end])

/** The places in these passages that come closest to a question, best first, each cut to its best lines. */
export const closestPlaces = (
  question: string,
  passages: Passage[],
  { most = 3, maxChars = 600 }: { most?: number; maxChars?: number } = {},
): Place[] => {
  const asked = askedIn(question)
  const sections = linesOf(passages)
  weigh(asked, sections.flat())
  const scores = chosenBy(sections)
  const order = [...scores]
    .filter(([, score]) => score > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([line]) => line)
  const taken = new Set<Line>()
  const places: Place[] = []
  for (const seed of order) {
    if (places.length >= most) break
    const passage = passages[seed.passage]
    if (taken.has(seed) || !passage) continue
    const lines = around(seed, sections[seed.passage] ?? [], scores, maxChars, taken)
    for (const line of lines) taken.add(line)
    const text = written(lines)
    places.push({ passageId: passage.id, text, marks: marksIn(text, new Set(asked)) })
  }
  return places
}
