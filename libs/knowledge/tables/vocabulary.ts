import { spans, stem, stopWords, words } from '../text'
import type { Alias } from './terms'
import { aliasesIn, termsOf } from './terms'
import type { Table, TableSource } from './table'
import { attributesOf, labelsOf, metricsOf } from './table'
import { tablesIn } from './read'

/** A row's name as it may be asked for. `part` is one side of a comma: `Netherlands` for `Eemshaven, Netherlands`. */
type LabelForm = { key: string; tokens: string[]; raw: string; part: boolean }

/** What the evidence talks about: its tables, the names of their rows, the words of their captions and headers. */
export type Vocabulary = {
  tables: Table[]
  aliases: Alias[]
  labels: LabelForm[]
  context: ReadonlySet<string>
  /** The words that head columns. */
  headers: ReadonlySet<string>
  everything: ReadonlySet<string>
}

const ordinal: Record<string, string> = {
  first: '1st',
  second: '2nd',
  third: '3rd',
  fourth: '4th',
  fifth: '5th',
  sixth: '6th',
}

/** A token as labels are compared by. */
export const labelToken = (token: string): string => ordinal[token] ?? stem(token)
/** Small words are left out, but not inside an identifier: `us-central1`. */
export const labelTokens = (text: string): string[] =>
  spans(text).flatMap(({ token, start, end }) => {
    const small = stopWords.has(token) && token.length < 4 && text[start - 1] !== '-' && text[end] !== '-'
    return small ? [] : [labelToken(token)]
  })

/** `Long-term memory (LTM)` is also asked for without its brackets; `Singapore (2nd facility)` is not. */
const formsOf = (cell: string, aliases: readonly Alias[]): LabelForm[] => {
  const key = labelTokens(cell).join(' ')
  const form = (text: string, part: boolean): LabelForm => ({ key, tokens: labelTokens(text), raw: text, part })
  const bracket = /\(([^()]+)\)\s*$/.exec(cell)
  const short =
    bracket?.[1] && aliases.some((alias) => alias.short === stem(bracket[1]?.toLowerCase() ?? ''))
      ? [form(cell.slice(0, bracket.index), false)]
      : []
  const parts = bracket ? [] : cell.split(/,\s+|\s+\/\s+/)
  return [form(cell, false), ...short, ...(parts.length > 1 ? parts.map((text) => form(text, true)) : [])]
}

const labelFormsOf = (tables: Table[], aliases: readonly Alias[]): LabelForm[] => {
  const found = new Map<string, LabelForm>()
  for (const table of tables)
    for (const row of table.rows.keys())
      for (const cell of [...labelsOf(table, row), ...attributesOf(table, row)])
        for (const form of formsOf(cell, aliases))
          if (form.tokens.length > 0) found.set(`${form.key}|${form.tokens.join(' ')}`, form)
  return [...found.values()].sort((a, b) => b.tokens.length - a.tokens.length)
}

/** Every word that says what a table's cells are about, apart from the rows' names. */
export const contextOf = (table: Table): string =>
  [
    table.context,
    ...table.columns.map(({ header }) => header),
    ...table.rows.flatMap((_, row) => metricsOf(table, row)),
  ].join('\n')

export const vocabularyOf = (sources: readonly TableSource[]): Vocabulary => {
  const tables = sources.flatMap(tablesIn)
  const aliases = aliasesIn(sources.flatMap(({ title, headingPath, text }) => [title, ...headingPath, text]))
  const context = new Set<string>()
  for (const table of tables)
    termsOf(`${table.around}\n${contextOf(table)}`, aliases).forEach((word) => context.add(word))
  const everything = new Set(
    sources.flatMap(({ title, headingPath, text }) => words([title, ...headingPath, text].join('\n'))),
  )
  const headers = new Set(tables.flatMap(({ columns }) => columns.flatMap(({ header }) => words(header))))
  return { tables, aliases, labels: labelFormsOf(tables, aliases), context, headers, everything }
}
