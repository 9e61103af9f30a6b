import type { Box, Page, Table, Word } from './page'
import { holds, mainStyle } from './page'
import type { Filled, Grid, Slot } from './ruled-grid'
import { gridsOf } from './ruled-grid'
import { linesOf, segmentOf, turnedLines } from './segments'
import { stackedRow } from './stacked-rows'
import type { Hyphens } from './text'
import { joinLines } from './text'

const fill = (slot: Slot, words: readonly Word[]): Filled => {
  const own = words.filter((word) => holds(slot, word))
  const turned = own.filter((word) => word.turned)
  return { ...slot, lines: [...linesOf(own.filter((word) => !word.turned)).map(segmentOf), ...turnedLines(turned)] }
}

/** A frame around text or a figure is no table: most of a table's rows have more than one cell, and most of its cells text. */
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

/** A header is one row, and more where its cells span rows or columns, or where a bold row without a name follows it. */
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

const tableOf = (grid: Grid, words: readonly Word[], keeps: Hyphens): Table | null => {
  const cells = grid.slots.map((slot) => fill(slot, words))
  if (!isTable(cells)) return null
  const rows = rowsOf(cells, grid, keeps)
  const headerRows = headerRowsOf(cells, rows.length)
  const box: Box = { x: grid.x, y: grid.y, right: grid.right, bottom: grid.bottom }
  const emptyColumns = grid.xs.slice(1).map((_, column) => rows.every((row) => row[column] === ''))
  const kept = (_: unknown, column: number): boolean => !emptyColumns[column]
  const body = rows.map((row, index) => (index < headerRows ? row : stackedRow(row, cells, index, keeps)))
  return {
    ...box,
    kind: 'table',
    headerRows,
    rows: body.map((row) => row.filter(kept)).filter((row) => row.some((cell) => cell !== '')),
    edges: [...grid.xs.slice(0, -1).filter(kept), grid.right],
  }
}

/** Tables whose cells are drawn, and the words that stand in none of them. */
export const ruledTables = ({ words, rules }: Page, keeps: Hyphens): { tables: Table[]; rest: Word[] } => {
  const tables = gridsOf(rules).flatMap(
    (grid) =>
      tableOf(
        grid,
        words.filter((word) => holds(grid, word)),
        keeps,
      ) ?? [],
  )
  const outer = tables.filter(
    (table) => !tables.some((other) => other !== table && holds(other, table) && area(other) > area(table)),
  )
  return { tables: outer, rest: words.filter((word) => !outer.some((table) => holds(table, word))) }
}

const area = ({ x, y, right, bottom }: Box): number => (right - x) * (bottom - y)
