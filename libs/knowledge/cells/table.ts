import type { Passage } from '@plumbline/contracts'
import { lineBreak, withoutLinks } from '../chunking/blocks'
import { columnNames } from '../chunking/markdown-table'
import { headingRows, passageTables } from '../chunking/tables'
import { fold, oneLine, spans } from '../text'
import { isNumber, namesIn, type Word } from './question-words'

export type Column = {
  header: string
  /** The words of the header, without unit and numbers. A question must contain all these words, or `short`. */
  base: string[]
  /**
   * The text in brackets in the header. If this text is an abbreviation, as in `Power usage effectiveness (PUE)`, it is
   * in `short`, and `unit` is empty.
   */
  unit: string
  short: string
  numbers: string[]
  numeric: boolean
  /** A `label` cell names the row. A `measure` cell names the quantity that the row measures. */
  kind: 'label' | 'measure' | 'value'
}

export type Table = {
  passage: Passage
  /** The line above the table, or the nearest heading if there is no such line. */
  caption: string
  /** The unit of all numbers in the table, such as `in thousands`. It is empty if the table states no such unit. */
  units: string
  columns: Column[]
  rows: string[][]
  /** For each row, the index of its group's heading row, or null without a group. A heading row has its own index. */
  headings: (number | null)[]
  lines: { header: string; rows: string[] }
  /**
   * Whether the table has more rows in an earlier passage (`before`) or in a later passage (`behind`). `repeats` is the
   * number of first rows that are also in the earlier passage.
   */
  cut: { before: boolean; behind: boolean; repeats?: number | undefined }
}

