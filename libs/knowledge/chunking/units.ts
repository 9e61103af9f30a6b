import { rowCells, startsTable } from './blocks'
import { markdownOf, type Measure, type Placed } from './placed-blocks'
import { atWords, pack, splitCode, splitProse, type Part } from './split'

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
const splitTable = (caption: string, table: string, max: number, measure: Measure): string[] => {
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

/** A part of a passage with the block that it comes from. */
export type Unit = Part & { block: Placed }

/** The most that one unit may be. */
export type Room = { prose: number; table: number }

const named = /^[*_\s]*(?:table|tab\.|exhibit|figure|fig\.)\s*[\dA-Z]/i
/** A short line that is no sentence says what it stands over. */
const isLabel = (text: string): boolean => text.length <= 160 && !/[.!?]$|\n|^(?:[-*+>]|\d+[.)])\s/.test(text.trim())
const isCaption = (block: Placed | undefined): block is Placed =>
  block !== undefined &&
  (block.kind === 'prose' || block.kind === 'heading') &&
  block.text.length <= (named.test(block.text) ? 600 : 300) &&
  (block.kind === 'heading' || named.test(block.text) || isLabel(block.text) || block.text.trimEnd().endsWith(':'))

export const listItem = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s/
export const introduces = /[:：][*_]*\s*$/
/** Without the line that leads to it, a list may say the opposite. */
const leadsTo = (before: Placed | undefined, list: Placed): boolean =>
  before?.kind === 'prose' && list.kind === 'prose' && introduces.test(before.text) && listItem.test(list.text)

const partsOf = (block: Placed, { prose }: Room, measure: Measure): Part[] =>
  block.kind === 'code'
    ? splitCode(block.text, prose, measure).map((text) => ({ text, glue: '\n\n' }))
    : splitProse(markdownOf(block), prose, measure)

/** What blocks are made into passages from: a table with its caption, a heading with what follows it, a list with what leads to it, other blocks cut to size. */
export const unitsOf = (
  blocks: readonly Placed[],
  captionOf: (table: Placed) => string,
  room: Room,
  measure: Measure,
): Unit[] => {
  const units: Unit[] = []
  blocks.forEach((block, at) => {
    const before = blocks[at - 1]
    if (block.kind === 'table') {
      const over = isCaption(before)
      while (over && units.at(-1)?.block === before) units.pop()
      const caption = over ? before.text.trim() : captionOf(block)
      const page = over ? before.page : block.page
      for (const text of splitTable(caption, block.text, room.table, measure))
        units.push({ text, glue: '\n\n', block: { ...block, page } })
      return
    }
    const [first, ...rest] = partsOf(block, room, measure)
    if (!first) return
    const last = units.at(-1)
    const opens =
      before?.kind === 'heading' && block.kind === 'prose' && !(blocks[at + 1]?.kind === 'table' && isCaption(block))
    const joined = last && (opens || leadsTo(before, block)) ? `${last.text}\n\n${first.text}` : null
    if (last && joined !== null && measure(joined) <= room.prose)
      units[units.length - 1] = { ...last, text: joined, block: { ...block, page: last.block.page } }
    else units.push({ ...first, block })
    for (const part of rest) units.push({ ...part, block })
  })
  return units
}
