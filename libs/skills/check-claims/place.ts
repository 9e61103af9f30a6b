import type { Cell } from '@plumbline/knowledge/tables'
import { rowName } from '@plumbline/knowledge/tables'

/** Where a cell stands, in words. */
export const place = (cell: Cell): string =>
  `${rowName(cell.table, cell.row) || 'the row'}${cell.year === null ? `, ${cell.table.columns[cell.column]?.header ?? ''}` : ` in ${cell.year}`}`
