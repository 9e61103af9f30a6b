import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import { defaultLimits, type Reading } from '../limits'
import { tableBlocks, tableShape } from '../tables/grid-to-markdown'
import { decodedPieces } from '../text-encoding'
import { tableLine } from '@plumbline/knowledge/chunking/markdown-table'
import { blocks, escapedLine } from '../write-markdown'

const delimiters = [',', ';', '\t', '|']
const sampleLines = 200
const sampleCharacters = 200_000

/**
 * Returns the number of fields in each line with several fields. Delimiters inside quotes are ignored, and quotes can
 * open only at the start of a field.
 */
const widths = (text: string, delimiter: string): number[] => {
  const found: number[] = []
  let [fields, quoted, fresh, closed] = [1, false, true, -2]
  for (let at = 0; at < text.length && found.length < sampleLines; at += 1) {
    const character = text[at]
    if (character === '"' && (quoted || fresh || closed === at - 1)) {
      if (quoted) closed = at
      quoted = !quoted
    } else if (quoted) continue
    else if (character === delimiter) fields += 1
    else if (character === '\n') {
      found.push(fields)
      fields = 1
    }
    fresh = character === delimiter || character === '\n' || (fresh && character === ' ')
  }
  if (fields > 1) found.push(fields)
  return found.filter((width) => width > 1)
}

/** Scores how well a delimiter fits. Lines may have fewer fields than the first, because programs omit empty fields. */
const fit = (text: string, delimiter: string): number => {
  const all = widths(text, delimiter)
  const [first = 1] = all
  const counts = new Map([[first, all.filter((width) => width <= first).length]])
  for (const width of all) if (width !== first) counts.set(width, (counts.get(width) ?? 0) + 1)
  const alike = Math.max(...counts.values())
  const width = [...counts].find(([, count]) => count === alike)?.[0] ?? 1
  return (2 * alike - all.length) * Math.log2(width + 1)
}

/** Replaces decimal commas, so that they are not counted as delimiters. */
const withoutDecimals = (text: string): string =>
  text.replace(/^.*[;\t|].*$/gm, (line) => line.replace(/(?<=\d),(?=\d)/g, '.'))

/** A delimiter that is missing from the header line gets half its score. */
const delimiterOf = (sample: string): string => {
  const head = /^.*[,;\t|].*$/m.exec(sample)?.[0] ?? ''
  const scored = delimiters.map((delimiter) => ({
    delimiter,
    score: fit(delimiter === ',' ? withoutDecimals(sample) : sample, delimiter) * (head.includes(delimiter) ? 1 : 0.5),
  }))
  return scored.reduce((a, b) => (b.score > a.score ? b : a)).delimiter
}

/** Returns the delimiter, which some programs state in a first line `sep=;`. `named` is the length of this line. */
const dialectOf = (beginning: string): { delimiter: string; named: number } => {
  const [first, named] = /^sep=(.)\r?\n/i.exec(beginning) ?? []
  if (first !== undefined && named !== undefined) return { delimiter: named, named: first.length }
  const sample = beginning.slice(0, sampleCharacters).replace(/\r\n?/g, '\n')
  return { delimiter: delimiterOf(sample), named: 0 }
}

const mostCells = 5_000_000
const mostColumns = 16_384
/** The maximum number of characters in a row. It stops a quotation that is never closed. */
const mostCharacters = 2_000_000

/** `from` is the number of characters before the first row. */
type Source = { delimiter: string; from: number; name: string }
/** `close` is the position of the closing quote, or a negative number if the field has no quotes. */
type Field = { start: number; close: number; end: number }
type Row = { cells: string[]; end: number }

