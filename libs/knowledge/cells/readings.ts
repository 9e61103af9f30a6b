import { groupOf, segmentsOf, type Table } from './table'
import { isNumber, namesIn, numbersOf, positionsOf, type Question, type Word } from './question-words'

/** A row or column that the question names. `at` lists the positions of the words that name `what`. */
export type Mention<T> = { what: T; at: number[] }
type Row = { row: number; by: number[]; measure: string }

export type Reading = {
  table: Table
  rows: Mention<Row>[]
  columns: Mention<number>[]
  /** The measured quantity, which the caption or the row names. It is needed if the column headers are only years. */
  measure: string
}

const stemSet = (...texts: string[]): Set<string> => new Set(texts.flatMap(namesIn).map(({ stem }) => stem))

const headerOf = ({ columns }: Table, at: number): string => columns[at]?.header ?? ''

/** Returns the captions and headings of the same document that contain all words of the measured quantity. */
const alikeIn = (measure: readonly Word[], { passage }: Table, tables: readonly Table[]): string[] =>
  tables
    .filter((other) => other.passage.documentId === passage.documentId)
    .flatMap(({ caption, passage: { headingPath } }) => [caption, ...headingPath])
    .filter((text) => {
      const known = stemSet(text)
      return measure.length > 0 && measure.every(({ stem }) => known.has(stem))
    })

const sameStart = 3

/**
 * Returns true if the word only repeats the end of an abbreviation, as `number` does in `PIN number` if a caption
 * contains `Personal identification number (PIN)`.
 */
const repeats = (word: Word, before: Word | undefined, captions: readonly string[]): boolean =>
  captions.some((caption) => {
    const segments = segmentsOf(caption)
    return segments.some((segment, at) => {
      const last = segments[at - 1]?.words.at(-1)?.raw ?? ''
      const isShort = segment.words.length === 1 && segment.words[0]?.stem === before?.stem
      return isShort && last.length > sameStart && word.raw.startsWith(last.slice(0, sameStart))
    })
  })

/** Returns true if the question has a dash between two numbers and so may ask for all values between these numbers. */
const spansRange = ({ text, words }: Question): boolean =>
  words.some((word, at) => {
    const next = words[at + 1]
    return next && isNumber(word.raw) && isNumber(next.raw) && /^\s?[-–—]\s?$/.test(text.slice(word.end, next.start))
  })

const holdsPercent = ({ table, rows, columns }: Reading): boolean =>
  [
    table.caption,
    ...columns.map(({ what }) => headerOf(table, what)),
    ...rows.flatMap(({ what }) => columns.map((column) => table.rows[what.row]?.[column.what] ?? '')),
  ].some((text) => text.includes('%'))

/**
 * Returns null if a word of the question occurs neither in the table nor in the texts around the table. `near` is true
 * if the table, its caption and its heading contain all words of the question.
 */
const accounted = (asked: Question, reading: Reading, tables: readonly Table[]): { near: boolean } | null => {
  const { table, rows, columns, measure } = reading
  const { caption, passage } = table
  const isPeriod = columns.every(({ what }) => (table.columns[what]?.numbers.length ?? 0) > 1)
  if (!isPeriod && spansRange(asked)) return null
  const heads = columns.map(({ what }) => headerOf(table, what))
  const beside = table.columns.flatMap(({ kind }, at) =>
    kind !== 'value' || rows.some(({ what: { by } }) => by.includes(at)) ? [headerOf(table, at)] : [],
  )
  const headed = stemSet(...heads, ...beside)
  const around = stemSet(caption, passage.headingPath.at(-1) ?? '')
  const about = stemSet(passage.title, passage.file ?? '', ...passage.headingPath)
  const named = namesIn(measure === '' ? (heads[0] ?? '') : measure).filter(({ raw }) => !isNumber(raw))
  const alike = alikeIn(named, table, tables)
  const elsewhere = stemSet(...alike)
  const positions = new Set([...rows, ...columns].flatMap(({ at }) => at))
  const percent = holdsPercent(reading)
  const asks = ({ role }: Word): boolean =>
    role === 'cell' || (role === 'percent' && percent) || (role === 'range' && isPeriod)
  const own = (word: Word): boolean => (headed.has(word.stem) && !isNumber(word.raw)) || around.has(word.stem)
  const left = asked.words.filter((word, at) => !positions.has(at) && !asks(word) && !own(word))
  const known = left.every(
    (word) =>
      about.has(word.stem) ||
      elsewhere.has(word.stem) ||
      repeats(word, asked.words[asked.words.indexOf(word) - 1], alike),
  )
  return known ? { near: left.length === 0 } : null
}

/**
 * Returns the part of the caption that the question names. If the table is under a heading `Moons`, the word `moons` in
 * the question names the caption `Known moons`.
 */
