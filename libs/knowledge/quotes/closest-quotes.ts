import type { Passage } from '@plumbline/contracts'
import { queryTerms } from '../bm25'
import { terms, termSpans } from '../text'
import { longestQuote, unitsIn, quoteOf, type Part, type Unit } from './units'

/** Returns how close a unit is to the question in meaning, from -1 to 1. Returns undefined if this was not computed. */
export type Closeness = (passage: Passage, unit: Pick<Unit, 'from'>) => number | undefined

export type ClosestQuote = {
  passageId: string
  /** The quoted lines. A line that is only `…` replaces omitted lines. */
  text: string
  /** The ranges of `text` that match words of the question. */
  marks: [from: number, to: number][]
  /** This is set if only some rows of a table are quoted. `more` is true if the table continues in another passage. */
  rows?: { shown: number; of: number; more?: boolean }
}

/** The weight of a question word in the heading or lead-in of a line. In the line itself, its weight is 1. */
const fromAround = 0.5
/** A line also gets this share of its better neighbor's score, because an answer is often next to the best match. */
const fromBeside = 0.2
/** The bonus for lines of the best passage. Lines of the passage at rank n get 1/n of this bonus. */
const fromRank = 0.3
/** These weights are used only if the closeness in meaning is known. */
const byMeaning = { words: 0.4, closeness: 1.2 }
/** A line that shares no word with the question needs at least this closeness in meaning to be quoted. */
const leastCloseness = 0.3
/** A row is quoted only if its weight is at least this share of the weight of the best row. */
const rowShare = 0.6
/** A table with at most this many rows and characters is quoted whole if the question does not name certain rows. */
const wholeRows = 15
const wholeChars = 3 * longestQuote

type Line = Unit & {
  passage: Passage
  at: number
  own: string[]
  /** The words of the line. For a table row, these include the words of the heading row of its group. */
  cells: Set<string>
  around: Set<string>
  score: number
  /** The weight of the question words in the line. Unlike `score`, it does not depend on the length of the line. */
  weight: number
  /** This combines `score` with the neighbors' scores, the closeness in meaning and the rank of the passage. */
  rank: number
}

const linesOf = (passage: Passage): Line[] => {
  const about = terms([passage.title, ...passage.headingPath].join('\n'))
  const termsAt = ({ from, to }: Part): string[] => terms(passage.text.slice(from, to))
  return unitsIn(passage).map((unit, at) => {
    const around = new Set([...about, ...unit.frame.flatMap(termsAt)])
    const own = termsAt(unit)
    const cells = new Set([...own, ...unit.frame.filter(({ kind }) => kind === 'row').flatMap(termsAt)])
    return { ...unit, passage, at, own, cells, around, score: 0, weight: 0, rank: 0 }
  })
}

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
      if (line.cells.has(word)) line.weight += weight
      line.score += (weight * times * 2.2) / (times + 1.2 * (0.6 + (0.4 * line.own.length) / mean))
    })
  }
}

const rankLines = (sections: readonly Line[][], closeness: Closeness | undefined): void => {
  const best = Math.max(...sections.flat().map(({ score }) => score), 1e-9)
  sections.forEach((lines, nth) => {
    for (const line of lines) {
      const beside = line.kind === 'row' ? [0] : [line.at - 1, line.at + 1].map((at) => lines[at]?.score ?? 0)
      const words = (line.score + fromBeside * Math.max(...beside)) / best
      const close = closeness?.(line.passage, line) ?? 0
      if (line.score === 0 && close < leastCloseness) continue
      const own = closeness ? byMeaning.words * words + byMeaning.closeness * Math.max(0, close) : words
      line.rank = own + fromRank / (1 + nth)
    }
  })
}

const isRowOf = (first: Line, other: Line): boolean => other.kind === 'row' && other.block === first.block

type Fits = (found: readonly Line[], line: Line) => boolean

/**
 * Returns the rows that match the question best, and rows with question words that the best rows lack. For a small
 * table, returns all rows if most of them or none match.
 */
