import { numbers, stem, tokens, words, years } from '../text'
import type { AskedLabel, AskedWord, Part } from './asked'
import { hasKeys } from './key-marks'
import type { ColumnKind, Table } from './table'
import { attributesOf, cellAt, isMissing, labelsOf, metricsOf, signed, yearOfRow } from './table'
import type { Alias } from './terms'
import { termsOf } from './terms'
import type { Vocabulary } from './vocabulary'
import { contextOf, labelTokens } from './vocabulary'
import { changing, modifiers } from './word-lists'

export type Cell = { table: Table; row: number; column: number; text: string; missing: boolean; year: string | null }
type Scored = Cell & Fit & { sure: number }

/** The cells that answer a part, best first; `near` is the row that was meant where the year asked for is not in the table. */
export type Resolution = { part: Part; cells: Cell[]; near: Cell | null }

/** Below this share of its words a measure is another measure. */
const enough = 0.6
const fromAround = 0.6
/** A word that weighs less may go unaccounted for. */
const light = 0.5

type RowKeys = { own: string[]; shared: string[] }
const keysKnown = new WeakMap<Table, RowKeys[]>()

/** A table's row names as they are compared, worked out once for a table. */
const keysOf = (table: Table): RowKeys[] => {
  const known = keysKnown.get(table)
  if (known) return known
  const key = (cell: string): string => labelTokens(cell).join(' ')
  const keys = table.rows.map((_, row) => ({
    own: labelsOf(table, row).map(key),
    shared: attributesOf(table, row).map(key),
  }))
  keysKnown.set(table, keys)
  return keys
}

/** How surely a row is the one asked for: by its name 2, by what it shares with others 1, by what the table is about 0; null if not. */
const rowMatch = (keys: RowKeys | undefined, labels: AskedLabel[], context: ReadonlySet<string>): number | null => {
  const ranks = labels.map((label) => {
    if (label.keys.some((key) => keys?.own.includes(key))) return 2
    if (label.keys.some((key) => keys?.shared.includes(key))) return 1
    return label.keys.length > 0 && label.tokens.every((token) => context.has(token)) ? 0 : null
  })
  return ranks.includes(null) ? null : Math.max(0, ...ranks.map(Number))
}

type Reading = {
  strong: ReadonlySet<string>
  around: ReadonlySet<string>
  beside: ReadonlySet<string>
  own: ReadonlySet<string>
}

/** `bare`: with the words of little weight that are unaccounted for left out of it. */
type Fit = { score: number; bare: number; specific: number }

/** How much of the measure asked for a cell's surroundings account for; -1 when they make it another measure. */
const measure = (metric: AskedWord[], { strong, around, beside, own }: Reading): Fit => {
  const share = ({ stem, critical }: AskedWord): number =>
    strong.has(stem) ? 1 : around.has(stem) || (!critical && beside.has(stem)) ? fromAround : 0
  if (metric.some((word) => word.critical && share(word) === 0)) return { score: -1, bare: -1, specific: 0 }
  const total = metric.reduce((sum, { weight }) => sum + weight, 0)
  const unheld = metric.reduce((sum, word) => sum + (word.weight < light && share(word) === 0 ? word.weight : 0), 0)
  const held = metric.reduce((sum, word) => sum + word.weight * share(word), 0)
  const named = metric.filter(({ stem }) => own.has(stem)).reduce((sum, { weight }) => sum + weight, 0)
  return {
    score: total === 0 ? 1 : held / total,
    bare: total === unheld ? 1 : held / (total - unheld),
    specific: named - 0.01 * own.size,
  }
}

/** The years under which a cell stands: its column's, its row's, or the caption's. */
const yearOf = (table: Table, row: number, column: number): string | null => {
  const own = table.columns[column]?.year ?? yearOfRow(table, row)
  if (own !== null || table.columns.some(({ year, kind }) => year !== null || kind === 'year')) return own
  const told = years(table.context)
  return told.length === 1 ? (told[0] ?? null) : null
}

