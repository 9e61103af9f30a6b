import type { Row, Segment } from './page'
import { median, middle } from './page'
import { rowsOf } from './rows'
import { columnGaps, piecesOf } from './table-columns'

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
