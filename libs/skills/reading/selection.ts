import type { Table } from '@plumbline/knowledge/tables'
import { cellAt, isMissing, isNumeric, rowName } from '@plumbline/knowledge/tables'
import { stem, subjectWords, words } from '@plumbline/knowledge/text'

/** The rows of a table that hold one value in one column: `Target` is `Venus`, `Rings` is `yes`. */
export type Selection = { table: Table; noun: string; header: string; value: string; rows: string[] }

/** Verbs between a thing and what is told of it; any other word is a condition that was not understood. */
const plainVerbs = new Set(
  'go went gone show give visit fly flew flown send sent reach explore head travel belong come came call exist count'
    .split(' ')
    .map(stem),
)
const isYes = (cell: string): boolean => /^(?:yes|true|✓|x)$/i.test(cell.trim())
const isNo = (cell: string): boolean => /^(?:no|false|✗)$/i.test(cell.trim())
const denying = /\b(?:no|not|without|lack\w*)\b|n['’]t\b/i

/** `ESA and JAXA` holds `ESA`. */
const holds = (cell: string, value: string): boolean =>
  cell === value || cell.split(/,\s+|\s+and\s+|\s*\/\s*/).includes(value)

const byHeader = (text: string, table: Table, column: number): { value: string; used: string[] } | null => {
  const heads = words(table.columns[column]?.header ?? '')
  const cells = table.rows.map((_, row) => cellAt(table, row, column))
  const flags =
    cells.length > 1 && cells.every((cell) => isYes(cell) || isNo(cell) || isMissing(cell)) && cells.some(isYes)
  if (!flags || heads.length === 0 || !heads.every((word) => words(text).includes(word))) return null
  const wanted = cells.find(denying.test(text) ? isNo : isYes)
  return wanted === undefined ? null : { value: wanted, used: heads }
}

const byValue = (text: string, table: Table, column: number): { value: string; used: string[] } | null => {
  const said = words(text)
  const cells = [...new Set(table.rows.map((_, row) => cellAt(table, row, column)))].filter(
    (cell) => !isMissing(cell) && !isNumeric(cell),
  )
  const held = cells.filter((cell) => words(cell).length > 0 && words(cell).every((word) => said.includes(word)))
  const [value] = held.toSorted((a, b) => b.length - a.length)
  return value === undefined ? null : { value, used: [...words(value), ...words(table.columns[column]?.header ?? '')] }
}

const inTable = (text: string, table: Table): Selection | null => {
  const label = table.columns.find(({ kind }) => kind === 'label')?.header ?? ''
  const heads = words(label)
  if (
    heads.length === 0 ||
    !heads.every((word) => words(text).includes(word)) ||
    denying.test(text.replace(/\b(?:without|no)\b/gi, ''))
  )
    return null
  for (const column of table.columns.keys()) {
    if (table.columns[column]?.header === label || table.columns[column]?.year !== null) continue
    const found = byHeader(text, table, column) ?? (denying.test(text) ? null : byValue(text, table, column))
    const known = new Set([...heads, ...(found?.used ?? [])])
    if (!found || !subjectWords(text).every((word) => known.has(word) || plainVerbs.has(word))) continue
    const rows = table.rows.flatMap((_, row) =>
      holds(cellAt(table, row, column), found.value) ? [rowName(table, row)] : [],
    )
    return {
      table,
      noun: label,
      header: table.columns[column]?.header ?? '',
      value: found.value,
      rows: [...new Set(rows)].filter((name) => name !== ''),
    }
  }
  return null
}

/** Which rows a text picks out by what stands in one of their cells; null where it says more than one cell tells. */
export const selectionIn = (text: string, tables: Table[]): Selection | null => {
  for (const table of tables) {
    const found = inTable(text, table)
    if (found && found.rows.length > 0) return found
  }
  return null
}

/** `Which missions …`, `List the moons …`: rows are asked for. */
export const selectionAsked = (request: string, tables: Table[]): Selection | null =>
  /^(?:which|what|list|name|show|give)\b/i.test(request.trim()) ? selectionIn(request, tables) : null

const many = (noun: string): string => {
  if (/[^aeiou]y$/i.test(noun)) return `${noun.slice(0, -1)}ies`
  return /s$/i.test(noun) ? noun : /(?:x|ch|sh)$/i.test(noun) ? `${noun}es` : `${noun}s`
}
const small = (text: string): string =>
  /^\p{Lu}\p{Ll}+(?:$|[\s(])/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

/** `The missions whose target is Venus are Mariner 2 and Magellan`. */
export const selectionSaid = ({ noun, header, value, rows }: Selection): string => {
  const one = rows.length === 1
  const thing = small(one ? noun : many(noun))
  const told = isYes(value)
    ? `with ${small(header)}`
    : isNo(value)
      ? `without ${small(header)}`
      : /\b(?:by|in|at|from|to|on|for)$/i.test(header)
        ? `${small(header)} ${value}`
        : `whose ${small(header)} is ${value}`
  return `The ${thing} ${told} ${one ? 'is' : 'are'} ${one ? '' : rows.slice(0, -1).join(', ')}${one ? '' : ' and '}${rows.at(-1) ?? ''}`
}
