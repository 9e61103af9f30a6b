import { Unfit } from '@plumbline/ports/document-parser'

const mostCells = 5_000_000
const mostColumns = 16_384

const lineAt = (text: string, end: number): number => {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

/** Fields of a text, one after another; a quote inside a field that did not begin with one is a character like others. */
const fieldsOf = (text: string, delimiter: string, left: (quote: number) => Unfit) => {
  const ends = new Set([delimiter, '\n', '\r'])
  const bare = (from: number): number => {
    let at = from
    while (at < text.length && !ends.has(text.charAt(at))) at += 1
    return at
  }
  return (from: number): { value: string; end: number } => {
    let start = from
    while (text[start] === ' ') start += 1
    if (text[start] !== '"') {
      const end = bare(from)
      return { value: text.slice(from, end).trim(), end }
    }
    let value = ''
    let at = start + 1
    for (;;) {
      const close = text.indexOf('"', at)
      if (close < 0) throw left(start)
      value += text.slice(at, close)
      at = close + 1
      if (text[at] !== '"') break
      value += '"'
      at += 1
    }
    const end = bare(at)
    return { value: (value + text.slice(at, end)).trim(), end }
  }
}

/** The rows of a text that say anything, within bounds that hold while it is read: short rows are padded later to the longest. */
export const recordsOf = (text: string, delimiter: string, name: string, skipped: number): string[][] => {
  const openQuote = (quote: number) =>
    new Unfit(
      'unreadable',
      `${name} has a quotation mark on line ${skipped + lineAt(text, quote)} that is never closed, so that its columns cannot be told apart. Close it or double it.`,
    )
  const tooLarge = (rows: number, columns: number) =>
    new Unfit(
      'too-large',
      `${name} has at least ${rows} rows of up to ${columns} columns, more than can be read at once. Split it into smaller files.`,
    )
  const next = fieldsOf(text, delimiter, openQuote)
  const rows: string[][] = []
  let row: string[] = []
  let width = 0
  let at = 0
  while (at < text.length) {
    const { value, end } = next(at)
    row.push(value)
    if (row.length > mostColumns) throw tooLarge(rows.length + 1, row.length)
    at = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1)
    if (text[end] === delimiter && end < text.length - 1) continue
    if (row.some((cell) => cell !== '')) rows.push(row)
    width = Math.max(width, row.length)
    if (rows.length * width > mostCells) throw tooLarge(rows.length, width)
    row = []
  }
  return rows
}