const rowsAround = (seed: Line, lines: readonly Line[], asked: readonly string[], fits: Fits): Line[] => {
  const rows = lines.filter((line) => isRowOf(seed, line))
  const best = Math.max(...rows.map(({ weight }) => weight))
  const isWhole = rows.length <= wholeRows && quoteOf(seed.passage.text, rows).length <= wholeChars
  const near = rows.filter(({ weight }) => weight > 0 && weight >= rowShare * best)
  const held = new Set(near.flatMap(({ cells }) => [...cells]))
  const matching = rows.filter(
    (row) => near.includes(row) || asked.some((word) => row.cells.has(word) && !held.has(word)),
  )
  const isNamed = matching.length > 0 && matching.length * 3 <= rows.length * 2
  if (!isNamed && isWhole) return rows
  const named = matching.length === 0 ? rows : matching
  const [first, ...others] = named.sort((a, b) => b.weight - a.weight || a.at - b.at)
  return others.reduce((found, row) => (fits(found, row) ? [...found, row] : found), [first ?? seed])
}

type Surrounding = { asked: readonly string[]; maxChars: number; taken: ReadonlySet<Line> }

const around = (seed: Line, lines: readonly Line[], { asked, maxChars, taken }: Surrounding): Line[] => {
  const fits: Fits = (found, line) =>
    !taken.has(line) && quoteOf(seed.passage.text, [...found, line]).length <= maxChars
  if (seed.kind === 'row') return rowsAround(seed, lines, asked, fits)
  const found = [seed]
  for (let [first, last] = [seed.at, seed.at]; ;) {
    const [next] = [lines[last + 1], lines[first - 1]]
      .filter((line) => line !== undefined && line.kind !== 'row' && fits(found, line))
      .sort((a, b) => (b?.rank ?? 0) - (a?.rank ?? 0))
    if (!next) return found
    found.push(next)
    first = Math.min(first, next.at)
    last = Math.max(last, next.at)
  }
}

export const marksOf = (question: string, text: string): [from: number, to: number][] => {
  const asked = new Set(queryTerms(question))
  return termSpans(text)
    .filter((span) => span.terms.some((word) => asked.has(word)))
    .map(({ start, end }) => [start, end])
}

type Quoted = { passage: Passage; lines: Line[] }

/** Adds the lines that must be quoted with a found line (its frame), such as a table's header. */
const quotedWith = (found: readonly Line[], lines: readonly Line[]): Line[] => {
  const framed = new Set(found.flatMap(({ frame }) => frame.map(({ from }) => from)))
  return lines.filter((line) => found.includes(line) || framed.has(line.from))
}

const touch = (some: readonly Line[], others: readonly Line[]): boolean =>
  some.some(({ at }) => others.some((other) => Math.abs(other.at - at) === 1))

const isOneTable = (some: readonly Line[], others: readonly Line[]): boolean =>
  some.some((line) => others.some((other) => isRowOf(line, other)))

/** Returns the earlier quote that the new lines continue. They join it, so that a header is not quoted twice. */
const goesOn = (places: readonly Quoted[], { passage, lines }: Quoted): Quoted | undefined =>
  places.find((place) => place.passage === passage && (touch(place.lines, lines) || isOneTable(place.lines, lines)))

/** A line in a quoted table or next to a quoted line is quoted only if it contains a word of the question. */
const tellsMore = (seed: Line, asked: readonly string[], places: readonly Quoted[]): boolean =>
  seed.own.some((word) => asked.includes(word)) ||
  !places.some(({ passage, lines }) => passage === seed.passage && (touch(lines, [seed]) || isOneTable(lines, [seed])))

const wordsOf = (lines: readonly Line[]): Set<string> =>
  new Set(lines.flatMap(({ cells, around: others }) => [...cells, ...others]))

