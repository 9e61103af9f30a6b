import { isNumber } from './line-text'
import { rowsOf, segmentOf } from './lines'
import { around, center, median, middle, type Row, type Segment, type Word } from './page'

/** `lastColumn` is inclusive. */
export type TableSegment = Segment & { column: number; lastColumn: number }

/** A vertical strip between two x positions. */
type Gap = { from: number; to: number }

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

/** Splits a gap around text inside the gap, because the text belongs to a column that few rows fill. */
const aroundLone = (gap: Gap, segments: readonly Segment[]): Gap[] => {
  const lone = segments.filter((segment) => between(gap, segment))
  return lone.length === 0
    ? [gap]
    : gapsOf([{ x: gap.from - 1, right: gap.from }, ...lone, { x: gap.to, right: gap.to + 1 }], 0)
}

/** Returns the rows without headings and without headers over several columns, which have fewer cells. */
const fullRows = (rows: readonly Row[]): Row[] => {
  const counts = rows.map(({ segments }) => segments.length).sort((a, b) => a - b)
  const usual = counts[Math.floor(0.7 * counts.length)] ?? 0
  const full = rows.filter(({ segments }) => segments.length >= Math.max(2, 0.6 * usual))
  return full.length >= 3 ? full : [...rows]
}

/** Returns true if a gap is between numbers in most rows. A narrower gap is then enough for a column boundary. */
const partsNumbers = ({ from, to }: Gap, rows: readonly Row[]): boolean =>
  rows.filter(({ segments }) => {
    const words = segments.flatMap((segment) => segment.words)
    const [before, after] = [words.findLast(({ right }) => right <= from + 0.5), words.find(({ x }) => x >= to - 0.5)]
    return !before || !after || (isNumber(before.text) && isNumber(after.text))
  }).length >=
  0.8 * rows.length

const whites = (rows: readonly Row[], walls: readonly number[]): Gap[] => {
  const full = fullRows(rows)
  const segments = full.flatMap((row) => row.segments)
  const size = median(segments.map((segment) => segment.size))
  const wide =
    (least: number) =>
    (gap: Gap): boolean =>
      gap.to - gap.from >= least * size
  const words = segments.flatMap((segment) => segment.words)
  const clear =
    full.length >= 4
      ? gapsOf(words, 0).filter((gap) => wide(0.7)(gap) || (wide(0.3)(gap) && partsNumbers(gap, full)))
      : []
  const crossings = rows.length < 3 ? 0 : Math.max(1, Math.floor(0.2 * full.length))
  const left = Math.min(...segments.map(({ x }) => x))
  const most = gapsOf(segments, crossings)
    .filter((gap) => wide(0.8)(gap) && gap.from >= left)
    .flatMap((gap) => aroundLone(gap, segments))
    .filter(wide(0.8))
  const inner = (gap: Gap): boolean =>
    segments.some(({ right }) => right <= gap.from + 0.5) && segments.some(({ x }) => x >= gap.to - 0.5)
  const drawn = walls.map((at) => ({ from: at - 0.5, to: at + 0.5 }))
  return [most.filter(inner), clear.filter(inner), drawn]
    .reduce((all, more) => [
      ...all,
      ...more.filter((gap) => !all.some(({ from, to }) => gap.from < to && gap.to > from)),
    ])
    .sort((a, b) => a.from - b.from)
}

export type Columns = { gaps: Gap[]; centers: number[] }

/** Returns the index of the column at a position. The gaps must be ordered from left to right and must not overlap. */
const columnAt = (gaps: readonly Gap[], x: number): number =>
  gaps.findLastIndex(({ from, to }) => x > (from + to) / 2) + 1

const withCenters = (gaps: Gap[], rows: readonly Row[]): Columns => {
  const own = fullRows(rows)
    .flatMap(({ segments }) => segments)
    .filter(({ x, right }) => columnAt(gaps, x + 0.5) === columnAt(gaps, right - 0.5))
  const columns = Map.groupBy(own, (segment) => columnAt(gaps, center(segment)))
  const edges = edgesOf(rows, gaps)
  return {
    gaps,
    centers: edges
      .slice(1)
      .map((edge, column) =>
        center(around(columns.get(column) ?? [{ x: edges[column] ?? edge, right: edge, y: 0, bottom: 0 }])),
      ),
  }
}

