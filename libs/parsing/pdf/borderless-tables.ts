import { isCaption, isMarker, joinLines, type Hyphens } from './line-text'
import { segmentsOf } from './lines'
import { around, center, median, type Box, type Row, type Rule, type Rules, type Segment, type Table } from './page'
import { columnsOf, edgesOf } from './table-columns'
import { headLinesOf, isFigure, openersOf, spreadHead, type TableLine } from './table-rows'

export const isTabular = ({ segments }: Row): boolean =>
  segments.length >= 2 &&
  !segments.some(({ text }) => isCaption(text)) &&
  !(segments.length === 2 && isMarker(segments[0]?.text ?? '')) &&
  !segments.every(({ mono }) => mono)

const far = (row: Row, before: Row): boolean =>
  row.y - before.bottom > 2 * Math.max(row.segments[0]?.size ?? 0, before.bottom - before.y)

const inLine = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) < 3 || Math.abs(center(a) - center(b)) < 3 || Math.abs(a.right - b.right) < 3

/** Returns true for the name of a row group, which has slightly indented cells below it. */
const isOverIndented = ({ x, size }: Segment, below: readonly Row[]): boolean =>
  below.some((row) => isTabular(row) && row.x > x && row.x - x < 3 * size)

/** Returns true if the row continues the text of a cell above. A row in a larger font is a heading instead. */
const wraps = (row: Row, run: readonly Row[], below: readonly Row[] = []): boolean => {
  const [segment] = row.segments
  const box = around(run)
  if (!segment || segment.mono || isCaption(segment.text)) return false
  const cells = [...run, ...below.filter(isTabular)].flatMap(({ segments }) => segments)
  if (segment.size > 1.15 * median(cells.map(({ size }) => size))) return false
  const under = cells.some((cell) => inLine(cell, segment)) || isOverIndented(segment, below)
  const inner = segment.x > box.x + 20 && cells.some((cell) => Math.abs(cell.x - segment.x) < 3)
  const out = segment.right - box.right
  return (
    under &&
    (inner ? out < 0.15 * (box.right - box.x) : out <= 4 && segment.right - segment.x < 0.6 * (box.right - box.x))
  )
}

/** Returns true for a header that spans several columns. It is directly above them and not above the first column. */
const isOver = ({ segments, ...box }: Row, [next, ...others]: readonly Row[]): boolean => {
  const [head] = segments
  if (!next || !head || !isTabular(next) || segments.length > 1) return false
  const close =
    next.y - box.bottom < 1.2 * (box.bottom - box.y) && !isCaption(head.text) && head.text.split(' ').length <= 6
  const below = [next, ...others.filter(isTabular)]
  return (
    close &&
    below.some((row) => row.segments.length >= 3 && box.x > (row.segments[0]?.right ?? 0)) &&
    box.right < around(below).right + 5
  )
}

/** Returns true for a header with small gaps. The parts between these gaps align with the cells of the next line. */
const isTight = ({ segments, ...box }: Row, next?: Row): boolean => {
  const [line] = segments
  if (
    !line ||
    !next ||
    segments.length > 1 ||
    !isTabular(next) ||
    isCaption(line.text) ||
    next.y - box.bottom > 1.2 * (box.bottom - box.y)
  )
    return false
  const parts = segmentsOf(line.words, 0.5)
  return parts.length >= 2 && parts.every((part) => next.segments.some((cell) => inLine(cell, part)))
}

/** Returns true for a cell that is vertically centered beside two lines. */
const standsBeside = ({ y, bottom }: Row, before: Row, after?: Row): boolean =>
  y < before.bottom - 2 && after !== undefined && bottom > after.y + 2

const follows = (rows: readonly Row[], from: number, to: number): boolean => {
  const [row, before] = [rows[to], rows[to - 1]]
  if (!row || !before || row.segments.length !== 1 || !wraps(row, rows.slice(from, to))) return false
  const left = Math.min(...rows.slice(from, to).map(({ x }) => x))
  return (
    row.y - before.bottom < 0.6 * (row.bottom - row.y) &&
    (row.x > left + 10 || /^\p{Ll}/u.test(row.segments[0]?.text ?? '')) &&
    (row.segments[0]?.size ?? 0) >= 0.9 * (before.segments[0]?.size ?? 0)
  )
}

