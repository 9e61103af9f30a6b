import { isCaption, isValue, joinLines, type Hyphens } from './line-text'
import { linesOf, segmentOf, segmentsOf, turnedLines } from './lines'
import {
  around,
  beside,
  center,
  holds,
  mainStyle,
  middle,
  type Box,
  type Rule,
  type Rules,
  type Segment,
  type Table,
  type Word,
} from './page'
import { isFigure } from './table-rows'

/** `lastRow` and `lastColumn` are inclusive. */
type Slot = Box & { row: number; column: number; lastRow: number; lastColumn: number }
type Filled = Slot & { lines: Segment[] }
export type Grid = Box & { xs: number[]; ys: number[]; slots: Slot[] }

const near = 3.2

/** Groups drawn lines that touch one another, because each group may be a table. */
const drawings = ({ across, down }: Rules): Rules[] => {
  const parts: Rules[] = down.map((rule) => ({ across: [], down: [rule] }))
  const touches = (one: Rule, other: Rule): boolean =>
    other.at >= one.from - near && other.at <= one.to + near && one.at >= other.from - near && one.at <= other.to + near
  for (const rule of across) {
    const met = parts.filter((part) => part.down.some((other) => touches(rule, other)))
    const [first, ...others] = met
    if (!first) continue
    first.across.push(rule)
    for (const other of others) {
      first.across.push(...other.across)
      first.down.push(...other.down)
      parts.splice(parts.indexOf(other), 1)
    }
  }
  return parts.filter((part) => part.across.length >= 2 && part.down.length > 0)
}

const distinctPositions = (numbers: readonly number[], tolerance = near): number[] => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted.filter((number, index) => index === 0 || number - (sorted[index - 1] ?? 0) > tolerance)
}

const walled = (rules: readonly Rule[], at: number, from: number, to: number): boolean => {
  const covered = rules
    .filter((rule) => Math.abs(rule.at - at) <= near)
    .reduce((total, rule) => total + Math.max(0, Math.min(to, rule.to) - Math.max(from, rule.from)), 0)
  return covered > 0.5 * (to - from)
}

/** Returns the cells between drawn lines. A merged cell is always a rectangle. */
const slotsOf = (xs: number[], ys: number[], { across, down }: Rules): Slot[] => {
  const taken = new Set<string>()
  const open = (row: number, column: number): boolean => !taken.has(`${row} ${column}`)
  const y = (row: number): number => ys[row] ?? 0
  const x = (column: number): number => xs[column] ?? 0
  const slots: Slot[] = []
  for (let row = 0; row < ys.length - 1; row += 1)
    for (let column = 0; column < xs.length - 1; column += 1) {
      if (!open(row, column)) continue
      let lastColumn = column
      while (
        lastColumn < xs.length - 2 &&
        open(row, lastColumn + 1) &&
        !walled(down, x(lastColumn + 1), y(row), y(row + 1))
      )
        lastColumn += 1
      const joinsBelow = (last: number): boolean => {
        for (let one = column; one <= lastColumn; one += 1)
          if (!open(last + 1, one) || walled(across, y(last + 1), x(one), x(one + 1))) return false
        for (let wall = column + 1; wall <= lastColumn; wall += 1)
          if (walled(down, x(wall), y(last + 1), y(last + 2))) return false
        return true
      }
      let lastRow = row
      while (lastRow < ys.length - 2 && joinsBelow(lastRow)) lastRow += 1
      for (let a = row; a <= lastRow; a += 1) for (let b = column; b <= lastColumn; b += 1) taken.add(`${a} ${b}`)
      slots.push({
        row,
        column,
        lastRow,
        lastColumn,
        x: x(column),
        y: y(row),
        right: x(lastColumn + 1),
        bottom: y(lastRow + 1),
      })
    }
  return slots
}

/** A grid with more cells is a hatched area, not a table. */
const mostFields = 20_000

const gridOf = (rules: Rules): Grid => {
  const ends = ({ from, to }: Rule): number[] => [from, to]
  const left = Math.min(...rules.across.flatMap(ends))
  const right = Math.max(...rules.across.flatMap(ends))
  const top = Math.min(...rules.across.map(({ at }) => at), ...rules.down.flatMap(ends))
  const bottom = Math.max(...rules.across.map(({ at }) => at), ...rules.down.flatMap(ends))
  const xs = distinctPositions([left, right, ...rules.down.map(({ at }) => at)])
  const ys = distinctPositions([top, bottom, ...rules.across.map(({ at }) => at)])
  return {
    x: left,
    right,
    y: top,
    bottom,
    xs,
    ys,
    slots: xs.length * ys.length > mostFields ? [] : slotsOf(xs, ys, rules),
  }
}

export const gridsOf = (rules: Rules): Grid[] =>
  drawings(rules)
    .map(gridOf)
    .filter(({ xs, ys }) => xs.length >= 3 && ys.length >= 3)

