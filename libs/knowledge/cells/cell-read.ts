import type { Passage } from '@plumbline/contracts'
import { fold, withoutCitations } from '../text'
import { wholeTables, workedOver } from './figures'
import { operations } from './roles'
import { cellSaid } from './said'
import type { Table } from './table'
import { rowName, segmentsOf, tablesIn } from './table'

const known = (sentence: string): string => fold(withoutCitations(sentence)).replaceAll(/\s+/g, ' ').trim()

/** What may be named as the measure of a table whose columns are years. */
const measuresOf = ({ caption, columns, rows }: Table, row: number): string[] => [
  '',
  ...segmentsOf(caption).map(({ text }) => text),
  ...columns.flatMap(({ kind }, at) => (kind === 'measure' ? [rows[row]?.[at] ?? ''] : [])),
]

/** By which cells beside its first label a row may have been named, so that no other row has that name. */
const namings = (table: Table, row: number): number[][] => {
  const others = table.columns.map((_, at) => at).slice(1)
  const names = (by: number[]): string[] => table.rows.map((_each, at) => rowName(table, at, by))
  const pairs = others.flatMap((at) => others.filter((other) => other > at).map((other) => [at, other]))
  return [[], ...others.map((at) => [at]), ...pairs].filter(
    (by) => names(by).filter((name) => name === rowName(table, row, by)).length === 1,
  )
}

const readsCell = (sentence: string, table: Table): boolean =>
  table.rows.some((cells, row) => {
    const first = table.columns.findIndex(({ kind }) => kind === 'label')
    if (!sentence.includes(known(cells[first] ?? ''))) return false
    return namings(table, row).some((by) =>
      table.columns.some(
        ({ kind }, column) =>
          kind === 'value' &&
          measuresOf(table, row).some((measure) => known(cellSaid({ table, row, column, by }, measure)) === sentence),
      ),
    )
  })

const readsFigure = (sentence: string, table: Table): boolean => {
  const operation = operations.find((each) => sentence.includes(each))
  return (
    operation !== undefined &&
    table.columns.some((column) =>
      ['', ...segmentsOf(table.caption).map(({ text }) => text)].some((measure) => {
        const worked = workedOver(operation, table, column, measure)
        return worked !== null && known(worked.text) === sentence
      }),
    )
  )
}

/** Whether a sentence says what a cell of one table says, or what was worked out over one of its columns, and nothing else. */
export const isCellRead = (sentence: string, passages: Passage[]): { passageId: string } | null => {
  const said = known(sentence)
  const tables = passages.flatMap(tablesIn)
  const table =
    tables.find((each) => readsCell(said, each)) ?? wholeTables(tables).find((each) => readsFigure(said, each))
  return table ? { passageId: table.passage.id } : null
}
