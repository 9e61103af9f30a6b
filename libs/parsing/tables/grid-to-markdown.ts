import { Unfit } from '@plumbline/ports/document-parser'
import { columnNames } from '@plumbline/knowledge/chunking/markdown-table'
import { blocks, markdownTable, escapedLine } from '../write-markdown'

export type GridCell = { row: number; column: number; across: number; down: number; text: string }
export type Grid = { rows: string[][]; merged: GridCell[] }

const mostCharacters = 50_000_000
const mostCells = 5_000_000

const tooLarge = (file: string): Unfit =>
  new Unfit(
    'too-large',
    `${file} contains a table with more than ${mostCells} cells, or with merged cells that repeat too much text. Split the table into smaller ones.`,
  )

/** The text of a merged cell is repeated, so that each row can be read alone. */
export const gridOf = (cells: GridCell[], file: string): Grid => {
  const height = cells.reduce((most, { row, down }) => Math.max(most, row + down), 0)
  const width = cells.reduce((most, { column, across }) => Math.max(most, column + across), 0)
  let left = mostCharacters
  if (height * width > mostCells) throw tooLarge(file)
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => ''))
  const isMerged = ({ across, down }: GridCell): boolean => across > 1 || down > 1
  const merged = cells.filter(isMerged)
  // Write merged cells last, because the cells that they cover are invisible but may still have text.
  for (const { row, column, across, down, text } of [...cells.filter((cell) => !isMerged(cell)), ...merged]) {
    left -= text.length * across * down
    if (left < 0) throw tooLarge(file)
    for (let at = row; at < row + down; at += 1) rows[at]?.fill(text, column, column + across)
  }
  return { rows, merged }
}

