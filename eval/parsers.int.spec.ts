import { describe, expect, it } from 'vitest'
import { hasData, holds, root, table } from './parsers'

/** Each format with the number of its files, and what must be refused. */
const measured = [
  ['pdf', 5],
  ['docx', 7],
  ['pptx', 2],
  ['xlsx', 4],
  ['html', 15],
  ['csv', 3],
  ['md', 5],
  ['ocr_test.pdf', 1],
  ['truncated.pdf', 1],
]

describe(hasData ? 'documents as they are read' : `documents as they are read — SKIPPED: no ${root}`, () => {
  it.skipIf(!hasData)(
    'have their text and their tables, and what cannot be read is refused by name',
    async () => {
      const rows = await table([], () => undefined)
      expect(rows.map(({ name, files }) => [name, files])).toEqual(measured)
      expect(rows.filter((row) => !holds(row))).toEqual([])
      // Of a web page, what stands around its article is left out on purpose.
      expect(rows.slice(0, 7).filter(({ name, words }) => words < (name === 'html' ? 0.85 : 0.97))).toEqual([])
    },
    180_000,
  )
})
