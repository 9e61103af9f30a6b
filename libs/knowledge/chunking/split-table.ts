import { startsTable } from './blocks'
import type { Measure } from './pieces'
import { rowCells } from './row-cells'
import type { Part } from './split'
import { atWords, pack, splitProse } from './split'

/** About as much as embedders take at once. */
const longestRow = 12_000
/** A cell up to here names its row. */
const longestName = 200

const length = (text: string): number => text.length

/** A row too long for one passage as several: each has a part of one long cell, and all of the short ones. */
const shortRows = (row: string): string[] => {
  if (row.length <= longestRow) return [row]
  const cells = rowCells(row).map((cell) => cell.trim())
  const names = cells.map((cell) => (cell.length <= longestName ? cell : ''))
  const room = longestRow - names.reduce((sum, name) => sum + name.length + 3, 0)
  if (room < longestRow / 2) return [row]
  const parts = cells.flatMap((cell, column) =>
    cell.length <= longestName ? [] : atWords(cell, room, length).map(({ text }) => names.with(column, text)),
  )
  return parts.map((part) => `| ${part.join(' | ')} |`)
}

const sameCells = (first: string, second: string): number => {
  const cells = second.split('|')
  return first.split('|').filter((cell, at) => cell.trim() !== '' && cell.trim() === cells[at]?.trim()).length
}

/** Stands on a line of its own before and behind where a table was cut, so that nobody takes a part for the whole. */
export const cutMark = '…'

/**
 * A table over `max` is cut between rows; every piece repeats the caption and the header rows and is marked where it was cut, a second one being that which repeats part of the first.
 * Where these are long, a piece has at least an eighth as much of rows. A table written in HTML is cut like a text.
 */
export const splitTable = (caption: string, table: string, max: number, measure: Measure): string[] => {
  const lead = caption === '' ? '' : `${caption}\n\n`
  const lines = table.split('\n')
  if (measure(lead + table) <= max || lines.length < 3) return [lead + table]
  if (!startsTable(lines, 0)) return pack(splitProse(lead + table, max, measure), max, measure).map(({ text }) => text)
  const heads = lines.length > 4 && sameCells(lines[0] ?? '', lines[2] ?? '') >= 2 ? 3 : 2
  const head = `${lead}${lines.slice(0, heads).join('\n')}\n`
  const rows = lines
    .slice(heads)
    .flatMap(shortRows)
    .map((text): Part => ({ text, glue: '\n' }))
  const room = max - measure(head) - measure(`${cutMark}\n\n\n\n${cutMark}`)
  const pieces = pack(rows, Math.max(room, measure(lines[0] ?? ''), measure(head) / 8), measure)
  return pieces.map(({ text }, at) =>
    [at > 0 ? cutMark : '', head + text, at < pieces.length - 1 ? cutMark : '']
      .filter((part) => part !== '')
      .join('\n\n'),
  )
}
