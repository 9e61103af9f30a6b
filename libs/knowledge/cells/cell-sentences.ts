import type { QuotedPlace, Working } from '@plumbline/contracts'
import { figure } from '../arithmetic'
import type { Operation } from './question-words'
import { bracketIn, figureIn, isEmpty, rowName, type Column, type Table } from './table'

export type QuotedRows = Pick<QuotedPlace, 'passageId' | 'text' | 'rows'>

export type CellAnswer = {
  /** The text without citation marks. */
  text: string
  /** The value of the cell as written, or the computed value. It is null if the cell is empty. */
  value: string | null
  passageIds: string[]
  quote: QuotedRows[]
  working?: Working
}

export const quoteRows = (table: Table, rows: readonly number[]): QuotedRows => {
  const { passage, lines, headings, cut } = table
  const all = [...new Set(rows.flatMap((row) => [headings[row] ?? row, row]))].sort((a, b) => a - b)
  const [shown, of, more] = [all.length, lines.rows.length, cut.before || cut.behind]
  return {
    passageId: passage.id,
    text: [lines.header, ...all.map((row) => lines.rows[row] ?? '')].join('\n'),
    ...((shown < of || more) && { rows: { shown, of, ...(more && { more }) } }),
  }
}

/** `by` lists the columns whose values in this row occur in the question. */
type Cell = { table: Table; row: number; column: number; by: number[] }

export const valueOf = ({ table, row, column }: Cell): string => table.rows[row]?.[column] ?? ''

const isUnit = ({ numeric, unit }: Column): boolean => numeric && unit !== ''

/** Removes the unit from the header, because the sentence puts the unit after the value. */
const spokenHeader = (column: Column): string =>
  isUnit(column) ? column.header.replace(`(${column.unit})`, '').replaceAll('  ', ' ').trim() : column.header

/** Adds the unit to the value. A column without a unit gets the unit of the table, such as `in thousand euros`. */
const withUnit = (value: string, column: Column, { units, caption }: Table): string => {
  const said = units || (column.base.length > 0 ? bracketIn(caption) : '')
  if (column.numeric && column.unit === '' && said !== '') return `${value} (${said})`
  if (!isUnit(column) || value.endsWith(column.unit)) return value
  return column.unit === '%' ? `${value}%` : `${value} ${column.unit}`
}

/** Returns the header without its unit. For a header that is only a year, returns for example `Revenue in 2023`. */
export const measureOf = (column: Column, named: string): string =>
  column.base.length > 0 || named === '' ? spokenHeader(column) : `${named} in ${column.header}`

const stopped = (sentence: string): string => (sentence.endsWith('.') ? sentence : `${sentence}.`)

export const cellSaid = (cell: Cell, named: string): string => {
  const { table, row, column, by } = cell
  const heads = table.columns[column]
  if (!heads) return ''
  const name = rowName(table, row, by)
  if (isEmpty(valueOf(cell))) return `The table lists ${name} without a value for ${spokenHeader(heads)}.`
  return stopped(`For ${name}, ${measureOf(heads, named)} is ${withUnit(valueOf(cell), heads, table)}`)
}

export const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

export const figureSaid = (
  operation: Operation,
  table: Table,
  column: Column,
  rows: readonly number[],
  result: number,
  named: string,
): string => {
  const measure = measureOf(column, named)
  if (operation === 'sum' || operation === 'average') {
    const { before = '', after = '' } = figureIn(table.rows[0]?.[table.columns.indexOf(column)] ?? '') ?? {}
    const value = withUnit(`${before}${figure(result)}${after}`, column, table)
    return stopped(`The ${operation} of ${measure} over the ${table.rows.length} rows of the table is ${value}`)
  }
  const value = withUnit(table.rows[rows[0] ?? 0]?.[table.columns.indexOf(column)] ?? '', column, table)
  const names = rows.map((row) => rowName(table, row))
  return stopped(`${joinNames(names)} ${names.length > 1 ? 'have' : 'has'} the ${operation} ${measure}: ${value}`)
}
