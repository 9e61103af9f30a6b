import type { Table } from '@plumbline/contracts'
import type { TableBlock } from './blocks'
import { columnNames, tableLine } from './markdown-table'
import { type LocatedBlock, markdownOf, type Measure } from './located-blocks'
import { cutMark, headingRows, looseTable, withRows, type LooseTable } from './tables'
import { atWords, pack, splitCode, splitProse, type Part } from './split'

/** The maximum number of characters in a row, which is about the length that embedders accept. */
const longestRow = 12_000
/** A cell with at most this many characters may name the row. If a row is split, each part repeats these cells. */
const longestName = 200

const length = (text: string): number => text.length

const shortRows = (cells: string[], line: string): { cells: string[]; text: string }[] => {
  if (line.length <= longestRow) return [{ cells, text: line }]
  const names = cells.map((cell) => (cell.length <= longestName ? cell : ''))
  const room = longestRow - names.reduce((sum, name) => sum + name.length + 3, 0)
  if (room < longestRow / 2) return [{ cells, text: line }]
  return cells
    .flatMap((cell, column) =>
      cell.length <= longestName ? [] : atWords(cell, room, length).map(({ text }) => names.with(column, text)),
    )
    .map((part) => ({ cells: part, text: tableLine(part) }))
}

const sameCells = (first: readonly string[], second: readonly string[]): number =>
  first.filter((cell, at) => cell !== '' && cell === second[at]).length

const year = /(?<![\d.,])(?:1[5-9]|20|21)\d\d(?![\d.,])/g

const aboutOf = ({ header, rows }: Omit<Table, 'line'>): string => {
  const names = columnNames(header).filter((name) => name !== '')
  const years = [...names, ...rows.map(([first = '']) => first)].flatMap((text) => text.match(year) ?? []).sort()
  const span = years.length > 0 ? ` (${years[0]}–${years.at(-1)})` : ''
  return `${names.join(', ')}${span}; ${rows.length} rows`
}

type TablePiece = { text: string; tables: LooseTable[] }

const splitTable = (caption: string, block: TableBlock, max: number, measure: Measure): TablePiece[] => {
  const { text: markdown, table } = block
  const lead = caption === '' ? '' : `${caption}\n\n`
  const lines = markdown.split('\n')
  if (measure(lead + markdown) <= max || lines.length < 3) return [{ text: lead + markdown, tables: looseTable(block) }]
  if (!table)
    return pack(splitProse(lead + markdown, max, measure), max, measure).map(({ text }) => ({ text, tables: [] }))
  const [first = []] = table.rows
  const under =
    table.rows.length > 2 && sameCells(columnNames(table.header), first) >= 2 ? [{ cells: first, from: 0 }] : []
  const names = lines.slice(0, 2 + under.length).join('\n')
  const head = `${lead}${names}\n`
  const rows = table.rows.slice(under.length).flatMap((cells, at) =>
    shortRows(cells, lines[at + 2 + under.length] ?? '').map((row) => ({
      ...row,
      from: at + under.length,
      glue: '\n' as const,
    })),
  )
  const room = max - measure(head) - measure(`${cutMark}\n\n\n\n${cutMark}`)
  const pieces = pack(rows, Math.max(room, measure(lines[0] ?? ''), measure(head) / 8), measure)
  const about = aboutOf(table)
  const headings = headingRows(table)
  return pieces.map(({ text, parts }, at) => {
    const [row] = parts
    const heading = headings[row?.from ?? 0] ?? row?.from
    // If a group of rows continues in this piece, repeat the heading row of the group.
    const group = at > 0 && heading !== undefined && heading !== row?.from ? [heading] : []
    const repeated = [...under, ...group.map((from) => ({ cells: table.rows[from] ?? [], from }))]
    const markdown = [names, ...group.map((from) => lines[from + 2]), text].join('\n')
    const cut = { before: at > 0, behind: at < pieces.length - 1, ...(at > 0 && { repeats: repeated.length }) }
    return {
      text: [cut.before ? cutMark : '', lead + markdown, cut.behind ? cutMark : '']
        .filter((part) => part !== '')
        .join('\n\n'),
      tables: [{ markdown, table: { ...withRows(table, [...repeated, ...parts]), cut, about } }],
    }
  })
}

export type Unit = Part & { block: LocatedBlock; tables?: LooseTable[] }

export type Room = { prose: number; table: number }

const captionPattern = /^[*_\s]*(?:table|tab\.|exhibit|figure|fig\.)\s*[\dA-Z]/i
/** A short line that is not a sentence may be the caption of the block below. */
const isLabel = (text: string): boolean => text.length <= 160 && !/[.!?]$|\n|^(?:[-*+>]|\d+[.)])\s/.test(text.trim())
const isCaption = (block: LocatedBlock | undefined): block is LocatedBlock =>
  block !== undefined &&
  (block.kind === 'prose' || block.kind === 'heading') &&
  block.text.length <= (captionPattern.test(block.text) ? 600 : 300) &&
  (block.kind === 'heading' ||
    captionPattern.test(block.text) ||
    isLabel(block.text) ||
    block.text.trimEnd().endsWith(':'))

export const listItem = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s/
export const introduces = /[:：][*_]*\s*$/
/** A list stays with the line that introduces it, because the list may mean the opposite without this line. */
const leadsTo = (before: LocatedBlock | undefined, list: LocatedBlock): boolean =>
  before?.kind === 'prose' && list.kind === 'prose' && introduces.test(before.text) && listItem.test(list.text)

const partsOf = (block: LocatedBlock, { prose }: Room, measure: Measure): Part[] =>
  block.kind === 'code'
    ? splitCode(block.text, prose, measure).map((text) => ({ text, glue: '\n\n' }))
    : splitProse(markdownOf(block), prose, measure)

/** Splits blocks into units. A table keeps its caption, a heading its text, and a list the line that introduces it. */
export const unitsOf = (
  blocks: readonly LocatedBlock[],
  captionOf: (table: LocatedBlock) => string,
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
      for (const piece of splitTable(caption, block, room.table, measure))
        units.push({ ...piece, glue: '\n\n', block: { ...block, page } })
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
