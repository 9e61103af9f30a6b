import { AsyncLocalStorage } from 'node:async_hooks'
import type { ParsedDocument, Table } from '@plumbline/contracts'
import { columnNames, tableLine } from '@plumbline/knowledge/chunking/markdown-table'
import { mostCells, withTables } from '@plumbline/knowledge/chunking/tables'

/** Matches the beginning of a line that Markdown would read as a heading, underline, quote, fence, rule or table. */
const mark = /^(?=#{1,6}(?:\s|$)|>|```|~~~|\||<\/?table|(?:-{2,}|=+|\*{3,}|_{3,})\s*$)/i

export const escapedLine = (text: string): string => text.replace(/\s+/g, ' ').trim().replace(mark, '\\')

export const escapedHeading = (text: string): string =>
  text.replace(/__|\*\*|`/g, (signs) => signs.replace(/./g, '\\$&'))

export const paragraph = (text: string): string =>
  text
    .split('\n')
    .map(escapedLine)
    .filter((line) => line !== '')
    .join('\n')

export const paragraphs = (text: string): string => blocks(text.split(/\n[^\S\n]*\n/).map(paragraph))

export const markdownLink = (text: string, target: string | undefined): string => {
  const url =
    target !== undefined && /^(?:https?:|mailto:)/i.test(target)
      ? target.replace(/[\s()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
      : undefined
  const trimmed = text.trim()
  if (
    url === undefined ||
    trimmed === '' ||
    trimmed.startsWith('[') ||
    url.replace(/^mailto:/i, '').startsWith(trimmed)
  )
    return text
  return text.replace(trimmed, () => `[${trimmed}](${url})`)
}

/** Joins texts with blank lines. Pass a long list as an array, because spreading it would overflow the stack. */
export const blocks = (...parts: (string | undefined | readonly string[])[]): string =>
  parts
    .flat()
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n')

type NotedTables = Map<string, Omit<Table, 'line'>>
const noting = new AsyncLocalStorage<NotedTables>()

export const notingTables = async (read: () => Promise<ParsedDocument>): Promise<ParsedDocument> => {
  const noted: NotedTables = new Map()
  return withTables(await noting.run(noted, read), noted)
}

/** Markdown allows only one header row, so the first `headerRows` rows are merged into it. */
export const markdownTable = (
  given: readonly string[][],
  headerRows = 1,
  spans: readonly [row: number, column: number, across: number, down: number][] = [],
): string => {
  const width = given.reduce((most, row) => Math.max(most, row.length), 0)
  const blank = Array.from({ length: width }, () => '')
  const all = [...(headerRows === 0 ? [blank] : []), ...given].map((row) => blank.map((_, column) => row[column] ?? ''))
  const head = Math.max(1, headerRows)
  const [header, rows] = [all.slice(0, head), all.slice(head)]
  const text = [columnNames(header, width), blank.map(() => '---'), ...rows].map(tableLine).join('\n')
  if (all.length * width <= mostCells)
    noting.getStore()?.set(text.normalize('NFC'), { header, rows, ...(spans.length > 0 && { spans: [...spans] }) })
  return text
}

export const fencedCode = (code: string, language: string): string => {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  const lines = code.split('\n')
  const from = lines.findIndex((line) => line.trim() !== '')
  const to = lines.findLastIndex((line) => line.trim() !== '')
  return `${fence}${language}\n${lines.slice(Math.max(0, from), to + 1).join('\n')}\n${fence}`
}
