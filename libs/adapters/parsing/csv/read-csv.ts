import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import { gridOf, tableBlocks } from '../ooxml'
import type { Reading } from '../reading'
import { decoded } from './decode'
import { dialectOf, openQuoteLine } from './dialect'

const mostCells = 5_000_000

const rowsOf = async (text: string, name: string): Promise<string[][]> => {
  const { parse } = await import('csv-parse/sync')
  const { delimiter, body, skipped } = dialectOf(text)
  try {
    return parse(body, { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, trim: true, record_delimiter: ['\r\n', '\n', '\r'] })
  } catch (cause) {
    const { code, lines } = cause as { code?: string; lines?: number }
    if (code === undefined) throw cause
    const line = skipped + (code === 'CSV_QUOTE_NOT_CLOSED' ? openQuoteLine(body, delimiter) : (lines ?? 1))
    throw new Unfit('unreadable', `${name} has a quotation mark on line ${line} that is never closed, so that its columns cannot be told apart. Close it or double it.`, { cause })
  }
}

export const readCsv = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<ParsedDocument> => {
  const text = decoded(bytes)
  if (text.includes('\0')) throw new Unfit('mislabelled', `${name} is called a table of text, but holds binary data. Export it as CSV again.`)
  const rows = (await rowsOf(text, name)).filter((row) => row.some((cell) => cell !== ''))
  if (rows.length === 0) throw new Unfit('no-text', `${name} is empty.`)
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (width * rows.length > mostCells)
    throw new Unfit('too-large', `${name} has ${rows.length} rows of up to ${width} columns, more than can be read at once. Split it into smaller files.`)
  const cells = rows.flatMap((row, at) => row.map((cell, column) => ({ row: at, column, across: 1, down: 1, text: cell })))
  onPage?.(1, 1)
  return { markup: 'markdown', parts: [{ text: tableBlocks(gridOf(cells, name)) }] }
}
