import type { ParsedDocument } from '@plumbline/contracts'
import { lineBreak as breaks, markdownBlocks, textBlocks, type Block, type TableBlock } from './blocks'
import { tableLine } from './markdown-table'
import { type LooseTable, normalise, withRows } from './tables'

/** A block with where it stands: its page and the headings above it, its own among them when it is one. */
export type Placed = Block & { page: number | undefined; path: string[] }

/** The text of a passage to be. */
export type Piece = { text: string; path: string[]; page: number | undefined; tables: LooseTable[] }

export type Measure = (text: string) => number

export const markdownOf = (block: Block): string => (block.kind === 'heading' ? block.raw : block.text)

/** What counts for each row is a name or a number: as much text, repeated, is none. */
const mostRepeated = 4_000

/** Several rows that a document drew as one: the same number of lines in two cells at least, and one line in the others, which counts for each. */
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

/** Each row of a table on a line of its own, so that it can be read alone. */
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

/** Links to places of the same document alone, as a table of contents is made of: they say nothing that the headings do not. */
const isContents = ({ kind, text }: Block): boolean =>
  kind === 'prose' && text.includes('](#') && !/\p{L}/u.test(text.replace(localLink, ''))

/** The blocks of all parts in one sequence; headings of these levels hold until the next of theirs, over pages too. */
export const placedBlocks = ({ markup, parts }: ParsedDocument, levels: readonly number[]): Placed[] => {
  let above: { level: number; text: string }[] = []
  let path: string[] = []
  return parts.flatMap(({ text, tables, page }, at) => {
    // Lines of tables were counted in the text as it is.
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