const captionNamed = (asked: Question, { caption, columns, passage }: Table): string => {
  const heads = stemSet(...columns.filter(({ kind }) => kind === 'label').map(({ header }) => header))
  const isNamed = (words: readonly Word[]): boolean =>
    words.some(({ stem }) => !heads.has(stem)) &&
    positionsOf(
      asked,
      words.map(({ stem }) => stem),
    ).length > 0
  const above = passage.headingPath.slice(1).flatMap(segmentsOf)
  const segments = segmentsOf(caption)
  const named =
    segments.find(({ words }) => isNamed(words)) ??
    segments.find(({ words }) => {
      const known = new Set(words.map(({ stem }) => stem))
      return above.some((heading) => heading.words.every(({ stem }) => known.has(stem)) && isNamed(heading.words))
    })
  return named?.text ?? ''
}

/**
 * `near` is true if the table, its caption and its heading contain all words of the question. `own` is true if the
 * question names each row by its first label.
 */
type ScoredReading = Reading & { near: boolean; own: boolean }

const isWithin = (some: readonly number[], all: readonly number[]): boolean => some.every((at) => all.includes(at))

export const stemsOf = (text: string): string[] => namesIn(text).map(({ stem }) => stem)

/** Removes each mention whose words are all part of a longer mention. */
const widest = <T>(named: readonly Mention<T>[]): Mention<T>[] =>
  named.filter(({ at }) => !named.some((other) => other.at.length > at.length && isWithin(at, other.at)))

/** Returns the rows that the question names. A number in a value column does not name its row. */
const rowsNamed = (asked: Question, { columns, rows, headings }: Table): Mention<Row>[] =>
  widest(
    rows.flatMap((cells, row) => {
      if (headings[row] === row) return []
      const by: number[] = []
      const group = groupOf({ rows, headings }, row).flatMap((name) => positionsOf(asked, stemsOf(name)).flat())
      const at = new Set<number>(group)
      cells.forEach((cell, column) => {
        const words = namesIn(cell)
        const isLabel = columns[column]?.kind !== 'value'
        if (!isLabel && words.some(({ raw }) => isNumber(raw))) return
        const places = positionsOf(asked, stemsOf(cell))
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

/**
 * Returns the columns that the question names: by all words and numbers of the header, or by its abbreviation, but not
 * by a unit alone.
 */
export const columnsMentioned = (asked: Question, { columns }: Table): Mention<number>[] => {
  const found = columns.flatMap(({ header, base, unit, short, numbers }, column): Mention<number>[] => {
    const whole = numbers.length > 0 ? positionsOf(asked, stemsOf(header)) : []
    if (whole.length > 0) return [{ what: column, at: [...new Set(whole.flat())] }]
    const others = numbersOf(asked, numbers)
    const units = unit === '' ? [] : positionsOf(asked, stemsOf(unit))
    const shorts = short === '' ? [] : positionsOf(asked, stemsOf(short))
    const places = base.length > 0 ? positionsOf(asked, base) : []
    const named = places.length > 0 || shorts.length > 0 || (base.length === 0 && numbers.length > 0)
    const at = [...places, ...units, ...shorts].flat()
    return others && named ? [{ what: column, at: [...new Set([...at, ...others])] }] : []
  })
  return widest(found)
}

/**
 * Returns how the table answers the question, or null. `whole`: the question is about a whole column and names no row.
 */
export const readingOf = (
  asked: Question,
  table: Table,
  tables: readonly Table[],
  whole = false,
): ScoredReading | null => {
  const rows = whole ? [] : rowsNamed(asked, table)
  const columns = columnsMentioned(asked, table).filter(
    ({ what }) => !rows.some(({ what: { by } }) => by.includes(what)) && table.columns[what]?.kind === 'value',
  )
  if (columns.length === 0 || (rows.length === 0 && !whole)) return null
  const measures = [...new Set(rows.map(({ what }) => what.measure))]
  const measure = measures[0] || captionNamed(asked, table)
  // Each row names a quantity if the header of the first column is empty or only a unit.
  const [names] = table.columns
  const isMeasured = rows.length > 0 && (names?.base.length === 0 || names?.header === table.units)
  const isSaid = columns.every(({ what }) => (table.columns[what]?.base.length ?? 0) > 0)
  const told = isSaid || isMeasured || measure !== ''
  if (!told || measures.length > 1) return null
  const reading = { table, rows, columns, measure }
  const how = accounted(asked, reading, tables)
  const first = table.columns.findIndex(({ kind }) => kind === 'label')
  return how && { ...reading, ...how, own: rows.every(({ what: { by } }) => by.includes(first)) }
}

const preferred = (found: readonly ScoredReading[], by: 'near' | 'own'): readonly ScoredReading[] => {
  const better = found.filter((reading) => reading[by])
  return better.length > 0 ? better : found
}

export const nearest = (found: readonly ScoredReading[]): readonly ScoredReading[] =>
  preferred(preferred(found, 'near'), 'own')
