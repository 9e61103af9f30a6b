import { rowsOf, segmentOf } from './lines'
import { center, median, middle, type Row, type Segment, type Word } from './page'

/** A cell's line of text, and the columns it reaches over, the last one included. */
export type Piece = Segment & { column: number; lastColumn: number }

/** White space from one x to another. */
type Gap = { from: number; to: number }

/** x where few enough boxes stand. */
const gapsOf = (boxes: readonly { x: number; right: number }[], crossings: number): Gap[] => {
  const turns = boxes
    .flatMap(({ x, right }) => [
      { at: x, by: 1 },
      { at: right, by: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by)
  const gaps: Gap[] = []
  let depth = 0
  turns.forEach(({ at, by }, index) => {
    const before = turns[index - 1]
    if (before && depth <= crossings && at > before.at) {
      const open = gaps.at(-1)
      if (open && open.to === before.at) open.to = at
      else gaps.push({ from: before.at, to: at })
    }
    depth += by
  })
  return gaps
}

const between = (gap: Gap, { x, right }: { x: number; right: number }): boolean =>
  x >= gap.from - 0.5 && right <= gap.to + 0.5

/** A cell of the first lines in the midst of white space names the columns beside it, unless these have names of their own. */
const namesOthers = (lone: Segment, gap: Gap, rows: readonly Row[]): boolean => {
  const at = rows.findIndex(({ segments }) => segments.includes(lone))
  const others = rows[at]?.segments.filter((segment) => segment !== lone) ?? []
  const near = (from: number, to: number): boolean => others.some((other) => other.right > from && other.x < to)
  const reach = 3 * (gap.to - gap.from)
  return at <= 1 && rows.length > at + 2 && !(near(gap.from - reach, gap.from + 1) && near(gap.to - 1, gap.to + reach))
}

/** A column that few rows fill stands alone in what looked like white space. */
const aroundLone = (gap: Gap, rows: readonly Row[]): Gap[] => {
  const lone = rows.flatMap(({ segments }) => segments).filter((segment) => between(gap, segment))
  if (lone.length === 0 || lone.every((segment) => namesOthers(segment, gap, rows))) return [gap]
  return gapsOf([{ x: gap.from - 1, right: gap.from }, ...lone, { x: gap.to, right: gap.to + 1 }], 0)
}

/** The white spaces that part a table's columns. Few cells may reach over them: headers over several columns, and titles. */
export const columnGaps = (rows: readonly Row[], walls: readonly number[] = []): Gap[] => {
  const segments = rows.flatMap((row) => row.segments)
  const size = median(segments.map((segment) => segment.size))
  const words = segments.flatMap((segment) => segment.words)
  const clear = rows.length >= 4 ? gapsOf(words, 0).filter(({ from, to }) => to - from >= 0.7 * size) : []
  const crossings = rows.length < 3 ? 0 : Math.max(1, Math.floor(0.2 * rows.length))
  const left = Math.min(...segments.map(({ x }) => x))
  const most = gapsOf(segments, crossings)
    .filter(({ from, to }) => to - from >= 0.8 * size && from >= left)
    .flatMap((gap) => aroundLone(gap, rows))
    .filter(({ from, to }) => to - from >= 0.8 * size)
  const inner = (gap: Gap): boolean =>
    segments.some(({ right }) => right <= gap.from + 0.5) && segments.some(({ x }) => x >= gap.to - 0.5)
  const apart = most.filter(inner)
  const drawn = walls.map((at) => ({ from: at - 0.5, to: at + 0.5 }))
  return [apart, clear.filter(inner), drawn]
    .reduce((all, more) => [...all, ...more.filter((gap) => !all.some(({ from, to }) => gap.from < to && gap.to > from))])
    .sort((a, b) => a.from - b.from)
}

const columnAt = (gaps: readonly Gap[], x: number): number => gaps.filter(({ from, to }) => x > (from + to) / 2).length

/** Parts a segment where white space of the table runs between two of its words. */
const partsOf = ({ words, size }: Segment, gaps: readonly Gap[]): Segment[] => {
  const parts: Word[][] = []
  for (const word of words) {
    const part = parts.at(-1)
    const before = part?.at(-1)
    const wide = before !== undefined && word.x - before.right >= 0.5 * size
    const parted = wide && columnAt(gaps, center(before)) !== columnAt(gaps, center(word))
    if (part && !parted) part.push(word)
    else parts.push([word])
  }
  return parts.map(segmentOf)
}

/** A cell reaches into a column where it goes beyond all the white before it: a long one may end in the midst of that. */
export const piecesOf = (row: Row, gaps: readonly Gap[]): Piece[] =>
  row.segments
    .flatMap((segment) => partsOf(segment, gaps))
    .map((part) => {
      const column = columnAt(gaps, part.x + 0.5)
      return { ...part, column, lastColumn: Math.max(column, gaps.filter(({ to }) => part.right - 0.5 > to).length) }
    })

/** The x of column boundaries, the outer ones too. */
export const edgesOf = (rows: readonly Row[], gaps: readonly Gap[]): number[] => [
  Math.min(...rows.map(({ x }) => x)),
  ...gaps.map(({ from, to }) => (from + to) / 2),
  Math.max(...rows.map(({ right }) => right)),
]

const isUneven = ({ segments }: Row): boolean => {
  const middles = segments.map(middle)
  return Math.max(...middles) - Math.min(...middles) > 0.22 * median(segments.map(({ size }) => size))
}

/**
 * Texts beside each other whose lines do not stand at one height are no rows of a table. Each column's lines on their own,
 * one column after the other; null where the rows are rows.
 */
export const asColumns = (rows: readonly Row[]): Row[] | null => {
  const full = rows.filter(({ segments }) => segments.length >= 2)
  if (rows.length < 4 || full.filter(isUneven).length < 0.3 * full.length) return null
  const pieces = rows.flatMap((row) => piecesOf(row, columnGaps(rows)))
  const columns = Map.groupBy(pieces, ({ column }) => column)
  const words = (own: readonly Segment[]): number => median(own.map(({ text }) => text.split(' ').length))
  if (![...columns.values()].some((own) => own.length >= 4 && words(own) >= 5)) return null
  return [...columns].sort(([a], [b]) => a - b).flatMap(([, own]) => rowsOf(own))
}
