import { numbers, years } from '../text'
import type { AskedLabel, AskedWord, Part } from './asked'
import type { Table } from './table'
import { attributesOf, cellAt, isMissing, labelsOf, metricsOf, yearOfRow } from './table'
import { termsOf } from './terms'
import type { Vocabulary } from './vocabulary'
import { contextOf, labelTokens } from './vocabulary'

export type Cell = { table: Table; row: number; column: number; text: string; missing: boolean; year: string | null }
type Scored = Cell & { score: number; sure: number; specific: number }

/** The cells that answer a part, best first; `near` is the row that was meant where the year asked for is not in the table. */
export type Resolution = { part: Part; cells: Cell[]; near: Cell | null }

/** Below this share of its words a measure is another measure. */
const enough = 0.6
const fromAround = 0.6

/** How surely a row is the one asked for: by its name 2, by what it shares with others 1, by what the table is about 0; null if not. */
const rowMatch = (table: Table, row: number, labels: AskedLabel[], context: ReadonlySet<string>): number | null => {
  const keysOf = (cells: string[]): string[] => cells.map((cell) => labelTokens(cell).join(' '))
  const own = keysOf(labelsOf(table, row))
  const shared = keysOf(attributesOf(table, row))
  const ranks = labels.map(({ keys, tokens }) => {
    if (keys.some((key) => own.includes(key))) return 2
    if (keys.some((key) => shared.includes(key))) return 1
    return keys.length > 0 && tokens.every((token) => context.has(token)) ? 0 : null
  })
  return ranks.includes(null) ? null : Math.max(0, ...ranks.map(Number))
}

type Reading = { strong: ReadonlySet<string>; around: ReadonlySet<string>; beside: ReadonlySet<string>; own: ReadonlySet<string> }

/** How much of the measure asked for a cell's surroundings account for; -1 when they make it another measure. */
const measure = (metric: AskedWord[], { strong, around, beside, own }: Reading): { score: number; specific: number } => {
  const share = ({ stem, critical }: AskedWord): number =>
    strong.has(stem) ? 1 : around.has(stem) || (!critical && beside.has(stem)) ? fromAround : 0
  if (metric.some((word) => word.critical && share(word) === 0)) return { score: -1, specific: 0 }
  const total = metric.reduce((sum, { weight }) => sum + weight, 0)
  const held = metric.reduce((sum, word) => sum + word.weight * share(word), 0)
  const named = metric.filter(({ stem }) => own.has(stem)).reduce((sum, { weight }) => sum + weight, 0)
  return { score: total === 0 ? 1 : held / total, specific: named - 0.01 * own.size }
}

/** The years under which a cell stands: its column's, its row's, or the caption's. */
const yearOf = (table: Table, row: number, column: number): string | null => {
  const own = table.columns[column]?.year ?? yearOfRow(table, row)
  if (own !== null || table.columns.some(({ year, kind }) => year !== null || kind === 'year')) return own
  const told = years(table.context)
  return told.length === 1 ? (told[0] ?? null) : null
}

const cellsOf = (table: Table, part: Part, vocabulary: Vocabulary): Scored[] => {
  const context = termsOf(contextOf(table), vocabulary.aliases)
  const surroundings = termsOf(
    [table.context, ...table.columns.map(({ header, kind }) => (kind === 'value' || kind === 'attribute' ? '' : header))].join(
      '\n',
    ),
    vocabulary.aliases,
  )
  const around = termsOf(table.around, vocabulary.aliases)
  const plainColumns = table.columns.filter(
    ({ kind, year }) => (kind === 'value' || kind === 'attribute') && year === null,
  ).length
  return table.rows.flatMap((_, row) => {
    const sure = rowMatch(table, row, part.label, context)
    if (sure === null) return []
    return table.columns.flatMap(({ kind, header }, column): Scored[] => {
      if (kind !== 'value' && kind !== 'attribute') return []
      const own = termsOf(
        [header.replace(/\b(?:1[5-9]|20|21)\d\d\b/g, ''), ...metricsOf(table, row)].join('\n'),
        vocabulary.aliases,
      )
      const { score, specific } = measure(part.metric, {
        strong: new Set([...surroundings, ...own]),
        around,
        beside: context,
        own,
      })
      const text = cellAt(table, row, column)
      const chosen =
        specific > 0 ||
        (!(part.rank !== null && part.bySize) && (part.metric.length === 0 || (plainColumns < 2 && kind === 'value')))
      return chosen && score >= enough
        ? [{ table, row, column, text, missing: isMissing(text), year: yearOf(table, row, column), score, sure, specific }]
        : []
    })
  })
}

/** Without a row's name, only a measure that is wholly accounted for may be read off. */
const unnamed = (part: Part): boolean => part.label.length === 0

/** A single row is looked up by its surest name; a ranking needs the rows that share something. */
const best = (cells: Scored[], { label, rank }: Part): Scored[] => {
  const ranked = rank !== null && cells.some(({ sure }) => sure < 2) ? cells.filter(({ sure }) => sure < 2) : cells
  const surest = Math.max(...ranked.map(({ sure }) => sure))
  const pool = label.length === 0 || rank !== null ? ranked : ranked.filter(({ sure }) => sure === surest)
  const top = Math.max(...pool.map(({ score }) => score))
  const close = pool.filter(({ score }) => score > top - 1e-9)
  if (rank !== null) return close
  const rivals = ({ table }: Scored): Scored[] => (label.length > 0 ? close : close.filter((other) => other.table === table))
  return close.filter((cell) => rivals(cell).every(({ specific }) => specific <= cell.specific + 1e-9))
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
    .filter(({ score }) => score >= bar)
  const inYear = part.year === null ? all : all.filter(({ year }) => year === part.year)
  const [near = null] = all.length > 0 ? best(all, part) : []
  if (inYear.length === 0) return { part, cells: [], near: unnamed(part) ? null : near }
  const chosen = best(inYear, part)
  const told = chosen.filter(({ missing }) => !missing)
  return { part, cells: told.length > 0 ? told : chosen, near }
}

/** The number a cell holds. */
export const numberIn = (cell: Cell): number | null => numbers(cell.text).find(({ raw }) => /\d/.test(raw))?.value ?? null

/** The cells with the highest or lowest number, more than one when they tie. */
export const extremes = (cells: Cell[], rank: 'highest' | 'lowest'): Cell[] => {
  const held = cells.flatMap((cell) => {
    const value = numberIn(cell)
    return value === null ? [] : [{ cell, value }]
  })
  const edge = rank === 'highest' ? Math.max(...held.map(({ value }) => value)) : Math.min(...held.map(({ value }) => value))
  return held.filter(({ value }) => value === edge).map(({ cell }) => cell)
}
