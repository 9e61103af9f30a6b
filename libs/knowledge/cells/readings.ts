import { accounted, captionNamed } from './accounted'
import type { Asked } from './asked'
import { isNumber, namesIn, numbersOf, placesOf } from './asked'
import type { Named, Reading, Row } from './reading'
import type { Table } from './table'

/** What a question names, and the positions of its words that this accounts for. */
/** `near`: no word had to be looked for in the title or elsewhere in the document. `own`: each row by what heads it, not only by another name. */
type Found = Reading & { near: boolean; own: boolean }

const isWithin = (some: readonly number[], all: readonly number[]): boolean => some.every((at) => all.includes(at))

export const stemsOf = (text: string): string[] => namesIn(text).map(({ stem }) => stem)

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
        const places = placesOf(asked, stemsOf(cell))
        if (places.length > 0) by.push(column)
        for (const position of places.flat()) at.add(position)
      })
      const measured = by.find((column) => columns[column]?.kind === 'measure')
      const labelled = by.some(
        (column) => columns[column]?.kind === 'label' && (column === 0 || !columns[column].numeric),
      )
      const measure = measured === undefined ? '' : (cells[measured] ?? '')
      return labelled ? [{ what: { row, by, measure }, at: [...at] }] : []
    }),
  )

/** The columns that a question names in full: every word and every number of the header, but for what stands in brackets. */
export const columnsNamed = (asked: Asked, { columns }: Table): Named<number>[] => {
  const found = columns.flatMap(({ header, base, aside, numbers }, column): Named<number>[] => {
    const whole = numbers.length > 0 ? placesOf(asked, stemsOf(header)) : []
    if (whole.length > 0) return [{ what: column, at: [...new Set(whole.flat())] }]
    const others = numbersOf(asked, numbers)
    const asides = aside === '' ? [] : placesOf(asked, stemsOf(aside))
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
  const first = table.columns.findIndex(({ kind }) => kind === 'label')
  return how && { ...reading, ...how, own: rows.every(({ what: { by } }) => by.includes(first)) }
}

const preferred = (found: readonly Found[], by: 'near' | 'own'): readonly Found[] => {
  const better = found.filter((reading) => reading[by])
  return better.length > 0 ? better : found
}

/** The readings that need the least help, a table of the things themselves before one that only mentions them; more than one are rivals. */
export const nearest = (found: readonly Found[]): readonly Found[] => preferred(preferred(found, 'near'), 'own')