const plain = (cell: string): string =>
  oneLine(
    withoutLinks(cell)
      .split(lineBreak)
      .join(' ')
      .replace(/[*`]|\\(?=[|_*`#~<>[\]()\\-])/g, ''),
  )

const absent = /^(?:[-–—−.…?\s]*|n\s?\/\s?a\.?|nan|tb[ad])$/i

/** A cell such as `n/a` counts as empty, but `none` and `not needed` are values. */
export const isEmpty = (cell: string): boolean => absent.test(cell.trim())

const figure = /^([$€£]?)\s?([-−+]?)((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\s?([^\d\s].{0,11})?$/
/** Matches a number in brackets, which is negative in accounting. */
const inBrackets = /^([$€£]?\s?)\(([$€£]?\s?[\d,.]+)\)(?=\s?%?$)/

/** Reads the number in a cell. Returns null unless the cell contains exactly one number. */
export const figureIn = (cell: string): { value: number; before: string; after: string } | null => {
  const plainly = cell.trim().replace(inBrackets, '$1-$2')
  const [whole, before = '', sign = '', digits = '', after = ''] = figure.exec(plainly) ?? []
  if (whole === undefined) return null
  return { value: Number(digits.replaceAll(',', '')) * (sign === '-' || sign === '−' ? -1 : 1), before, after }
}

const bracket = /\(([^()]*)\)/

export const bracketIn = (text: string): string => bracket.exec(text)?.[1] ?? ''

const isShortForm = (text: string, header: string): boolean => {
  const initials = spans(fold(header.replace(bracket, ' '))).map(({ raw }) => raw[0] ?? '')
  const letters = fold(text).replace(/[^\p{L}\p{N}]/gu, '')
  return letters.length > 1 && initials.join('').includes(letters)
}

const columnOf = (header: string, cells: string[], kind: Column['kind']): Column => {
  const words = namesIn(header.replace(bracket, ' '))
  const told = cells.filter((cell) => !isEmpty(cell))
  const inBrackets = bracketIn(header)
  const [unit, short] = isShortForm(inBrackets, header) ? ['', inBrackets] : [inBrackets, '']
  return {
    header,
    base: words.filter(({ raw }) => !isNumber(raw)).map(({ stem }) => stem),
    unit,
    short,
    numbers: words.filter(({ raw }) => isNumber(raw)).map(({ raw }) => raw),
    numeric: told.length > 0 && told.every((cell) => figureIn(cell) !== null),
    kind,
  }
}

/** The columns before the first column of numbers are labels. So is that column if rows differ only by its values. */
const columnsOf = (header: string[], rows: string[][], headings: Table['headings']): Column[] => {
  const columns = header.map((name, at) =>
    columnOf(
      name,
      rows.map((row) => row[at] ?? ''),
      'value',
    ),
  )
  const isFilled = (at: number): boolean => rows.some((row) => !isEmpty(row[at] ?? ''))
  const figures = columns.findIndex(
    ({ numeric, base }, at) => at > 0 && (numeric || base.length === 0 || !isFilled(at)),
  )
  const isKeyed = (width: number): boolean =>
    new Set(rows.map((row, at) => [headings[at], ...row.slice(0, width)].join('\n'))).size === rows.length
  const named = Math.max(1, figures)
  const isKey = columns[named]?.numeric === true && !isKeyed(named) && isKeyed(named + 1)
  const labels = columns.slice(0, isKey ? named + 1 : named)
  return columns.map((column): Column => {
    const measures = namesIn(column.header).some(({ role }) => role === 'measure')
    return labels.includes(column) ? { ...column, kind: measures && labels.length > 1 ? 'measure' : 'label' } : column
  })
}

/**
 * Returns the tables of the passage. Skips a table if it has only one column, if it has no rows, or if a row has more
 * or fewer cells than the header.
 */
export const tablesIn = (passage: Passage): Table[] => {
  const lines = passage.text.split('\n')
  return passageTables(passage).flatMap((table): Table[] => {
    const { line, header, rows: written, caption = '', units = '', cut } = table
    const names = columnNames(header).map(plain)
    const rows = written.map((row) => row.map(plain))
    if (rows.length === 0 || names.length < 2 || rows.some((row) => row.length !== names.length)) return []
    const body = line + 2
    const headings = headingRows(table)
    return [
      {
        passage,
        caption: plain(caption) || (passage.headingPath.at(-1) ?? ''),
        units: plain(units),
        columns: columnsOf(names, rows, headings),
        rows,
        headings,
        lines: { header: lines.slice(line, body).join('\n'), rows: lines.slice(body, body + rows.length) },
        cut: cut ?? { before: false, behind: false },
      },
    ]
  })
}

export const uniteTables = (tables: readonly Table[]): Table[] => {
  const parts = [...tables].sort((a, b) => a.passage.position - b.passage.position)
  return tables
    .filter(({ cut }) => !cut.before)
    .flatMap((first) => {
      let whole: Table = first
      for (let last = first; last.cut.behind;) {
        const next = parts.find(
          ({ passage, lines, cut }) =>
            cut.before &&
            passage.documentId === last.passage.documentId &&
            passage.position === last.passage.position + 1 &&
            lines.header === first.lines.header,
        )
        if (!next) return []
        const { repeats = 0 } = next.cut
        const lines = [...whole.lines.rows, ...next.lines.rows.slice(repeats)]
        whole = {
          ...whole,
          rows: [...whole.rows, ...next.rows.slice(repeats)],
          lines: { ...whole.lines, rows: lines },
        }
        last = next
      }
      const headings = headingRows({ header: [], rows: whole.rows })
      const names = whole.columns.map(({ header }) => header)
      return [
        {
          ...whole,
          headings,
          columns: columnsOf(names, whole.rows, headings),
          cut: { before: false, behind: false },
        },
      ]
    })
}

/** A question may name any part of a caption. `Power usage (PUE): Europe` has three parts. */
export const segmentsOf = (caption: string): { text: string; words: Word[] }[] =>
  caption
    .split(/[():;.,–—|]|\s-\s/)
    .map((text) => ({ text: text.trim(), words: namesIn(text) }))
    .filter(({ words }) => words.some(({ raw }) => !isNumber(raw)))

export const groupOf = ({ rows, headings }: Pick<Table, 'rows' | 'headings'>, row: number): string[] => {
  const heading = headings[row] ?? row
  return heading === row ? [] : [(rows[heading]?.[0] ?? '').replace(/:$/, '')]
}

export const rowName = ({ columns, rows, headings }: Table, row: number, also: readonly number[] = []): string => {
  const cells = rows[row] ?? []
  const labels = columns.flatMap(({ kind }, at) => (kind === 'label' ? [at] : []))
  const first = labels[0] ?? 0
  const said = [first, ...also.filter((at) => at !== first && columns[at]?.kind !== 'measure')]
  const [name = '', ...others] = said.map((at) => cells[at] ?? '')
  const isAlone = rows.every((other, at) => at === row || other[first] !== name)
  const rest = isAlone ? others : [...groupOf({ rows, headings }, row), ...others]
  return rest.length === 0 ? name : `${name} (${rest.join(', ')})`
}