/** `Largest revenue` ranks by a column or a caption of that very word; `largest moon` ranks by none. */
const isMeasure = ({ rank, sized, metric }: Part, { name, columns }: Table, own: ReadonlySet<string>): boolean => {
  if (rank === null) return true
  // What changed most is told by no cell.
  if (metric.some(({ raw, stem }) => changing.test(raw) && !own.has(stem) && !words(name).includes(stem))) return false
  if (sized === null) return true
  const heads = columns.flatMap(({ kind, header }) => (kind === 'label' ? tokens(header) : []))
  return own.has(stem(sized)) || (tokens(name).includes(sized) && !heads.includes(sized))
}

/** Beside the name of a measure its unit names nothing: `Ammonium (mg/L)` is no nitrate, and what is asked in L/s may be told in m³/s. */
const withUnitsBeside = (metric: AskedWord[], { columns }: Table, aliases: readonly Alias[]): AskedWord[] => {
  const headers = columns.map(({ header }) => header)
  const outside = new Set(headers.flatMap((header) => words(header.replace(/\([^()]*\)/g, ' '))))
  const units = new Set(
    headers.flatMap((header) => Array.from(header.matchAll(/\(([^()]*)\)/g), ([, unit = '']) => words(unit))).flat(),
  )
  const isUnit = ({ stem }: AskedWord): boolean =>
    !outside.has(stem) && !aliases.some(({ short }) => short === stem) && units.has(stem)
  const named = metric.some((word) => word.weight >= 1 && !isUnit(word))
  return named ? metric.map((word) => (isUnit(word) ? { ...word, weight: 0.2, critical: false } : word)) : metric
}

/** How a column fits what is asked, told once for all rows that measure the same. */
const fitsOf = (table: Table, part: Part, { aliases }: Vocabulary): ((row: number, column: number) => Fit | null) => {
  const isValue = (kind: ColumnKind): boolean => kind === 'value' || kind === 'attribute'
  const labels = table.columns.map(({ header, kind }) => (isValue(kind) ? '' : header))
  const termsIn = (text: string): Set<string> => new Set([...termsOf(text, aliases), ...labelTokens(text)])
  const metric = withUnitsBeside(part.metric, table, aliases)
  const surroundings = termsIn([table.context, ...labels].join('\n'))
  const around = termsOf(table.around, aliases)
  const beside = termsOf(contextOf(table), aliases)
  const plainColumns = table.columns.filter(({ kind, year }) => isValue(kind) && year === null).length
  const known = new Map<string, Fit | null>()
  const told = (column: number, metrics: string): Fit | null => {
    const { header = '', kind = 'label' } = table.columns[column] ?? {}
    if (!isValue(kind)) return null
    const own = termsIn(`${header.replace(/\b(?:1[5-9]|20|21)\d\d\b/g, '')}\n${metrics}`)
    const fit = measure(metric, { strong: new Set([...surroundings, ...own]), around, beside, own })
    const chosen = fit.specific > 0 || part.metric.length === 0 || (plainColumns < 2 && kind === 'value')
    return chosen && isMeasure(part, table, own) && fit.bare >= enough ? fit : null
  }
  return (row, column) => {
    const metrics = metricsOf(table, row).join('\n')
    const key = `${column}\n${metrics}`
    if (!known.has(key)) known.set(key, told(column, metrics))
    return known.get(key) ?? null
  }
}

const cellsOf = (table: Table, part: Part, vocabulary: Vocabulary): Scored[] => {
  const context = termsOf(contextOf(table), vocabulary.aliases)
  const fitOf = fitsOf(table, part, vocabulary)
  const keys = keysOf(table)
  return table.rows.flatMap((_, row) => {
    const sure = rowMatch(keys[row], part.label, context)
    if (sure === null || !hasKeys(table, row, part.keys)) return []
    return table.columns.flatMap((_column, column): Scored[] => {
      const fit = fitOf(row, column)
      const text = cellAt(table, row, column)
      return fit
        ? [{ table, row, column, text, missing: isMissing(text), year: yearOf(table, row, column), sure, ...fit }]
        : []
    })
  })
}