const closeRowsEnd = (rows: readonly Row[], from: number, start: number): number => {
  let to = start
  for (let next = to; next < rows.length && next - to < 5; next += 1) {
    const [row, before] = [rows[next], rows[next - 1]]
    if (!row || !before || far(row, before)) break
    if (isTabular(row) || standsBeside(row, before, rows[next + 1])) to = next + 1
    else if (!wraps(row, rows.slice(from, next), rows.slice(next + 1, next + 3))) break
  }
  while (to < rows.length && follows(rows, from, to)) to += 1
  return to
}

const mostWhite = 6

const resumesAt = (rows: readonly Row[], from: number, to: number): number => {
  const run = rows.slice(from, to).filter(isTabular)
  const [last, name] = [run.at(-1), rows[to]]
  const named = name?.segments.length === 1
  const next = rows[named ? to + 1 : to]
  const size = last?.segments[0]?.size ?? 0
  if (!last || !next || run.length < 2 || next.segments.length !== last.segments.length || !isTabular(next)) return to
  const ours = !named || (wraps(name, run, [next]) && next.y - name.bottom < 2 * size)
  const values = next.segments.slice(1).every((value, index) => {
    const above = last.segments[index + 1]
    return above && !/\p{L}/u.test(value.text) && inLine(value, above)
  })
  return ours && values && next.y - last.bottom < mostWhite * size ? rows.indexOf(next) + 1 : to
}

const overlaps = (a: Box, b: Box): boolean => a.x < b.right && b.x < a.right

const names = (head: Row, row: Row): boolean => {
  const values = row.segments.slice(1)
  const over = head.segments.slice(-values.length)
  return (
    values.length >= 2 &&
    head.segments.length - over.length <= 1 &&
    values.every(
      (value, index) =>
        over.filter((name) => overlaps(name, value)).length === 1 && overlaps(over[index] ?? row, value),
    )
  )
}

/**
 * Returns where the table ends. Rows without numbers may be only a header. In that case, a matching row after white
 * space still belongs to the table.
 */
const bodyAt = (rows: readonly Row[], from: number, to: number): number => {
  const head = rows[to - 1]
  if (!head || rows.slice(from, to).some(({ segments }) => segments.some(({ text }) => isFigure(text)))) return to
  const first = rows.findIndex((row, at) => at >= to && isTabular(row))
  const body = rows[first]
  const size = median(head.segments.map((segment) => segment.size))
  const near = rows.slice(to, first + 1).every((row, at) => row.y - (rows[to + at - 1]?.bottom ?? 0) < mostWhite * size)
  return body && near && first - to <= 2 && names(head, body) ? first + 1 : to
}

export const runAt = (rows: readonly Row[], from: number): number => {
  const first = rows[from]
  if (!first || !(isTabular(first) || isOver(first, rows.slice(from + 1, from + 4)) || isTight(first, rows[from + 1])))
    return from
  let to = from + (isTabular(first) ? 1 : 2)
  for (;;) {
    const end = closeRowsEnd(rows, from, to)
    to = Math.max(resumesAt(rows, from, end), bodyAt(rows, from, end))
    if (to === end) return end
  }
}

const joined = (group: readonly TableLine[], width: number, keeps: Hyphens): string[] =>
  Array.from({ length: width }, (_, column) => {
    const pieces = group.flatMap((line) =>
      line.pieces.filter((piece) => piece.column <= column && piece.lastColumn >= column),
    )
    return joinLines(
      pieces.map(({ text }) => text),
      keeps,
    )
  })

const grouped = (lines: readonly TableLine[], rules: readonly Rule[]): TableLine[][] => {
  const groups: TableLine[][] = []
  const opens = openersOf(lines, rules)
  lines.forEach((line, index) => {
    const group = groups.at(-1)
    if (group && !opens[index]) group.push(line)
    else groups.push([line])
  })
  return groups
}

