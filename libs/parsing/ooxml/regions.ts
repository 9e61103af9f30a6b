import { blocks, paragraph } from '../write-markdown'
import { gridOf, isFigure, tableBlocks, type Grid, type GridCell } from './tables'

type Axis = 'row' | 'column'
type Bounds = { top: number; left: number; bottom: number; right: number }

const spanOf = ({ down, across }: GridCell, axis: Axis): number => (axis === 'row' ? down : across)

const boundsOf = (cells: GridCell[]): Bounds =>
  cells.reduce<Bounds>(
    ({ top, left, bottom, right }, { row, column, down, across }) => ({
      top: Math.min(top, row),
      left: Math.min(left, column),
      bottom: Math.max(bottom, row + down),
      right: Math.max(right, column + across),
    }),
    { top: Infinity, left: Infinity, bottom: 0, right: 0 },
  )

/** Cells between empty rows, or between empty columns. */
const cut = (cells: GridCell[], axis: Axis): GridCell[][] => {
  const found: GridCell[][] = []
  let end = -1
  for (const cell of [...cells].sort((a, b) => a[axis] - b[axis])) {
    if (cell[axis] > end || found.length === 0) found.push([])
    found.at(-1)?.push(cell)
    end = Math.max(end, cell[axis] + spanOf(cell, axis))
  }
  return found
}

/** Cells between two cuts, or several such that belong together one after another: `last` are those of the last, `spaced` where each is a row. */
type Piece = { cells: GridCell[]; bounds: Bounds; last: GridCell[]; spaced: boolean }

const pieceOf = (cells: GridCell[]): Piece => {
  const bounds = boundsOf(cells)
  return { cells, bounds, last: cells, spaced: bounds.bottom - bounds.top === 1 }
}

const joined = (groups: GridCell[][], belongs: (before: Piece, next: Piece) => boolean): GridCell[][] => {
  const found: Piece[] = []
  for (const next of groups.map(pieceOf)) {
    const before = found.at(-1)
    if (!before || !belongs(before, next)) {
      found.push(next)
      continue
    }
    for (const cell of next.cells) before.cells.push(cell)
    before.bounds = { ...before.bounds, bottom: next.bounds.bottom, right: next.bounds.right }
    before.last = next.last
    before.spaced &&= next.spaced
  }
  return found.map(({ cells }) => cells)
}

/** Rows that go on under an empty one: the same columns, and figures where the rows above had them, so no header; or every other row is empty. */
const goesOn = (before: Piece, next: Piece): boolean => {
  const [above, here] = [before.bounds, next.bounds]
  if (here.top - above.bottom !== 1 || here.left !== above.left || here.right !== above.right) return false
  if (before.spaced && next.spaced) return here.right - here.left > 1
  if (above.bottom - above.top < 2) return false
  const figures = (cells: GridCell[], row: number) =>
    cells.flatMap((cell) => (cell.row === row && isFigure(cell.text) ? [cell.column] : []))
  const last = new Set(figures(before.last, above.bottom - 1))
  return figures(next.cells, here.top).some((column) => last.has(column))
}

/** A single column beside a table of the same rows is a part of it, set apart for looks. */
const setApart = ({ bounds: left }: Piece, { bounds: right }: Piece): boolean => {
  const single = left.right - left.left === 1 || right.right - right.left === 1
  return (
    single &&
    right.left - left.right === 1 &&
    left.top === right.top &&
    left.bottom === right.bottom &&
    left.bottom - left.top > 1
  )
}

const split = (cells: GridCell[]): GridCell[][] => {
  const bands = joined(cut(cells, 'row'), goesOn)
  if (bands.length > 1) return bands.flatMap(split)
  const columns = joined(cut(cells, 'column'), setApart)
  return columns.length > 1 ? columns.flatMap(split) : [cells]
}

/** Rows and columns that nothing stands in are left out, so that a far cell costs no more than a near one. */
const packed = (cells: GridCell[], axis: Axis): GridCell[] => {
  const used = new Set<number>()
  for (const cell of cells) for (let at = cell[axis]; at < cell[axis] + spanOf(cell, axis); at += 1) used.add(at)
  const place = new Map([...used].sort((a, b) => a - b).map((at, index) => [at, index]))
  return cells.map((cell) => ({ ...cell, [axis]: place.get(cell[axis]) ?? 0 }))
}

const longText = 80

/** One column is a table only as a list of short things under a name; longer texts are paragraphs. */
const regionText = (grid: Grid): string => {
  const column = grid.rows.map((row) => row[0] ?? '')
  const prose = grid.rows[0]?.length === 1 && (column.length < 3 || column.some((text) => text.length > longText))
  return prose ? blocks(column.map(paragraph)) : tableBlocks(grid)
}

/** The tables and texts of a sheet, in the order they are read. */
export const sheetText = (cells: GridCell[], file: string): string =>
  cells.length === 0
    ? ''
    : blocks(
        split(cells).map((region) => regionText(gridOf(packed(packed(region, 'row'), 'column'), file))),
      )
