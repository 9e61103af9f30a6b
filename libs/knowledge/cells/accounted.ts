import type { Asked, Word } from './asked'
import { isNumber, namesIn, placesOf } from './asked'
import type { Reading } from './reading'
import type { Table } from './table'
import { segmentsOf } from './table'

const stemsOf = (...texts: string[]): Set<string> => new Set(texts.flatMap(namesIn).map(({ stem }) => stem))

const headerOf = ({ columns }: Table, at: number): string => columns[at]?.header ?? ''

/** Headings and captions elsewhere in the document that name the whole measure: what else they say may be said of it here too. */
const alikeIn = (measure: readonly Word[], { passage }: Table, tables: readonly Table[]): string[] =>
  tables
    .filter((other) => other.passage.documentId === passage.documentId)
    .flatMap(({ caption, passage: { headingPath } }) => [caption, ...headingPath])
    .filter((text) => {
      const known = stemsOf(text)
      return measure.length > 0 && measure.every(({ stem }) => known.has(stem))
    })

const sameStart = 3

/** `PIN number`, `PUE efficiency`: what stands behind a short form begins like the last word it is short for, where a caption spells it out. */
const repeats = (word: Word, before: Word | undefined, captions: readonly string[]): boolean =>
  captions.some((caption) => {
    const segments = segmentsOf(caption)
    return segments.some((segment, at) => {
      const last = segments[at - 1]?.words.at(-1)?.raw ?? ''
      const isShort = segment.words.length === 1 && segment.words[0]?.stem === before?.stem
      return isShort && last.length > sameStart && word.raw.startsWith(last.slice(0, sameStart))
    })
  })

/** Between two numbers of the question stands a dash, so that what lies between them may be meant. */
const spansRange = ({ text, words }: Asked): boolean =>
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
 * Whether every word of the question is a row's, a column's or the table's own, or only asks; null if not. `near` is false where the title, the
 * file's name or another caption of the document had to help.
 */
export const accounted = (asked: Asked, reading: Reading, tables: readonly Table[]): { near: boolean } | null => {
  const { table, rows, columns, measure } = reading
  const { caption, passage } = table
  const isPeriod = columns.every(({ what }) => (table.columns[what]?.numbers.length ?? 0) > 1)
  if (!isPeriod && spansRange(asked)) return null
  const heads = columns.map(({ what }) => headerOf(table, what))
  const beside = table.columns.flatMap(({ kind }, at) =>
    kind !== 'value' || rows.some(({ what: { by } }) => by.includes(at)) ? [headerOf(table, at)] : [],
  )
  const headed = stemsOf(...heads, ...beside)
  const around = stemsOf(caption, passage.headingPath.at(-1) ?? '')
  const about = stemsOf(passage.title, passage.file ?? '', ...passage.headingPath)
  const named = namesIn(measure === '' ? (heads[0] ?? '') : measure).filter(({ raw }) => !isNumber(raw))
  const alike = alikeIn(named, table, tables)
  const elsewhere = stemsOf(...alike)
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
 * The part of the caption that the question names in full, whose words are not just those that head the rows' names. A heading above that
 * the caption repeats names it too: below `Moons`, moons are the known moons.
 */
export const captionNamed = (asked: Asked, { caption, columns, passage }: Table): string => {
  const heads = stemsOf(...columns.filter(({ kind }) => kind === 'label').map(({ header }) => header))
  const isNamed = (words: readonly Word[]): boolean =>
    words.some(({ stem }) => !heads.has(stem)) &&
    placesOf(
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