export const columnsOf = (
  rows: readonly Row[],
  walls: readonly number[] = [],
): Columns & { lines: TableSegment[][] } => {
  let columns = withCenters(whites(rows, walls), rows)
  let lines = rows.map((row) => piecesOf(row, columns))
  for (let at = 0; at < columns.gaps.length;) {
    const parted = lines.some((pieces) =>
      pieces.some((piece, index) => piece.lastColumn === at && pieces[index + 1]?.column === at + 1),
    )
    const { from = 0, to = 0 } = columns.gaps[at] ?? {}
    if (parted || walls.some((wall) => wall > from && wall < to)) at += 1
    else {
      columns = withCenters(columns.gaps.toSpliced(at, 1), rows)
      lines = rows.map((row) => piecesOf(row, columns))
    }
  }
  return { ...columns, lines }
}

/** Assigns a text to all columns whose centers it covers, or else to the column at the center of the text. */
const assignColumns = (part: Segment, { gaps, centers }: Columns): TableSegment => {
  const over = centers.flatMap((at, column) => (at > part.x && at < part.right ? [column] : []))
  const column = over[0] ?? columnAt(gaps, center(part))
  return { ...part, column, lastColumn: over.at(-1) ?? column }
}

const cut = (segment: Segment, gaps: readonly Gap[], least: number): Segment[] => {
  const parts: Word[][] = []
  for (const word of segment.words) {
    const part = parts.at(-1)
    const before = part?.at(-1)
    const parted =
      before &&
      word.x - before.right >= least * word.size &&
      columnAt(gaps, center(before)) !== columnAt(gaps, center(word))
    if (part && !parted) part.push(word)
    else parts.push([word])
  }
  return parts.length === 1 ? [segment] : parts.map(segmentOf)
}

const spaces = (words: readonly Pick<Segment, 'x' | 'right'>[]): number[] =>
  words.slice(1).map(({ x }, index) => x - (words[index]?.right ?? x))

/** Splits a segment into cells. Parts that are close together become cells only if each is centered in its column. */
const partsOf = (segment: Segment, columns: Columns): TableSegment[] =>
  cut(segment, columns.gaps, 0.5).flatMap((part) => {
    const close = cut(part, columns.gaps, 0.1).map((one) => assignColumns(one, columns))
    if (close.length === 1) return close
    const apart =
      Math.min(...spaces(close)) > 1.1 * Math.max(0, ...close.flatMap((piece) => spaces(piece.words))) &&
      close.every(
        (piece) =>
          piece.column === piece.lastColumn &&
          Math.abs(center(piece) - (columns.centers[piece.column] ?? 0)) < 0.6 * segment.size,
      )
    return apart ? close : [assignColumns(part, columns)]
  })

const piecesOf = (row: Row, columns: Columns): TableSegment[] => {
  const pieces = row.segments.flatMap((segment) => partsOf(segment, columns))
  return pieces.map((piece, index) => {
    const [before, after] = [pieces[index - 1], pieces[index + 1]]
    const column =
      before && before.column === before.lastColumn
        ? Math.max(piece.column, Math.min(before.lastColumn + 1, piece.lastColumn))
        : piece.column
    const lastColumn =
      after && after.column === after.lastColumn
        ? Math.min(piece.lastColumn, Math.max(after.column - 1, column))
        : piece.lastColumn
    return { ...piece, column, lastColumn }
  })
}

export const edgesOf = (rows: readonly Row[], gaps: readonly Gap[]): number[] => [
  Math.min(...rows.map(({ x }) => x)),
  ...gaps.map(({ from, to }) => (from + to) / 2),
  Math.max(...rows.map(({ right }) => right)),
]

const isUneven = ({ segments }: Row): boolean => {
  const middles = segments.map(middle)
  return Math.max(...middles) - Math.min(...middles) > 0.22 * median(segments.map(({ size }) => size))
}

/** Returns the lines of text columns, or null for a table. Adjacent text columns have lines at different heights. */
export const asColumns = (rows: readonly Row[]): Row[] | null => {
  const full = rows.filter(({ segments }) => segments.length >= 2)
  if (rows.length < 4 || full.filter(isUneven).length < 0.3 * full.length) return null
  const columns = Map.groupBy(columnsOf(rows).lines.flat(), ({ column }) => column)
  const words = (own: readonly Segment[]): number => median(own.map(({ text }) => text.split(' ').length))
  if (![...columns.values()].some((own) => own.length >= 4 && words(own) >= 5)) return null
  return [...columns].sort(([a], [b]) => a - b).flatMap(([, own]) => rowsOf(own))
}
