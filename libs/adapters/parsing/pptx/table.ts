import type { GridCell } from '../ooxml'
import { gridOf, tableBlocks } from '../ooxml'
import type { XmlNode } from '../xml'
import { child, childrenOf } from '../xml'
import { plainText } from './text'

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'
const most = 1_000

const spanOf = (value: string | undefined, left: number): number =>
  Math.max(1, Math.min(Number(value) || 1, left, most))

/** Cells that a merged one covers are there, marked as such. */
export const tableText = (table: XmlNode, file: string): string => {
  const rows = childrenOf(table, 'tr').map((row) => childrenOf(row, 'tc'))
  const cells = rows.flatMap((row, at) =>
    row.flatMap((cell, column): GridCell[] => {
      const { attributes } = cell
      if (isTrue(attributes['hMerge']) || isTrue(attributes['vMerge'])) return []
      const text = plainText(child(cell, 'txBody'))
      return [
        {
          row: at,
          column,
          across: spanOf(attributes['gridSpan'], row.length - column),
          down: spanOf(attributes['rowSpan'], rows.length - at),
          text,
        },
      ]
    }),
  )
  return tableBlocks(gridOf(cells, file))
}
