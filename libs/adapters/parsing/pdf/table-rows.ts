import type { Rule } from './page'
import { median, middle } from './page'
import type { Piece } from './table-columns'

/** One physical line of a table, and whether it opens a row. */
export type TableLine = { y: number; bottom: number; pieces: Piece[] }

const has = ({ pieces }: TableLine, column: number): boolean => pieces.some((piece) => piece.column === column)
const isNumber = (text: string): boolean => /^[^\p{L}]*\d[^\p{L}]*%?$/u.test(text)

/** From line to line; one that stands between two lines of another cell is no step. */
const steps = (lines: readonly TableLine[]): number[] => {
  const height = median(lines.flatMap(({ pieces }) => pieces.map(({ y, bottom }) => bottom - y)))
  return lines.slice(1).map((line, index) => height + Math.max(0, line.y - (lines[index]?.bottom ?? line.y)))
}
const asBox = ({ y, bottom }: TableLine): { x: number; right: number; y: number; bottom: number } => ({
  x: 0,
  right: 0,
  y,
  bottom,
})

/** Each row has its label once, beside whichever of its lines: then the full one among these is the one with the label. */
const areLabelled = (lines: readonly TableLine[], opens: readonly boolean[]): boolean => {
  const rows: TableLine[][] = []
  lines.forEach((line, index) => (opens[index] ? rows.push([line]) : rows.at(-1)?.push(line)))
  return rows.every((row) => row.filter((line) => has(line, 0)).length === 1)
}

/** Where rows are set apart by more white than the lines within a cell, that white tells them. */
const byWhite = (lines: readonly TableLine[]): boolean[] | null => {
  const heights = steps(lines)
  const least = Math.min(...heights)
  const wide = heights.map((height) => height > 1.3 * least)
  const few = wide.filter((is) => !is).length
  if (few === 0 || few === heights.length) return null
  const opens = [true, ...wide]
  const openers = lines.filter((_, index) => opens[index])
  // A line that reaches into the one before it holds cells set in the middle of their row.
  const others = lines.filter((line, index) => !opens[index] && line.y > (lines[index - 1]?.bottom ?? 0) - 1)
  // A line with as many cells as any other within one row is a row of its own: the white then sets groups apart, not rows.
  const full = Math.max(...lines.map(({ pieces }) => pieces.length))
  const isRow = ({ pieces }: TableLine): boolean =>
    pieces.length >= Math.max(3, full) || pieces.filter(({ text }) => isNumber(text)).length >= 2
  const labelled = areLabelled(lines, opens)
  if (others.some((line) => isRow(line) && !(labelled && has(line, 0)))) return null
  const named = others.filter(
    (line) => has(line, 0) && line.pieces.some(({ text }) => isNumber(text)) && line.pieces.length >= 2,
  )
  return openers.length >= 2 && named.length <= 0.3 * others.length ? opens : null
}

const goesOn = (line: TableLine, before: TableLine): boolean => {
  const first = line.pieces[0]
  if (!first) return true
  const wraps = line.pieces.every((piece) => has(before, piece.column) && !isNumber(piece.text))
  if (first.column > 0) return wraps
  const above = before.pieces.find(({ column }) => column === 0)
  if (!above) return false
  const open = /[,(\-–/&]$/.test(above.text)
  return (/^[\p{Ll}(]/u.test(first.text) || open) && (line.pieces.length === 1 || before.pieces.length === 1)
}

const byText = (lines: readonly TableLine[]): boolean[] =>
  lines.map((line, index) => {
    const before = lines[index - 1]
    return !before || !goesOn(line, before)
  })

const ruled = (lines: readonly TableLine[], rules: readonly Rule[]): boolean[] =>
  lines.map((line, index) => {
    const before = lines[index - 1]
    return !before || rules.some(({ at }) => at > middle(asBox(before)) && at < middle(asBox(line)))
  })

/** Few rows are told by drawn lines where these close the table above and below, and no other line fills all columns. */
const isClosed = (lines: readonly TableLine[], rules: readonly Rule[], drawn: readonly boolean[]): boolean => {
  const [first, last] = [lines[0], lines.at(-1)]
  const full = Math.max(...lines.map(({ pieces }) => pieces.length))
  if (!first || !last || lines.some(({ pieces }, index) => !drawn[index] && pieces.length === full)) return false
  return rules.some(({ at }) => at < middle(asBox(first))) && rules.some(({ at }) => at > middle(asBox(last)))
}

/** Which lines open a row. Drawn lines between all rows tell it best, then white space, then the text. */
export const openersOf = (lines: readonly TableLine[], rules: readonly Rule[]): boolean[] => {
  const drawn = ruled(lines, rules)
  const parts = drawn.filter(Boolean).length
  if (
    parts >= (isClosed(lines, rules, drawn) ? 2 : 4) &&
    parts >= 0.45 * lines.length &&
    lines.every(
      ({ pieces }, index) => drawn[index] || pieces.length < 3 || median(pieces.map(({ column }) => column)) > 0,
    )
  )
    return drawn
  const told = lines.length >= 3 ? byWhite(lines) : null
  return (told ?? byText(lines)).map((opens, index) => opens || (drawn[index] ?? false))
}