const areComplete = (asked: readonly string[], places: readonly Quoted[], lines: readonly Line[]): boolean => {
  const [quoted, all] = [wordsOf(places.flatMap((place) => place.lines)), wordsOf(lines)]
  return asked.every((word) => quoted.has(word) || !all.has(word))
}

const rowsIn = (quoted: readonly Line[], lines: readonly Line[]): ClosestQuote['rows'] => {
  const seeds = quoted.filter(({ kind }) => kind === 'row')
  const tables = lines.filter((line) => seeds.some((seed) => isRowOf(seed, line)))
  const shown = quotedWith(quoted, tables).length
  const more = tables.some(({ cut }) => cut)
  return shown < tables.length || more ? { shown, of: tables.length, ...(more && { more }) } : undefined
}

const placeOf = (
  { passage, lines: quoted }: Quoted,
  lines: readonly Line[],
  words: Pick<ClosestQuote, 'text' | 'marks'>,
): ClosestQuote => {
  const rows = rowsIn(quoted, lines)
  return { passageId: passage.id, ...words, ...(rows && { rows }) }
}

/** Quotes the beginning of a passage. This is used if no line of any passage matches the question. */
const beginningOf = (passage: Passage, lines: readonly Line[], maxChars: number): ClosestQuote => {
  const [first] = lines
  const found = first ? around(first, lines, { asked: [], maxChars, taken: new Set() }) : []
  const text = first ? quoteOf(passage.text, found) : passage.text.slice(0, maxChars).trim()
  return placeOf({ passage, lines: found }, lines, { text, marks: [] })
}

/**
 * The limits of all quotes after the first. Once the quotes contain all question words, a further quote needs at least
 * this `share` of the best rank.
 */
type LaterLimits = { maxChars: number; share: number }
type Limits = { asked: readonly string[]; most: number; maxChars: number; later: LaterLimits }

const bestPlaces = (sections: readonly Line[][], { asked, most, maxChars, later }: Limits): Quoted[] => {
  const lines = sections.flat()
  const ranked = lines.filter(({ rank }) => rank > 0).sort((a, b) => b.rank - a.rank)
  const least = later.share * (ranked[0]?.rank ?? 0)
  const taken = new Set<Line>()
  const places: Quoted[] = []
  let finds = 0
  for (const seed of ranked) {
    if (finds >= most || (seed.rank < least && areComplete(asked, places, lines))) break
    if (taken.has(seed) || !tellsMore(seed, asked, places)) continue
    const own = sections.find((section) => section.includes(seed)) ?? []
    const longest = finds === 0 ? maxChars : later.maxChars
    const found = { passage: seed.passage, lines: around(seed, own, { asked, maxChars: longest, taken }) }
    for (const line of quotedWith(found.lines, own)) taken.add(line)
    finds += 1
    const before = goesOn(places, found)
    if (before) before.lines.push(...found.lines)
    else places.push(found)
  }
  return places
}

/** Returns the quotes that are closest to the question, the best quote first. */
export const closestQuotes = (
  question: string,
  passages: Passage[],
  {
    most = 3,
    maxChars = longestQuote,
    later = { maxChars, share: 0 },
    marked = question,
    closeness,
  }: {
    most?: number
    maxChars?: number
    later?: LaterLimits
    marked?: string
    closeness?: Closeness | undefined
  } = {},
): ClosestQuote[] => {
  const asked = queryTerms(question)
  const sections = passages.map(linesOf)
  const linesIn = (passage: Passage): Line[] => sections[passages.indexOf(passage)] ?? []
  weigh(asked, sections.flat())
  rankLines(sections, closeness)
  const places = bestPlaces(sections, { asked, most, maxChars, later })
  if (places.length === 0)
    return passages.slice(0, most).map((passage) => beginningOf(passage, linesIn(passage), maxChars))
  return places.map(({ passage, lines: quoted }) => {
    const text = quoteOf(passage.text, quoted)
    return placeOf({ passage, lines: quoted }, linesIn(passage), { text, marks: marksOf(marked, text) })
  })
}
