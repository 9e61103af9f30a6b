import { Unfit } from '@plumbline/ports/document-parser'
import type { GridCell } from '../tables/grid-to-markdown'
import type { XmlNode } from '../ooxml/xml'

const mostCells = 2_000_000

const times = (node: XmlNode, what: string): number => Math.max(1, Number(node.attributes[`number-${what}`]) || 1)

const rowsOf = (table: XmlNode, header = false): { row: XmlNode; header: boolean }[] =>
  table.children.flatMap((node) =>
    node.name === 'table-row'
      ? [{ row: node, header }]
      : /^table-(?:header-rows|rows|row-group)$/.test(node.name)
        ? rowsOf(node, header || node.name === 'table-header-rows')
        : [],
  )

/** Shortens merged cells that extend beyond the filled area of the table. */
const within = (cells: GridCell[]): GridCell[] => {
  const bottom = cells.reduce((most, { row }) => Math.max(most, row), 0)
  const right = cells.reduce((most, { column }) => Math.max(most, column), 0)
  return cells.map((cell) => ({
    ...cell,
    across: Math.min(cell.across, right - cell.column + 1),
    down: Math.min(cell.down, bottom - cell.row + 1),
  }))
}

/** Returns the cells of a table. The file stores equal rows or cells only once, with the number of repetitions. */
export const cellsOf = (
  table: XmlNode,
  file: string,
  textOf: (cell: XmlNode) => string,
): { cells: GridCell[]; marked: number } => {
  const cells: GridCell[] = []
  let [row, marked] = [0, 0]
  for (const { row: node, header } of rowsOf(table)) {
    const own: GridCell[] = []
    let column = 0
    for (const cell of node.children) {
      if (cell.name !== 'table-cell' && cell.name !== 'covered-table-cell') continue
      const repeated = times(cell, 'columns-repeated')
      const text = cell.name === 'table-cell' ? textOf(cell) : ''
      const [across, down] = [times(cell, 'columns-spanned'), times(cell, 'rows-spanned')]
      for (let at = 0; text !== '' && at < repeated && own.length <= mostCells; at += 1)
        own.push({ row, column: column + at, across, down, text })
      column += repeated
    }
    const again = times(node, 'rows-repeated')
    if (own.length > 0 && cells.length + own.length * again > mostCells)
      throw new Unfit(
        'too-large',
        `${file} contains a table with more cells than can be read at once. Split the document into smaller files.`,
      )
    for (let at = 0; own.length > 0 && at < again; at += 1)
      for (const cell of own) cells.push({ ...cell, row: row + at })
    row += again
    if (header) marked = row
  }
  return { cells: within(cells), marked }
}