/** Returns true if enough rows are full. In a table of two columns, the first must not be mostly form labels. */
const convinces = (lines: readonly TableLine[], columns: number): boolean => {
  const full = lines.filter(({ pieces }) => new Set(pieces.map(({ column }) => column)).size >= 2)
  const cells = full.reduce((total, { pieces }) => total + pieces.length, 0)
  if (columns < 2 || full.length < (columns === 2 ? 3 : 2)) return false
  const labels = full.filter(({ pieces }) => /:$/.test(pieces[0]?.text ?? '')).length
  if (columns === 2 && labels >= 0.5 * full.length) return false
  return (
    full.length >= 0.25 * lines.length &&
    cells / full.length >= Math.min(2, columns) &&
    cells >= 0.3 * full.length * columns
  )
}

const columnsIn = (row: readonly TableLine[]): Set<number> =>
  new Set(row.flatMap(({ pieces }) => pieces.map(({ column }) => column)))

/** Returns false for charts and drawings, which contain only scattered words. */
const isFilled = ([head = [], ...rows]: readonly TableLine[][], columns: number): boolean => {
  const counts = [head, ...rows].map((row) => columnsIn(row).size)
  const full = counts.filter((count) => count >= 2)
  const named = new Set(
    head.flatMap(({ pieces }) =>
      pieces.flatMap(({ column, lastColumn }) =>
        Array.from({ length: lastColumn - column + 1 }, (_, by) => column + by),
      ),
    ),
  )
  named.delete(0)
  return (
    full.length >= 0.5 * counts.length &&
    median(full) >= 0.5 * columns &&
    (rows.length > 3 || named.size === 0 || named.size > 0.5 * (columns - 1)) &&
    [head, ...rows].some((row) => row.some(({ pieces }) => pieces.some(({ text }) => /\p{L}/u.test(text))))
  )
}

/** Returns true for running text, in which a sentence continues from row to row. */
const isProse = (rows: readonly TableLine[][]): boolean =>
  rows.filter(
    ([line]) =>
      line?.pieces.every(({ text }) => text.split(' ').length >= 3) && /^\p{Ll}/u.test(line.pieces[0]?.text ?? ''),
  ).length >
  0.3 * rows.length

export const borderlessTable = (
  all: readonly Row[],
  rules: Rules,
  keeps: Hyphens,
  walls: readonly number[] = [],
): Table | null => {
  const { gaps, centers, lines: found } = columnsOf(all, walls)
  const columns = gaps.length + 1
  const inner = ({ segments }: Row, index: number): boolean =>
    segments.length > 1 ||
    !found[index]?.some(
      ({ column, lastColumn, text }) => isCaption(text) || (columns >= 3 && column === 0 && lastColumn === columns - 1),
    )
  const [from, to] = [all.findIndex(inner), all.findLastIndex(inner) + 1]
  const rows = all.slice(from, to)
  const lines = rows.map(({ y, bottom }, index): TableLine => ({ y, bottom, pieces: found[from + index] ?? [] }))
  if (!convinces(lines, columns)) return null
  const box = around(rows)
  const size = median(rows.map((row) => row.bottom - row.y))
  const own = rules.across.filter(
    ({ at, from, to }) =>
      at > box.y - size &&
      at < box.bottom + size &&
      from < (gaps[0]?.from ?? box.right) &&
      Math.min(to, box.right) - Math.max(from, box.x) > 0.6 * (box.right - box.x),
  )
  const head = headLinesOf(lines, own)
  const body = lines.slice(head)
  const headers = spreadHead(lines.slice(0, head), centers, rules)
  const groups = [headers, ...grouped(body, own)]
  if (!isFilled(groups, columns) || isProse(groups)) return null
  const cells = groups.map((group) => joined(group, columns, keeps))
  return { ...box, kind: 'table', rows: cells, headerRows: 1, edges: edgesOf(rows, gaps) }
}
