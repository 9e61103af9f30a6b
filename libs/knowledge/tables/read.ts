import { rowCells } from '../chunking/row-cells'
import { fold, years } from '../text'
import type { Column, ColumnKind, Table, TableSource } from './table'
import { isMissing, isNumeric } from './table'

const tableLine = /^\s*\|.*\|\s*$/
const delimiter = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/
const metricHeader =
  /^(?:metrics?|measures?|indicators?|kpis?|quantity|quantities|parameters?|statistics?|line items?|variables?)$/

/** A cell without Markdown marks. */
const plain = (cell: string): string =>
  cell
    .trim()
    .replace(/\\([|_*`#~<>[\]()\\-])/g, '$1')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|`)(.*?)\1/g, '$2')
    .replace(/^\*(.+)\*$/, '$1')
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const cellsOf = (line: string): string[] => rowCells(line).map(plain)

type Block = { lines: string[]; before: string; after: string }

const blocksOf = (text: string): Block[] => {
  const found: Block[] = []
  const lines = text.split(/\r?\n/)
  const said = (from: number, by: 1 | -1): string => {
    let at = from
    while (lines[at]?.trim() === '') at += by
    return lines[at]?.trim() ?? ''
  }
  for (let at = 0; at < lines.length; at += 1) {
    const header = lines[at] ?? ''
    if (!tableLine.test(header) || !delimiter.test(lines[at + 1] ?? '')) continue
    let end = at + 2
    while (tableLine.test(lines[end] ?? '')) end += 1
    found.push({ lines: [header, ...lines.slice(at + 2, end)], before: said(at - 1, -1), after: said(end, 1) })
    at = end - 1
  }
  return found
}

const isCaption = (line: string): boolean => /^[*_]*(?:table|tab\.|figure|exhibit)\s/i.test(line)

/** The line above a table is its caption if it says so or is short; a paragraph is not. */
const captionOf = ({ before, after }: Block): string => {
  const above = plain(before.replace(/^#{1,6}\s+/, ''))
  if (isCaption(above) || (above !== '' && above.length <= 160 && !tableLine.test(above) && !/[.!?]$/.test(above)))
    return above
  return isCaption(after) ? plain(after) : ''
}

/** A second header row repeats part of the first. */
const headerAndRows = (lines: string[]): { header: string[]; rows: string[][] } => {
  const [first = [], ...rest] = lines.map(cellsOf)
  const second = rest[0]
  const repeated =
    second !== undefined &&
    rest.length > 1 &&
    second.filter((cell, at) => cell !== '' && cell === first[at]).length >= 2
  if (!repeated || !second) return { header: first, rows: rest }
  return {
    header: first.map((cell, at) => (cell === second[at] ? cell : `${cell} ${second[at] ?? ''}`.trim())),
    rows: rest.slice(1),
  }
}

const shareOf = (cells: string[], is: (cell: string) => boolean): number => {
  const told = cells.filter((cell) => !isMissing(cell))
  return told.length === 0 ? 0 : told.filter(is).length / told.length
}
const isYear = (cell: string): boolean => /^(?:fy\s?)?(?:1[5-9]|20|21)\d\d$/i.test(cell.trim())

const yearHeader = /^(?:(?:fiscal|calendar|financial) )?(?:year|fy|period|season)?$/

const distinct = (cells: string[]): number => {
  const told = cells.filter((cell) => !isMissing(cell))
  return told.length === 0 ? 0 : new Set(told).size / told.length
}
const isShort = (cells: string[], most: number): boolean => cells.every((cell) => cell.split(/\s+/).length <= most)

/**
 * Text columns before the first column of numbers name the row if they tell rows apart, and so do columns left of such a one
 * when the first column alone does not.
 */
const kindsOf = (header: string[], rows: string[][]): ColumnKind[] => {
  const cells = (at: number) => rows.map((row) => row[at] ?? '')
  const numeric = header.map((_, at) => cells(at).every(isMissing) || shareOf(cells(at), isNumeric) > 0.5)
  const firstText = numeric.indexOf(false)
  const stop = numeric.findIndex((is, at) => is && at > firstText)
  const told = firstText > 0 && distinct(cells(0)) === 1
  const lastLabel = firstText < 0 || told ? 0 : stop < 0 ? firstText : stop - 1
  const metric = header.map((name, at) => metricHeader.test(fold(name)) && numeric[at] === false)
  const key = header.map((_, at) => numeric[at] === true && at < firstText && !told && distinct(cells(at)) < 1)
  const named = header.map((_, at) => at <= lastLabel && !metric[at] && !key[at])
  const first = named.indexOf(true)
  const labels = named.map((is, at) => is && (at === first || isShort(cells(at), 6)))
  return header.map((name, at): ColumnKind => {
    if (shareOf(cells(at), isYear) > 0.9 && (at === 0 || yearHeader.test(fold(name)))) return 'year'
    if (metric[at]) return 'metric'
    if (key[at]) return 'key'
    const shared = numeric[at] === false && at > first && distinct(cells(at)) < 0.9 && isShort(cells(at), 4)
    if (shared && first >= 0) return 'attribute'
    return labels[at] ? 'label' : 'value'
  })
}

const tableOf = (source: TableSource, block: Block): Table => {
  const { header, rows } = headerAndRows(block.lines)
  const caption = captionOf(block)
  const kinds = kindsOf(header, rows)
  const columns = header.map((name, at): Column => {
    const kind = kinds[at] ?? 'value'
    return { header: name, kind, year: kind === 'value' ? (years(name)[0] ?? null) : null }
  })
  const nearest = source.headingPath.at(-1) ?? source.title
  const around = [source.title, ...source.headingPath.slice(0, -1)].join('\n')
  return {
    passageId: source.id,
    name: caption || nearest,
    context: [nearest, caption].join('\n'),
    around,
    columns,
    rows,
  }
}

/** The Markdown tables of a passage, each with its caption, headings and what its columns are. */
export const tablesIn = (source: TableSource): Table[] =>
  blocksOf(source.text)
    .map((block) => tableOf(source, block))
    .filter(({ rows, columns }) => rows.length > 0 && columns.length > 1)