/** If a row between drawn lines contains several rows of values, separates the lines of each cell by `<br>`. */
const stackedRow = (row: string[], cells: readonly Filled[], index: number, keeps: Hyphens): string[] => {
  const here = cells.filter((cell) => cell.row === index && cell.lastRow === index && cell.lines.length > 0)
  const height = Math.max(0, ...here.map(({ lines }) => lines.length))
  const tall = here.filter(({ lines }) => lines.length === height)
  const even = here.every(({ lines }) => lines.length === height || lines.length === 1)
  const level = tall.every(({ lines }) => lines.every((line, at) => beside(line, tall[0]?.lines[at] ?? line)))
  const values = tall.filter(({ lines }) => lines.every(({ text }) => isValue(text))).length
  if (height < 2 || tall.length < 3 || !even || !level || values < 2 || values < tall.length / 2) return row
  const apart = [...row]
  for (const { column, lastColumn, lines } of tall)
    apart.fill(lines.map(({ text }) => joinLines([text], keeps)).join('<br>'), column, lastColumn + 1)
  return apart
}

/** Groups the words by their cell, which is looked up by position. Comparing each word with each cell would be slow. */
const wordsIn = ({ xs, ys, slots }: Grid, words: readonly Word[]): Map<Slot | undefined, Word[]> => {
  const fields = new Map<number, Slot>()
  for (const slot of slots)
    for (let row = slot.row; row <= slot.lastRow; row += 1)
      for (let column = slot.column; column <= slot.lastColumn; column += 1) fields.set(row * xs.length + column, slot)
  const before = (all: readonly number[], at: number): number => all.findLastIndex((one) => one < at)
  return Map.groupBy(words, (word) => {
    const slot = fields.get(before(ys, middle(word)) * xs.length + before(xs, center(word)))
    return slot && holds(slot, word) ? slot : undefined
  })
}

const fill = (slot: Slot, own: readonly Word[]): Filled => {
  if (own.length === 0) return { ...slot, lines: [] }
  const turned = own.filter((word) => word.turned)
  return { ...slot, lines: [...linesOf(own.filter((word) => !word.turned)).map(segmentOf), ...turnedLines(turned)] }
}

/** The minimum gap between words in different columns, relative to the font size. A space is narrower. */
const leastWhite = 0.5

/** Returns the column of each word. Null if a word crosses a boundary, or is too close to a word of another column. */
const columnsOf = (words: readonly Word[], { xs }: Grid): number[] | null => {
  const columns = words.map((word) => xs.findLastIndex((x) => x < center(word)))
  const apart = words.every((word, index) => {
    const [column, before] = [columns[index] ?? 0, words[index - 1]]
    const inside = word.x > (xs[column] ?? 0) - 2 && word.right < (xs[column + 1] ?? 0) + 2
    return inside && (!before || columns[index - 1] === column || word.x - before.right >= leastWhite * word.size)
  })
  return apart ? columns : null
}

const splitBox = (cell: Filled, grid: Grid): Filled[] => {
  if (cell.lastColumn === cell.column || cell.lines.length === 0) return [cell]
  const lines = cell.lines.map(({ words }) => ({ words, columns: columnsOf(words, grid) }))
  const met = new Set(lines.flatMap(({ columns }) => columns ?? []))
  if (met.size < 2 || lines.some(({ columns }) => columns === null)) return [cell]
  return Array.from({ length: cell.lastColumn - cell.column + 1 }, (_, at): Filled => {
    const column = cell.column + at
    const own = lines.map(({ words, columns }) => words.filter((__, index) => columns?.[index] === column))
    const box = {
      ...cell,
      column,
      lastColumn: column,
      x: grid.xs[column] ?? cell.x,
      right: grid.xs[column + 1] ?? cell.right,
    }
    return { ...box, lines: own.filter((words) => words.length > 0).map(segmentOf) }
  })
}

/** Returns true if enough cells contain text. A frame around a text or an image is not a table. */
const isTable = (cells: readonly Filled[]): boolean => {
  const full = cells.filter(({ lines }) => lines.length > 0)
  const rows = new Set(full.map(({ row }) => row))
  const columns = new Set(full.map(({ column }) => column))
  return full.length >= 4 && rows.size >= 2 && columns.size >= 2 && full.length >= 0.35 * cells.length
}

const styleOf = (cells: readonly Filled[], row: number): { bold: boolean; numbers: boolean } => {
  const lines = cells.filter((cell) => cell.row <= row && cell.lastRow >= row).flatMap(({ lines }) => lines)
  return { bold: lines.length > 0 && mainStyle(lines).bold, numbers: lines.some(({ text }) => /\d/.test(text)) }
}

/**
 * Returns the number of header rows. It is more than one if a cell spans rows or columns, or if the second row is bold
 * and has no label.
 */
