import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import { readCode } from '../code/read-code'
import type { Reading } from '../limits'
import { plainText } from '../text/read-text'
import { blocks, escapedHeading, escapedLine, markdownTable, paragraph } from '../write-markdown'

/** A parsed value. Numbers are kept as strings, so that their notation stays exactly the same. */
type Json = string | boolean | null | Json[] | { [name: string]: Json }
type Flat = Map<string, string>

const mostColumns = 100

const keepNumber = (_: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value

const parse = (text: string): Json => JSON.parse(text, keepNumber) as Json

const isRecord = (value: Json): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isSimple = (value: Json): value is string | boolean | null => typeof value !== 'object' || value === null
const valueText = (value: string | boolean | null): string => (value === null ? '' : String(value))

const flat = (record: { [name: string]: Json }, before = ''): Flat | null => {
  const fields: Flat = new Map()
  for (const [name, value] of Object.entries(record)) {
    const path = `${before}${name}`
    if (isSimple(value)) fields.set(path, valueText(value))
    else if (Array.isArray(value)) {
      if (!value.every(isSimple)) return null
      fields.set(path, value.map(valueText).join(', '))
    } else {
      const inner = flat(value, `${path}.`)
      if (!inner) return null
      for (const [one, text] of inner) fields.set(one, text)
    }
  }
  return fields
}

const table = (records: Json[]): string | null => {
  const rows = records.map((record) => (isRecord(record) ? flat(record) : null))
  const columns = [...new Set(rows.flatMap((row) => [...(row?.keys() ?? [])]))]
  if (columns.length === 0 || columns.length > mostColumns || rows.includes(null)) return null
  return markdownTable([columns, ...rows.map((row) => columns.map((column) => row?.get(column) ?? ''))])
}

const heading = (text: string, level: number): string => `${'#'.repeat(Math.min(level, 6))} ${escapedHeading(text)}`
const item = (text: string): string => `- ${escapedLine(text)}`

const written = (value: Json, path: string, level: number): string => {
  if (isSimple(value)) return paragraph(valueText(value))
  if (Array.isArray(value)) {
    if (value.every(isSimple)) return value.map((one) => item(valueText(one))).join('\n')
    return (
      table(value) ??
      blocks(value.map((one, at) => blocks(heading(`${path} ${at + 1}`.trim(), level), written(one, path, level + 1))))
    )
  }
  const entries = Object.entries(value)
  const simple = entries.flatMap(([name, one]) => (isSimple(one) ? [item(`${name}: ${valueText(one)}`)] : []))
  const nested = entries.flatMap(([name, one]) =>
    isSimple(one) ? [] : [blocks(heading(name, level), written(one, name, level + 1))],
  )
  return blocks(simple.join('\n'), nested)
}

const valueOf = (text: string): Json => {
  try {
    return parse(text)
  } catch (whole) {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    // JSON Lines has one value per line. If the first line is not such a value, throw the error of the whole file.
    if (lines.length < 2 || !/^\s*[{[].*[}\]]\s*$/.test(lines[0] ?? '')) throw whole
    return lines.map(parse)
  }
}

export const readJson = async (bytes: Uint8Array, reading: Reading): Promise<ParsedDocument> => {
  const source = plainText(bytes, reading.name)
  try {
    const text = written(valueOf(source), '', 2)
    if (text === '')
      throw new Unfit('no-text', `${reading.name} contains no values. Upload a file that contains values.`)
    return { markup: 'markdown', parts: [{ text }] }
  } catch (error) {
    if (error instanceof RangeError)
      throw new Unfit(
        'bomb',
        `${reading.name} nests its values thousands of levels deep, so it was not read. Export the data again with less nesting.`,
        {
          cause: error,
        },
      )
    if (!(error instanceof SyntaxError)) throw error
    const { parts, ...read } = await readCode(bytes, reading)
    return {
      ...read,
      parts,
      notes: [`The file is not valid JSON (${error.message}), so it was read line by line as plain text.`],
    }
  }
}
