import type { Passage, Working } from '@plumbline/contracts'
import { withoutNoise } from '../arithmetic'
import { operations, positionsOf, type Question, type Operation, type Role } from './question-words'
import { columnsMentioned, nearest, readingOf, stemsOf } from './readings'
import { figureSaid, joinNames, measureOf, quoteRows, type CellAnswer } from './cell-sentences'
import { figureIn, isEmpty, rowName, uniteTables, type Column, type Table } from './table'

const isOperation = (role: Role | undefined): role is Operation => operations.some((operation) => operation === role)

/**
 * An answer names at most this many rows. If more rows share the highest or lowest value, the question gets no exact
 * answer. A count of more rows is stated without their names.
 */
const mostNamed = 8

const formulaOf = (operation: Operation, names: readonly string[]): string => {
  if (operation === 'sum') return names.join(' + ')
  if (operation === 'average') return `(${names.join(' + ')}) / ${names.length}`
  return `${operation === 'highest' ? 'max' : 'min'}(${names.join(', ')})`
}

const resultOf = (operation: Operation, values: readonly number[]): number => {
  if (operation === 'highest') return Math.max(...values)
  if (operation === 'lowest') return Math.min(...values)
  const sum = values.reduce((total, value) => total + value, 0)
  return withoutNoise(operation === 'sum' ? sum : sum / values.length)
}

/** Returns the numbers of the column. Null if one is missing, units differ, or a row is the total of the others. */
const figuresOf = (operation: Operation, { rows }: Table, column: number): { row: number; value: number }[] | null => {
  const found: { row: number; value: number; unit: string }[] = []
  for (const [row, cells] of rows.entries()) {
    const cell = cells[column] ?? ''
    const figure = figureIn(cell)
    if (figure) found.push({ row, value: figure.value, unit: `${figure.before} ${figure.after}` })
    else if (!isEmpty(cell) || operation === 'sum' || operation === 'average') return null
  }
  const total = found.reduce((sum, { value }) => sum + value, 0)
  const isTotal = found.some(
    ({ value }) => found.length > 2 && value !== 0 && Math.abs(total - 2 * value) < 1e-9 * Math.abs(total),
  )
  return found.length < 2 || isTotal || new Set(found.map(({ unit }) => unit)).size > 1 ? null : found
}

type Worked = { text: string; rows: number[]; working: Working }

const workedOver = (operation: Operation, table: Table, column: Column, named: string): Worked | null => {
  const names = table.rows.map((_, row) => rowName(table, row))
  const figures = figuresOf(operation, table, table.columns.indexOf(column))
  if (!figures || new Set(names).size < names.length) return null
  const inputs = figures.map(({ row, value }) => ({ name: `r${row + 1}`, value, passageId: table.passage.id }))
  const formula = formulaOf(
    operation,
    inputs.map(({ name }) => name),
  )
  const result = resultOf(
    operation,
    figures.map(({ value }) => value),
  )
  const rows = figures.filter(({ value }) => value === result).map(({ row }) => row)
  if (rows.length > mostNamed) return null
  const unit = column.numeric && column.unit !== '' ? { unit: column.unit } : {}
  return {
    text: figureSaid(operation, table, column, rows, result, named),
    rows: operation === 'highest' || operation === 'lowest' ? rows : table.rows.map((_, row) => row),
    working: { what: `${operation} ${measureOf(column, named)}`, formula, inputs, result, ...unit },
  }
}

/** Returns whether a table may continue on the next page. Tables of a spreadsheet are always complete. */
const isPaged = ({ page, file = '' }: Passage): boolean => page !== undefined && !file.toLowerCase().endsWith('.xlsx')

const wholeTables = (tables: readonly Table[]): Table[] =>
  uniteTables(tables).filter(({ passage }) => !isPaged(passage))

/**
 * Answers a question about the sum, the average, or the highest or lowest value of a column. Returns null unless the
 * question names exactly one column and one operation.
 */
export const figureAsked = (asked: Question, tables: readonly Table[]): CellAnswer[] | null => {
  const whole = wholeTables(tables)
  const ways = [...new Set(asked.words.map(({ role }) => role).filter(isOperation))].flatMap((operation) => {
    const rest: Question = { ...asked, words: asked.words.filter(({ role }) => role !== operation) }
    return nearest(whole.flatMap((table) => readingOf(rest, table, tables, true) ?? [])).map((reading) => ({
      operation,
      reading,
    }))
  })
  const [{ operation, reading } = {}, rival] = ways
  const column = reading?.table.columns[reading.columns[0]?.what ?? -1]
  if (!operation || !reading || rival || !column || reading.columns.length > 1) return null
  const worked = workedOver(operation, reading.table, column, reading.measure)
  if (!worked) return null
  const { text, rows, working } = worked
  const passageIds = [reading.table.passage.id]
  return [{ text, value: String(working.result), passageIds, quote: [quoteRows(reading.table, rows)], working }]
}

const countIn = (asked: Question, table: Table): CellAnswer[] => {
  const named = columnsMentioned(asked, table)
  const cells = [...new Set(named.flatMap(({ what }) => table.rows.map((row) => `${what} ${row[what] ?? ''}`)))]
  const having = cells.flatMap((cell) => {
    const [column = '', ...words] = cell.split(' ')
    const at = positionsOf(asked, stemsOf(words.join(' '))).flat()
    return at.length > 0 ? [{ column: Number(column), value: words.join(' '), at }] : []
  })
  const [has, another] = having
  const counted = named.find(({ what }) => what !== has?.column)?.what
  const covered = new Set([...named, ...having].flatMap(({ at }) => at))
  if (!has || another || counted === undefined || named.length !== 2 || covered.size < asked.words.length) return []
  const of = (rows: number[]): string[] => [...new Set(rows.map((row) => table.rows[row]?.[counted] ?? ''))]
  const rows = [...table.rows.keys()].filter((row) => table.rows[row]?.[has.column] === has.value)
  const [all, those] = [of([...table.rows.keys()]), of(rows)]
  const heads = `${table.columns[counted]?.header}`
  const names = those.length > mostNamed ? '' : `: ${joinNames(those)}`
  const text = `${those.length} of the ${all.length} in the column ${heads} have ${has.value} as ${table.columns[has.column]?.header}${names}.`
  return [{ text, value: String(those.length), passageIds: [table.passage.id], quote: [quoteRows(table, rows)] }]
}

export const countAsked = (asked: Question, tables: readonly Table[]): CellAnswer[] | null => {
  const found = asked.counts ? wholeTables(tables).flatMap((table) => countIn(asked, table)) : []
  return found.length === 1 ? found : null
}