const headerRowsOf = (cells: readonly Filled[], height: number): number => {
  const filled = cells.filter(({ lines, row, lastRow }) => lines.length > 0 && lastRow - row < height / 2)
  let last = 0
  for (let row = 0; row <= last && row < height - 2; row += 1) {
    const here = filled.filter((cell) => cell.row === row)
    last = Math.max(
      last,
      ...here.map(({ lastRow }) => lastRow),
      here.some(({ column, lastColumn }) => lastColumn > column) ? row + 1 : 0,
    )
  }
  const bold = (row: number): boolean => styleOf(cells, row).bold
  const unnamed = cells.some(({ row, column, lines }) => row === last + 1 && column === 0 && lines.length === 0)
  const goesOn = unnamed && bold(0) && bold(last + 1) && !bold(height - 1) && !styleOf(cells, last + 1).numbers
  return last + (goesOn && last + 2 < height ? 2 : 1)
}

/** Returns true for a header whose table is elsewhere: no numbers, and a wide cell in each row except the last. */
const isHeadAlone = (cells: readonly Filled[], height: number): boolean =>
  height <= 3 &&
  !cells.some(({ lines }) => lines.some(({ text }) => isFigure(text))) &&
  Array.from({ length: height - 1 }, (_, row) => row).every((row) =>
    cells.some((cell) => cell.row === row && cell.lastColumn > cell.column),
  )

const rowsOf = (cells: readonly Filled[], grid: Grid, keeps: Hyphens): string[][] => {
  const rows = grid.ys.slice(1).map(() => grid.xs.slice(1).map(() => ''))
  for (const { row, lastRow, column, lastColumn, lines } of cells) {
    const text = joinLines(
      lines.map((line) => line.text),
      keeps,
    )
    for (let a = row; a <= lastRow; a += 1) for (let b = column; b <= lastColumn; b += 1) (rows[a] ?? [])[b] = text
  }
  return rows
}

/**
 * Returns true if a row between drawn lines is really several rows. Its first cell then has at least three lines, and
 * another cell has values beside these lines.
 */
const isPile = (cells: readonly Filled[], index: number, last: boolean): boolean => {
  const [first, ...others] = cells.filter(({ row, lines }) => row === index && lines.length > 0)
  const met = ({ lines }: Filled): boolean =>
    lines.filter((line) => first?.lines.some((one) => Math.abs(one.bottom - line.bottom) < 0.25 * line.size)).length >=
    0.8 * Math.max(lines.length, first?.lines.length ?? 0)
  const values = ({ lines }: Filled): boolean => lines.filter(({ text }) => isValue(text)).length >= 0.5 * lines.length
  return first?.column === 0 && first.lines.length >= 3 && others.some((cell) => met(cell) && (last || values(cell)))
}

const withoutEdges = (cells: readonly Filled[], grid: Grid): Filled[] => {
  const inner = cells.filter(({ column, lastColumn, lines }) => {
    const text = lines.map((line) => line.text).join(' ')
    return lastColumn - column < grid.xs.length - 2 || !(isCaption(text) || text.split(' ').length > 12)
  })
  const [from, to] = [Math.min(...inner.map(({ row }) => row)), Math.max(...inner.map(({ lastRow }) => lastRow))]
  return cells.filter(({ row, lastRow }) => row >= from && lastRow <= to)
}

/** `piled` is true if a cell between drawn lines contains several rows or columns of the table. */
export const ruledTable = (
  grid: Grid,
  words: readonly Word[],
  keeps: Hyphens,
): { table: Table; piled: boolean } | null => {
  const inside = wordsIn(
    grid,
    words.filter((word) => holds(grid, word)),
  )
  const all = grid.slots.map((slot) => fill(slot, inside.get(slot) ?? []))
  const inner = withoutEdges(all, grid)
  const first = Math.min(...inner.map(({ row }) => row))
  const whole = inner.map((cell) => ({ ...cell, row: cell.row - first, lastRow: cell.lastRow - first }))
  const headerRows = headerRowsOf(whole, grid.ys.length - 1)
  const cells = whole.flatMap((cell) => (cell.row < headerRows ? [cell] : splitBox(cell, grid)))
  if (!isTable(cells) || isHeadAlone(whole, grid.ys.length - 1)) return null
  const rows = rowsOf(cells, grid, keeps)
  const box: Box = { ...around(cells), x: grid.x, right: grid.right }
  const emptyColumns = grid.xs.slice(1).map((_, column) => rows.every((row) => row[column] === ''))
  const kept = (_: unknown, column: number): boolean => !emptyColumns[column]
  const body = rows.map((row, index) => (index < headerRows ? row : stackedRow(row, cells, index, keeps)))
  const table: Table = {
    ...box,
    kind: 'table',
    headerRows,
    rows: body.map((row) => row.filter(kept)).filter((row) => row.some((cell) => cell !== '')),
    edges: [...grid.xs.slice(0, -1).filter(kept), grid.right],
  }
  const parted = cells.some(
    ({ row, column, lastColumn, lines }) =>
      row < headerRows && lastColumn > column && lines.some((line) => segmentsOf(line.words).length > 1),
  )
  const piles = rows.some((_, index) => index >= headerRows && isPile(cells, index, rows.length === headerRows + 1))
  return { table, piled: parted || piles }
}