/** Without a row's name or number, only a measure that is wholly accounted for may be read off. */
const unnamed = (part: Part): boolean => part.label.length + part.keys.length === 0

/** The rows of a table headed by what is ranked, where there is one, and of no measure that says more than was asked: an average is no rival. */
const rivals = (cells: Scored[], { ranked, metric }: Part): Scored[] => {
  const more = ({ table, row }: Scored): boolean =>
    metricsOf(table, row)
      .flatMap(words)
      .some((word) => modifiers.has(word) && !metric.some(({ stem }) => stem === word))
  const headed = ({ table }: Scored): boolean =>
    table.columns.some(({ kind, header }) => kind === 'label' && ranked.every((word) => words(header).includes(word)))
  const plain = cells.some((cell) => !more(cell)) ? cells.filter((cell) => !more(cell)) : cells
  return ranked.length > 0 && plain.some(headed) ? plain.filter(headed) : plain
}

/** A single row is looked up by its surest name; a ranking needs the rows that share something. */
const best = (cells: Scored[], part: Part): Scored[] => {
  const { label, rank } = part
  const ranked = rank !== null && cells.some(({ sure }) => sure < 2) ? cells.filter(({ sure }) => sure < 2) : cells
  const surest = Math.max(...ranked.map(({ sure }) => sure))
  const pool = label.length === 0 || rank !== null ? ranked : ranked.filter(({ sure }) => sure === surest)
  const top = Math.max(...pool.map(({ score }) => score))
  const close = pool.filter(({ score }) => score > top - 1e-9)
  if (rank !== null) return rivals(close, part)
  const beside = ({ table }: Scored): Scored[] =>
    label.length > 0 ? close : close.filter((other) => other.table === table)
  return close.filter((cell) => beside(cell).every(({ specific }) => specific <= cell.specific + 1e-9))
}

const tablesFor = (part: Part, { tables }: Vocabulary): Table[] => {
  const named =
    part.table === null
      ? []
      : tables.filter(({ context }) =>
          new RegExp(`\\btable\\s+${part.table?.replace('.', '\\.')}(?![\\d.-]*\\d)`, 'i').test(context),
        )
  return named.length > 0 ? named : tables
}

export const find = (part: Part, vocabulary: Vocabulary): Resolution => {
  const bar = unnamed(part) ? (part.rank === null ? 0.99 : 0.75) : enough
  const all = tablesFor(part, vocabulary)
    .flatMap((table) => cellsOf(table, part, vocabulary))
    .filter(({ bare }) => bare >= bar)
  if (all.length === 0 && part.keys.length > 0 && part.label.length > 0)
    return { part, cells: [], near: find({ ...part, keys: [] }, vocabulary).near }
  const inYear = part.year === null ? all : all.filter(({ year }) => year === part.year)
  const [near = null] = all.length > 0 ? best(all, part) : []
  if (inYear.length === 0) return { part, cells: [], near: unnamed(part) ? null : near }
  const chosen = best(inYear, part)
  const told = chosen.filter(({ missing }) => !missing)
  // One cell of a row that is named is the highest of nothing.
  if (part.rank !== null && chosen.length === 1 && chosen[0]?.sure === 2) return { part, cells: [], near }
  return { part, cells: told.length > 0 ? told : chosen, near }
}

/** The number a cell holds. */
export const numberIn = (cell: Cell): number | null =>
  numbers(signed(cell.text)).find(({ raw }) => /\d/.test(raw))?.value ?? null

/** The cells with the highest or lowest number, more than one when they tie. */
export const extremes = (cells: Cell[], rank: 'highest' | 'lowest'): Cell[] => {
  const held = cells.flatMap((cell) => {
    const value = numberIn(cell)
    return value === null ? [] : [{ cell, value }]
  })
  const edge =
    rank === 'highest' ? Math.max(...held.map(({ value }) => value)) : Math.min(...held.map(({ value }) => value))
  return held.filter(({ value }) => value === edge).map(({ cell }) => cell)
}