const linesIn = (text: string): number => {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

const closing = (text: string, from: number): number => {
  let at = text.indexOf('"', from)
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

/** Returns a field, or in `open` the position of an unclosed quote. A quote inside an unquoted field is plain text. */
const fieldAt = (text: string, from: number, delimiter: string): Field | { open: number } => {
  const bare = (at: number): number => {
    let end = at
    while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1
    return end
  }
  let start = from
  while (text[start] === ' ') start += 1
  if (text[start] !== '"') return { start, close: -1, end: bare(start) }
  const close = closing(text, start + 1)
  return close < 0 ? { open: start } : { start, close, end: bare(close + 1) }
}

const valueOf = (text: string, { start, close, end }: Field): string => {
  const quoted = close < 0 ? '' : text.slice(start + 1, close).replaceAll('""', '"')
  return (quoted + text.slice(close < 0 ? start : close + 1, end)).trim()
}

const rowAt = (text: string, from: number, delimiter: string, last: boolean): Row | { open: number } | undefined => {
  const cells: string[] = []
  for (let at = from; ;) {
    const field = fieldAt(text, at, delimiter)
    if ('open' in field) return last || text.length - from > mostCharacters ? field : undefined
    const { end } = field
    // Wait for more text, because this chunk may end between `\r` and `\n`.
    if (end >= text.length - 1 && !last) return undefined
    cells.push(valueOf(text, field))
    at = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1)
    if (text[end] !== delimiter || end >= text.length - 1) return { cells, end: at }
    if (cells.length >= mostColumns) return { cells: [...cells, ''], end: at }
  }
}

function* recordsOf(pieces: Iterable<string>, { delimiter, from, name }: Source): Generator<string[]> {
  const tooLarge = (rows: number, columns: number) =>
    new Unfit(
      'too-large',
      `${name} has at least ${rows} rows of up to ${columns} columns, more than can be read at once. Split the file into smaller files.`,
    )
  let [rest, start, lines, rows, width] = ['', from, 0, 0, 0]
  for (const { piece, last } of lastKnown(pieces)) {
    const text = rest + piece
    let at = start
    start = 0
    while (at < text.length) {
      const row = rowAt(text, at, delimiter, last)
      if (!row) break
      if ('open' in row)
        throw new Unfit(
          'unreadable',
          `${name} has a quotation mark on line ${lines + linesIn(text.slice(0, row.open)) + 1} that is never closed, so the columns cannot be separated. Close or double the quotation mark.`,
        )
      at = row.end
      width = Math.max(width, row.cells.length)
      if (row.cells.some((cell) => cell !== '')) {
        rows += 1
        yield row.cells
      }
      if (width > mostColumns || rows * width > mostCells) throw tooLarge(rows, width)
    }
    lines += linesIn(text.slice(0, at))
    rest = text.slice(at)
    if (rest.length > mostCharacters) throw tooLarge(rows + 1, width)
  }
}

function* lastKnown(pieces: Iterable<string>): Generator<{ piece: string; last: boolean }> {
  let before: string | undefined
  for (const piece of pieces) {
    if (before !== undefined) yield { piece: before, last: false }
    before = piece
  }
  if (before !== undefined) yield { piece: before, last: true }
}

/** Only the first `headRows` rows can contain titles and a header. Only the last `tailRows` rows can contain notes. */
const headRows = 5_000
const tailRows = 50

const padded = (rows: readonly string[][], width: number): string[][] =>
  rows.map((row) => (row.length < width ? [...row, ...Array<string>(width - row.length).fill('')] : row))

const longTable = (head: string[][], others: Iterable<string[]>, name: string): string => {
  const lines = head.map(tableLine)
  const widths = head.map((row) => row.length)
  const tail: string[][] = []
  let chars = lines.reduce((sum, line) => sum + line.length, 0)
  for (const row of others) {
    const line = tableLine(row)
    lines.push(line)
    widths.push(row.length)
    tail.push(row)
    if (tail.length > tailRows) tail.shift()
    chars += line.length
    if (chars > defaultLimits.textChars)
      throw new Unfit(
        'too-large',
        `${name} has more than ${defaultLimits.textChars} characters of text, which is the limit. Split the file into smaller files.`,
      )
  }
  const width = widths.reduce((most, one) => Math.max(most, one), 0)
  const { titles, header, names } = tableShape({ rows: padded(head, width), merged: [] })
  const { notes } = tableShape({ rows: padded([head[titles] ?? [], ...tail], width), merged: [] })
  const body = lines
    .slice(titles + header, lines.length - notes)
    .map((line, at) => line + '  |'.repeat(width - (widths[at + titles + header] ?? width)))
  const rule = tableLine(names.map(() => '---'))
  return blocks(
    head.slice(0, titles).map(([first = '']) => escapedLine(first)),
    [tableLine(names), rule, ...body].join('\n'),
    tail.slice(tail.length - notes).map(([first = '']) => escapedLine(first)),
  )
}

function* textPieces(bytes: Uint8Array, name: string): Generator<string> {
  for (const piece of decodedPieces(bytes)) {
    if (piece.includes('\0'))
      throw new Unfit(
        'mislabelled',
        `${name} is named like a text table, but contains binary data. Export the table as CSV again.`,
      )
    yield piece
  }
}

export const readCsv = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<ParsedDocument> => {
  const [beginning = ''] = textPieces(bytes, name)
  const { delimiter, named } = dialectOf(beginning)
  const records = recordsOf(textPieces(bytes, name), { delimiter, from: named, name })
  const rows = [...records.take(headRows)]
  if (rows.length === 0) throw new Unfit('no-text', `${name} is empty. Upload a file with content.`)
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const text =
    rows.length < headRows
      ? tableBlocks({ rows: padded(rows, width), merged: [] })
      : longTable(rows, recordsOf(textPieces(bytes, name), { delimiter, from: named, name }).drop(headRows), name)
  onPage?.(1, 1)
  return { markup: 'markdown', parts: [{ text }] }
}
