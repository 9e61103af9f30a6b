import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import { tableBlocks } from '../ooxml'
import type { Reading } from '../reading'
import { decoded } from '../decode'
import { dialectOf } from './dialect'
import { recordsOf } from './records'

export const readCsv = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<ParsedDocument> => {
  const text = decoded(bytes)
  if (text.includes('\0'))
    throw new Unfit('mislabelled', `${name} is called a table of text, but holds binary data. Export it as CSV again.`)
  const { delimiter, body, skipped } = dialectOf(text)
  const rows = recordsOf(body, delimiter, name, skipped)
  if (rows.length === 0) throw new Unfit('no-text', `${name} is empty.`)
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  for (const row of rows) while (row.length < width) row.push('')
  onPage?.(1, 1)
  return { markup: 'markdown', parts: [{ text: tableBlocks({ rows, merged: [] }) }] }
}
