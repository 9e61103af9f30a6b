import type { ParsedDocument } from '@plumbline/contracts'
import { lineBreak as breaks, markdownBlocks, textBlocks, type Block, type TableBlock } from './blocks'
import { tableLine } from './markdown-table'
import { type LooseTable, normalise, withRows } from './tables'

export type LocatedBlock = Block & { page: number | undefined; path: string[] }

export type PassageDraft = { text: string; path: string[]; page: number | undefined; tables: LooseTable[] }

export type Measure = (text: string) => number

export const markdownOf = (block: Block): string => (block.kind === 'heading' ? block.raw : block.text)

/** If splitting a row would repeat more characters than this, the row is not split. */
const mostRepeated = 4_000

/** Splits a row whose cells have several lines into one row per line. Each new row repeats the cells with one line. */
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

export const splitStackedRows = (block: TableBlock): TableBlock => {
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

/**
 * Matches links within the document, anchors, comments and link definitions, which state nothing. Each part stops at
 * the next mark of its kind, so that a long hostile text does not take long.
 */
const pointers = new RegExp(
  [
    /\[[^[\]]*\]\(#[^()]*\)/,
    /<\/?a(?:\s[^<>]*)?>/,
    /<!--[\s\S]{0,2000}?-->/,
    /^ {0,3}\[(?!\^)[^[\]\n]+\]:[ \t]*<?(?=[^\s>]*[/#:])[^\s>]+>?(?:[ \t]+["'(].*)?$/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
)

const hasWords = (text: string): boolean => /\p{L}/u.test(text)
/** A block of pointers is dropped. A table of contents, which only repeats the headings, is such a block. */
const isPointers = ({ kind, text }: Block): boolean =>
  kind === 'prose' && hasWords(text) && !hasWords(text.replace(pointers, ''))

/** A heading applies across pages, until the next heading of the same or a higher rank. */
export const locatedBlocks = ({ markup, parts }: ParsedDocument, levels: readonly number[]): LocatedBlock[] => {
  let above: { level: number; text: string }[] = []
  let path: string[] = []
  const marks: string[] = []
  return parts.flatMap(({ text, tables, page }, at) => {
    // Do not normalize a text with tables, because the tables refer to its line numbers.
    const plain = tables ? text : normalise(text)
    const blocks = markup === 'markdown' ? markdownBlocks(plain, at === 0, tables) : textBlocks(plain, marks)
    return blocks
      .filter((block) => markup !== 'markdown' || !isPointers(block))
      .map((block): LocatedBlock => {
        if (block.kind === 'heading' && levels.includes(block.level)) {
          above = [...above.filter(({ level }) => level < block.level), { level: block.level, text: block.text }]
          path = above.map((heading) => heading.text).filter((heading) => heading !== '')
        }
        return { ...(block.kind === 'table' ? splitStackedRows(block) : block), page, path }
      })
  })
}
