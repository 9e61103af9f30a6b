import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import { gridOf, tableBlocks } from '../ooxml'
import type { Reading } from '../reading'
import { decoded } from './decode'
import { dialectOf } from './dialect'
import { recordsOf } from './records'

export const readCsv = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<ParsedDocument> => {
  const text = decoded(bytes)
  if (text.includes('\0')) throw new Unfit('mislabelled', `${name} is called a table of text, but holds binary data. Export it as CSV again.`)
  const { delimiter, body, skipped } = dialectOf(text)
  const rows = recordsOf(body, delimiter, name, skipped)
  if (rows.length === 0) throw new Unfit('no-text', `${name} is empty.`)
  const cells = rows.flatMap((row, at) => row.map((cell, column) => ({ row: at, column, across: 1, down: 1, text: cell })))
  onPage?.(1, 1)
  return { markup: 'markdown', parts: [{ text: tableBlocks(gridOf(cells, name)) }] }
}
