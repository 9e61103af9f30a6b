import type { ParsedDocument } from '@plumbline/contracts'
import { lineBreak as breaks, markdownBlocks, textBlocks, type Block, type TableBlock } from './blocks'
import { tableLine } from './markdown-table'
import { type LooseTable, normalise, withRows } from './tables'

/** A block with its page and heading path. The path of a heading includes itself. */
export type Placed = Block & { page: number | undefined; path: string[] }

/** The text of a future passage. */
export type Piece = { text: string; path: string[]; page: number | undefined; tables: LooseTable[] }

export type Measure = (text: string) => number

export const markdownOf = (block: Block): string => (block.kind === 'heading' ? block.raw : block.text)

/** Only short cells, such as names, apply to several rows. If the repeats exceed this length, the row stays whole. */
const mostRepeated = 4_000

/**
 * Splits several rows that a document drew as one.
 * At least two cells must have the same number of lines. All others must have one line, which applies to each row.
 */
const unstackedRow = (row: string[]): string[][] => {
  const cells = row.map((cell) => cell.split(breaks).map((line) => line.trim()))
  const height = Math.max(...cells.map((lines) => lines.length))
  const tall = cells.filter((lines) => lines.length === height)
  const repeated = cells.reduce((sum, lines) => sum + (lines.length === 1 ? (lines[0]?.length ?? 0) : 0), 0)
  if (
    tall.length < 2 ||
    repeated * height > mostRepeated ||
    cells.some((lines) => lines.length !== height && lines.length !== 1)
  )
    return [row]
  return Array.from({ length: height }, (_, at) =>
    cells.map((lines) => (lines.length === height ? lines[at] : lines[0]) ?? ''),
  )
}

/** Puts each row of a table on its own line, so that it can be read alone. */
export const unstacked = (block: TableBlock): TableBlock => {
  const { text, table } = block
  if (!table || !breaks.test(text)) return block
  const [names = '', rule = '', ...lines] = text.split('\n')
  const all = table.rows.map((row) => unstackedRow(row))
  return {
    kind: 'table',
    text: [names, rule, ...all.flatMap((rows, at) => (rows.length > 1 ? rows.map(tableLine) : (lines[at] ?? '')))].join(
      '\n',
    ),
    table: withRows(
      table,
      all.flatMap((rows, from) => rows.map((cells) => ({ cells, from }))),
    ),
  }
}

const localLink = /\[[^\]]*\]\(#[^)]*\)/g

/** Prose with only links into its own document, such as a table of contents, adds nothing to the headings. */
const isContents = ({ kind, text }: Block): boolean =>
  kind === 'prose' && text.includes('](#') && !/\p{L}/u.test(text.replace(localLink, ''))

/**
 * Returns the blocks of all parts in one sequence.
 * A heading of these levels applies until the next one of the same or a higher rank, also across pages.
 */
export const placedBlocks = ({ markup, parts }: ParsedDocument, levels: readonly number[]): Placed[] => {
  let above: { level: number; text: string }[] = []
  let path: string[] = []
  return parts.flatMap(({ text, tables, page }, at) => {
    // Do not normalize this text: the line numbers of the tables refer to it.
    const plain = tables ? text : normalise(text)
    const blocks = markup === 'markdown' ? markdownBlocks(plain, at === 0, tables) : textBlocks(plain)
    return blocks
      .filter((block) => !isContents(block))
      .map((block): Placed => {
        if (block.kind === 'heading' && levels.includes(block.level)) {
          above = [...above.filter(({ level }) => level < block.level), { level: block.level, text: block.text }]
          path = above.map((heading) => heading.text).filter((heading) => heading !== '')
        }
        return { ...(block.kind === 'table' ? unstacked(block) : block), page, path }
      })
  })
}
