import { accounted, captionNamed } from './accounted'
import type { Asked } from './asked'
import { isNumber, namesIn, numbersOf, placesOf } from './asked'
import type { Table } from './table'

/** What a question names, and the positions of its words that this accounts for. */
type Named<T> = { what: T; at: number[] }
type Row = { row: number; by: number[]; measure: string }

/** One way to understand a question by the words of one table. */
export type Reading = {
  table: Table
  rows: Named<Row>[]
  columns: Named<number>[]
  /** What the caption or the row says is measured, where the column does not. */
  measure: string
}

/** `near`: no word had to be looked for in the title or elsewhere in the document. */
type Found = Reading & { near: boolean }

const isWithin = (some: readonly number[], all: readonly number[]): boolean => some.every((at) => all.includes(at))

/** Drops what another one names with the same words and more. */
const widest = <T>(named: readonly Named<T>[]): Named<T>[] =>
  named.filter(({ at }) => !named.some((other) => other.at.length > at.length && isWithin(at, other.at)))

/** The rows that a question names. A figure names one only in a column of names; a row that is told by nothing but other cells is not named. */
const rowsNamed = (asked: Asked, { columns, rows }: Table): Named<Row>[] =>
  widest(
    rows.flatMap((cells, row) => {
      const by: number[] = []
      const at = new Set<number>()
      cells.forEach((cell, column) => {
        const words = namesIn(cell)
        const isLabel = columns[column]?.kind !== 'value'
        if (!isLabel && words.some(({ raw }) => isNumber(raw))) return
        const places = placesOf(
          asked,
          words.map(({ stem }) => stem),
        )
        if (places.length > 0) by.push(column)
        for (const position of places.flat()) at.add(position)
      })
      const measured = by.find((column) => columns[column]?.kind === 'measure')
      const labelled = by.some((column) => columns[column]?.kind === 'label')
      const measure = measured === undefined ? '' : (cells[measured] ?? '')
      return labelled ? [{ what: { row, by, measure }, at: [...at] }] : []
    }),
  )

/** The columns that a question names in full: every word and every number of the header, but for what stands in brackets. */
const columnsNamed = (asked: Asked, { columns }: Table): Named<number>[] => {
  const found = columns.flatMap(({ base, aside, numbers }, column): Named<number>[] => {
    const others = numbersOf(asked, numbers)
    const asides =
      aside === ''
        ? []
        : placesOf(
            asked,
            namesIn(aside).map(({ stem }) => stem),
          )
    const places = base.length > 0 ? placesOf(asked, base) : []
    const named = places.length > 0 || asides.length > 0 || (base.length === 0 && numbers.length > 0)
    return others && named ? [{ what: column, at: [...new Set([...places.flat(), ...asides.flat(), ...others])] }] : []
  })
  return widest(found)
}

/** How a question can be read as naming cells of one table, whose measure must be named too. `whole`: a column of it, without a row. */
export const readingOf = (asked: Asked, table: Table, tables: readonly Table[], whole = false): Found | null => {
  const rows = whole ? [] : rowsNamed(asked, table)
  const columns = columnsNamed(asked, table).filter(
    ({ what }) => !rows.some(({ what: { by } }) => by.includes(what)) && table.columns[what]?.kind === 'value',
  )
  if (columns.length === 0 || (rows.length === 0 && !whole)) return null
  const measures = [...new Set(rows.map(({ what }) => what.measure))]
  const measure = measures[0] || captionNamed(asked, table)
  const told = columns.every(({ what }) => (table.columns[what]?.base.length ?? 0) > 0) || measure !== ''
  if (!told || measures.length > 1) return null
  const reading = { table, rows, columns, measure }
  const how = accounted(asked, reading, tables)
  return how && { ...reading, ...how }
}

/** The readings that need the least help; more than one are rivals. */
export const nearest = (found: readonly Found[]): Found[] => {
  const near = found.filter((reading) => reading.near)
  return near.length > 0 ? near : [...found]
}
