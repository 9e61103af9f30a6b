import { isValue } from './marks'
import { beside } from './page'
import type { Filled } from './ruled-grid'
import type { Hyphens } from './text'
import { joinLines } from './text'

/**
 * Rows that are stacked in one drawn row: most cells hold the same number of lines on the same heights, most of them values,
 * and the others hold one line in the middle, which counts for each. Wrapped text never looks so. Its lines stay apart.
 */
export const stackedRow = (row: string[], cells: readonly Filled[], index: number, keeps: Hyphens): string[] => {
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
