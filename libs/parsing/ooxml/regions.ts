import { blocks, paragraph } from '../write-markdown'
import { gridOf, isFigure, tableBlocks, type Grid, type GridCell } from '../tables/grid-to-markdown'

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

/** A group of cells. `spaced` is true if every second row is empty. `figured` contains the columns with numbers. */
type CellGroup = { cells: GridCell[]; bounds: Bounds; spaced: boolean; figured: Set<number> }

const pieceOf = (cells: GridCell[]): CellGroup => {
  const bounds = boundsOf(cells)
  const figured = new Set(cells.flatMap(({ column, text }) => (isFigure(text) ? [column] : [])))
  return { cells, bounds, spaced: bounds.bottom - bounds.top === 1, figured }
}

const joined = (groups: GridCell[][], belongs: (before: CellGroup, next: CellGroup) => boolean): GridCell[][] => {
  const found: CellGroup[] = []
  for (const next of groups.map(pieceOf)) {
    const before = found.at(-1)
    if (!before || !belongs(before, next)) {
      found.push(next)
      continue
    }
    for (const cell of next.cells) before.cells.push(cell)
    before.bounds = { ...before.bounds, bottom: next.bounds.bottom, right: next.bounds.right }
    before.spaced &&= next.spaced
    for (const column of next.figured) before.figured.add(column)
  }
  return found.map(({ cells }) => cells)
}

/**
 * Returns true if `next` continues the table above. Its numbers are then in number columns of the table, or every
 * second row is empty in both groups.
 */
const goesOn = (before: CellGroup, next: CellGroup): boolean => {
  const [above, here] = [before.bounds, next.bounds]
  const alike = here.left === above.left && here.right === above.right
  if (here.top - above.bottom !== 1 || here.left < above.left || here.right > above.right) return false
  if (before.spaced && next.spaced && alike) return here.right - here.left > 1
  if (above.bottom - above.top < 2) return false
  const row = firstOfSeveral(next.cells)
  const figures = row.filter(({ text }) => isFigure(text))
  return figures.length > 0 && figures.every(({ column }) => before.figured.has(column))
}

const firstOfSeveral = (cells: GridCell[]): GridCell[] => {
  const rows = Map.groupBy(cells, ({ row }) => row)
  return [...rows].sort(([a], [b]) => a - b).find(([, row]) => row.length > 1)?.[1] ?? []
}

/**
 * Returns true if two groups side by side are one table. They have the same rows, and one of them is a single column or
 * the right one begins with numbers.
 */
const setApart = ({ bounds: left }: CellGroup, { bounds: right, cells }: CellGroup): boolean => {
  const single = left.right - left.left === 1 || right.right - right.left === 1
  const labels = cells.filter(({ row, column }) => column === right.left && row > right.top)
  return (
    (single || (labels.length > 0 && labels.every(({ text }) => isFigure(text)))) &&
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

/** Removes empty rows or columns, because one distant cell would make the grid very large. */
const packed = (cells: GridCell[], axis: Axis): GridCell[] => {
  const used = new Set<number>()
  for (const cell of cells) for (let at = cell[axis]; at < cell[axis] + spanOf(cell, axis); at += 1) used.add(at)
  const place = new Map([...used].sort((a, b) => a - b).map((at, index) => [at, index]))
  return cells.map((cell) => ({ ...cell, [axis]: place.get(cell[axis]) ?? 0 }))
}

const longText = 80

/** A single column is a table only if it has at least three rows and all its texts are short. */
const regionText = (grid: Grid): string => {
  const column = grid.rows.map((row) => row[0] ?? '')
  const prose = grid.rows[0]?.length === 1 && (column.length < 3 || column.some((text) => text.length > longText))
  return prose ? blocks(column.map(paragraph)) : tableBlocks(grid)
}

export const sheetText = (cells: GridCell[], file: string): string =>
  cells.length === 0
    ? ''
    : blocks(split(cells).map((region) => regionText(gridOf(packed(packed(region, 'row'), 'column'), file))))