const figure = /^[-+(−]?\s?\p{Sc}?\s?\d[\d.,'\s]*(?:%|\s?\p{Sc})?\)?$/u
const year = /^(?:1[89]|20|21)\d\d$/
const noteStart = /^(?:notes?|sources?|remarks?|footnotes?|legend)\b|^[*†‡§¹²³(\[]/i
const mostHeaderRows = 4
const longCell = 40

const filledCells = (row: readonly string[]): string[] => row.filter((text) => text.trim() !== '')
export const isFigure = (text: string): boolean => figure.test(text.trim()) && !year.test(text.trim())
const noFigures = (row: readonly string[]): boolean => !row.some(isFigure)

const spanningRows = ({ rows, merged }: Grid): Set<number> => {
  const width = rows[0]?.length ?? 0
  return new Set(merged.flatMap(({ row, across, down }) => (width > 1 && down === 1 && across >= width ? [row] : [])))
}
const isAlone = (row: readonly string[]): boolean =>
  row.length > 1 && (row[0] ?? '').trim() !== '' && filledCells(row).length === 1

const titleRows = (grid: Grid): number => {
  const last = grid.rows.findLastIndex((row) => filledCells(row).length > 1)
  const spanning = spanningRows(grid)
  const row = (at: number) => grid.rows[at] ?? []
  let at = 0
  while (at < last && (spanning.has(at) || isAlone(row(at)) || filledCells(row(at)).length === 0)) at += 1
  return at
}

const noteRows = (grid: Grid, from: number): number => {
  const spanning = spanningRows(grid)
  let end = grid.rows.length
  const isNote = (row: readonly string[]) => {
    const text = (row[0] ?? '').trim()
    return !isFigure(text) && (noteStart.test(text) || text.length > longCell)
  }
  while (end > from + 1) {
    const row = grid.rows[end - 1] ?? []
    if (!((spanning.has(end - 1) || isAlone(row)) && isNote(row)) && filledCells(row).length > 0) break
    end -= 1
  }
  return grid.rows.length - end
}

/** Returns true for a row of units. It has no label, and its short texts are above numbers. */
const isUnits = (rows: readonly string[][], at: number): boolean => {
  const row = rows[at] ?? []
  const filled = row.flatMap((text, column) => (text.trim() === '' ? [] : [column]))
  const body = rows.slice(at + 1)
  return (
    (row[0] ?? '').trim() === '' &&
    filled.length > 0 &&
    filled.every((column) => (row[column] ?? '').length <= 16 && holdsFigures(body, column))
  )
}

const holdsFigures = (rows: readonly string[][], column: number): boolean => {
  const cells = filledCells(rows.map((row) => row[column] ?? ''))
  return cells.length > 0 && cells.filter(isFigure).length * 2 >= cells.length
}

/** Returns true if the second row names the columns, as in a pivot table. */
const namesColumns = ([above = [], row = [], ...body]: readonly string[][]): boolean =>
  (above[0] ?? '').trim() !== '' &&
  filledCells(above).length < row.length &&
  filledCells(row).length === row.length &&
  row.every((_, column) => column === 0 || holdsFigures(body, column))

const numberOf = (text: string): number => Number(text.replace(/[^\d.-]/g, ''))

/**
 * Returns true if the first row is data: all number columns have a number in it. Rising numbers, such as years, are a
 * header.
 */
const isHeadless = ([first = [], ...body]: readonly string[][]): boolean => {
  const figured = first.flatMap((text, column) => (column > 0 && holdsFigures(body, column) ? [text] : []))
  const rises =
    figured.length > 1 && figured.every((text, at) => at === 0 || numberOf(text) > numberOf(figured[at - 1] ?? ''))
  return body.length > 1 && figured.length > 0 && figured.every(isFigure) && !rises
}

/** Returns the number of header rows. They include rows without numbers and labels below a merged header cell. */
const headerRowsOf = ({ rows, merged }: Grid): number => {
  const width = rows[0]?.length ?? 0
  if (isHeadless(rows)) return 0
  let count = 1
  const reaches = (column?: number) =>
    merged.some(
      (cell) => cell.row < count && cell.row + cell.down > count && (column === undefined || cell.column === column),
    )
  const grouped = (column?: number) =>
    merged.some(
      (cell) =>
        cell.row === count - 1 &&
        cell.across > 1 &&
        cell.across < width &&
        (column === undefined || cell.column === column),
    )
  const continues = () => {
    const row = rows[count] ?? []
    if (!noFigures(row)) return false
    const unlabelled = (row[0] ?? '').trim() === '' || reaches(0) || (count === 1 && grouped(0))
    return (unlabelled && (reaches() || grouped())) || isUnits(rows, count) || (count === 1 && namesColumns(rows))
  }
  while (count < Math.min(mostHeaderRows, rows.length - 1) && continues()) count += 1
  return count
}

const below = ({ rows, merged }: Grid, from: number): Grid => ({
  rows: rows.slice(from),
  merged: merged.map((cell) => ({ ...cell, row: cell.row - from })).filter(({ row }) => row >= 0),
})

/** `marked` is the number of header rows that the file states. */
export const tableShape = (
  whole: Grid,
  marked?: number,
): { titles: number; header: number; notes: number; names: string[] } => {
  const titles = marked === undefined || marked > 1 ? titleRows(whole) : 0
  const grid = below(whole, titles)
  const notes = noteRows(grid, 1)
  const rows = grid.rows.slice(0, grid.rows.length - notes)
  const header =
    marked === undefined || marked <= titles
      ? headerRowsOf({ rows, merged: grid.merged })
      : Math.min(marked - titles, rows.length)
  return {
    titles,
    header,
    notes,
    names: columnNames(rows.slice(0, header), rows[0]?.length ?? 0),
  }
}

export const spanOf = ({ row, column, across, down }: GridCell): [number, number, number, number] => [
  row,
  column,
  across,
  down,
]

export const tableBlocks = (whole: Grid, marked?: number): string => {
  const { titles, header, notes } = tableShape(whole, marked)
  const end = whole.rows.length - notes
  const rows = whole.rows.slice(titles, end)
  const said = (row: readonly string[]) => escapedLine(row[0] ?? '')
  const spans = below(whole, titles).merged.filter(({ row }) => row < rows.length)
  const table = rows.every((row) => filledCells(row).length === 0) ? '' : markdownTable(rows, header, spans.map(spanOf))
  return blocks(whole.rows.slice(0, titles).map(said), table, whole.rows.slice(end).map(said))
}
