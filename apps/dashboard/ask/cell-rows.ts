import type { Quote } from '@plumbline/contracts'

type QuotedTable = { heads: string[]; rows: string[][] }

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const tablesOf = (quotes: readonly Pick<Quote, 'text'>[]): QuotedTable[] =>
  quotes.flatMap(({ text }) => {
    const [heads, , ...rows] = text.split('\n').filter((line) => line.trim().startsWith('|'))
    return heads === undefined ? [] : [{ heads: cellsOf(heads), rows: rows.map(cellsOf) }]
  })

const measureIn = (before: string, head: string): string | undefined => {
  const spoken = [head, head.replace(/\s*\([^)]*\)$/, '')].find((name) => before.endsWith(`, ${name}`))
  return spoken ?? (before.endsWith(` in ${head}`) ? before.slice(before.lastIndexOf(', ') + 2) : undefined)
}

const isPlain = (text: string): boolean => !/[*_`\\[\]<>~]/.test(text)

const rowOf = (sentence: string, tables: readonly QuotedTable[]): string | undefined => {
  const [, statement = '', citations = ''] = /^For (.+?)((?:\s*\[\d{1,3}\])+)\.$/.exec(sentence) ?? []
  if (!isPlain(statement)) return undefined
  for (const { heads, rows } of tables)
    for (const row of rows)
      for (const [at, value] of row.entries()) {
        const end = value === '' ? -1 : statement.lastIndexOf(` is ${value}`)
        const measure = end === -1 ? undefined : measureIn(statement.slice(0, end), heads[at] ?? '')
        if (measure === undefined) continue
        const name = statement.slice(0, end - measure.length - 2)
        if (row.some((cell, place) => place !== at && cell !== '' && name.includes(cell)))
          return `${name} · ${measure}: **${statement.slice(end + 4)}**${citations}`
      }
  return undefined
}

/**
 * Writes sentences about table cells as short lines. For example, `For Mars, Length of day is 24.7 hours [1].` becomes
 * `Mars · Length of day: **24.7 hours** [1]`.
 */
export const cellRows = (text: string, quotes: readonly Pick<Quote, 'text'>[]): string => {
  const tables = tablesOf(quotes)
  return text
    .split(/(?<=\]\.)\s+(?=\S)/)
    .map((sentence) => rowOf(sentence, tables) ?? sentence)
    .join('\n')
}
