import type { ParsedDocument, Passage, PassageTable, Table } from '@plumbline/contracts'
import { scales } from '../locale-words'
import { tokens } from '../text'
import { markdownBlocks, type TableBlock } from './blocks'
import { columnNames } from './markdown-table'

/** This mark replaces omitted text. Without the mark, a part of a table could look like a whole table. */
export const cutMark = '…'

/** This limit is in characters. A longer line above a table is a paragraph. */
const longestCaption = 160

export const normalise = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .normalize('NFC')

/** Replaces the rows of the table. Each new row keeps the merged cells of the old row with the index `from`. */
export const withRows = <T extends Table>(table: T, rows: readonly { cells: string[]; from: number }[]): T => {
  const head = table.header.length
  const spans = table.spans?.flatMap(([row, column, across, down]): NonNullable<Table['spans']> =>
    row < head
      ? [[row, column, across, down]]
      : rows.flatMap(({ from }, at) => (from === row - head ? [[head + at, column, across, 1]] : [])),
  )
  return { ...table, rows: rows.map(({ cells }) => cells), ...(spans && { spans }) }
}

/**
 * Returns for each row the index of the nearest heading row, or null. A heading row has text only in its first cell, or
 * it has one cell that spans all columns.
 */
export const headingRows = ({ header, rows, spans = [] }: Omit<Table, 'line'>): (number | null)[] => {
  const width = rows[0]?.length ?? 0
  const spanned = new Set(spans.flatMap(([row, , across]) => (across >= width ? [row - header.length] : [])))
  let above: number | null = null
  return rows.map(([name = '', ...others], at) => {
    const heads = name !== '' && width > 1 && (spanned.has(at) || others.every((cell) => cell === ''))
    if (heads) above = at
    return above
  })
}

/** A table whose line number in the passage is not known yet. */
export type LooseTable = { markdown: string; table: Omit<PassageTable, 'line'> }

export const looseTable = ({ text, table }: TableBlock): LooseTable[] => (table ? [{ markdown: text, table }] : [])

const standingIn = (text: string, tables: readonly LooseTable[]): PassageTable[] => {
  let from = 0
  return tables.flatMap(({ markdown, table }) => {
    const at = text.indexOf(markdown.trim(), from)
    if (at < 0) return []
    from = at + markdown.length
    return [{ ...table, line: text.slice(0, at).split('\n').length - 1 }]
  })
}

const bracket = /\(([^()]+)\)/
const emphasis = /[*_`]/g

/** Returns true for texts such as `in thousands` and `EUR million`. */
const namesScale = (text: string): boolean =>
  tokens(text).some((word) => word.length > 3 && (scales.has(word) || scales.has(word.replace(/s$/, ''))))

const unitsIn = (text: string): string | undefined => {
  const inner = bracket.exec(text)?.[1]
  return inner !== undefined && namesScale(inner) ? inner : undefined
}

/**
 * Returns the caption above a table and the unit of its numbers. The unit may be in brackets in the caption, in
 * brackets on the line below the caption, or in the upper left cell.
 */
const titlesOver = (lines: readonly string[], table: PassageTable): Pick<PassageTable, 'caption' | 'units'> => {
  const above = lines.slice(0, table.line).filter((line) => line.trim() !== '')
  const plain = (line = ''): string => line.replace(/^#+\s/, '').replace(emphasis, '').trim()
  const [last, before] = above.slice(-2).reverse().map(plain)
  const own = unitsIn(last ?? '')
  const corner = plain(columnNames(table.header)[0])
  const units = own ?? unitsIn(corner) ?? (namesScale(corner) ? corner : undefined)
  const line = own !== undefined && last?.replace(bracket, '') === '' ? (before ?? '') : (last ?? '')
  const isTitle = line !== cutMark && line.length <= longestCaption && !line.includes('|') && !line.endsWith('.')
  return { ...(isTitle && line !== '' && { caption: line }), ...(units !== undefined && { units }) }
}

export const tablesOf = (text: string, tables: readonly LooseTable[]): PassageTable[] => {
  const lines = text.split('\n')
  return standingIn(text, tables).map((table) => ({ ...table, ...titlesOver(lines, table) }))
}

const read = new WeakMap<object, PassageTable[]>()

/** Reads tables from the text, because passages that an older version of Plumbline indexed have no stored tables. */
const readAgain = (passage: Pick<Passage, 'text'>): PassageTable[] => {
  const known = read.get(passage)
  if (known) return known
  const { text } = passage
  const loose = markdownBlocks(text, false).flatMap((block) => (block.kind === 'table' ? looseTable(block) : []))
  const lines = text.split('\n')
  const found = tablesOf(text, loose).map((table): PassageTable => {
    const end = table.line + 2 + table.rows.length
    const cut = { before: lines.slice(0, table.line).includes(cutMark), behind: lines.slice(end).includes(cutMark) }
    return cut.before || cut.behind ? { ...table, cut } : table
  })
  read.set(passage, found)
  return found
}

export const passageTables = (passage: Pick<Passage, 'text' | 'tables'>): readonly PassageTable[] =>
  passage.tables ?? readAgain(passage)

export const tablesWithin = (text: string, passages: readonly Passage[]): Pick<Passage, 'tables'> => {
  const all = passages.flatMap(({ text: own, tables = [] }) => {
    const lines = own.split('\n')
    return tables.map((table): LooseTable => {
      const end = table.line + 2 + table.rows.length
      return { markdown: lines.slice(table.line, end).join('\n'), table }
    })
  })
  return all.length > 0 ? { tables: standingIn(text, all) } : {}
}

/** If a document has more cells, its tables are stored only as Markdown, because separate cells take more memory. */
export const mostCells = 200_000

const cellsAtMost = ({ parts }: ParsedDocument): number =>
  parts.reduce((sum, { text }) => {
    let count = sum
    for (let at = text.indexOf('|'); at >= 0; at = text.indexOf('|', at + 1)) count += 1
    return count
  }, 0)

/** Stores the tables of each part beside its text. `noted` maps a table's Markdown text to its already known cells. */
export const withTables = (
  document: ParsedDocument,
  noted: ReadonlyMap<string, Omit<Table, 'line'>> = new Map(),
): ParsedDocument => {
  if (document.markup !== 'markdown' || cellsAtMost(document) > mostCells) return document
  return {
    ...document,
    parts: document.parts.map((part, at) => {
      if (part.tables) return part
      const text = normalise(part.text)
      const tables = markdownBlocks(text, at === 0).flatMap((block): Table[] =>
        block.kind === 'table' && block.table ? [{ ...block.table, ...noted.get(block.text) }] : [],
      )
      return { ...part, text, tables }
    }),
  }
}
