import { tell } from '@plumbline/skills/eval/data'
import { describe, expect, it } from 'vitest'
import { hasData, holds, root, table } from './parsers'

describe(hasData ? 'documents as they are read' : `documents as they are read — SKIPPED: no ${root}`, () => {
  it.skipIf(!hasData)('have their text and their tables, and what cannot be read is refused by name', async () => {
    const rows = await table([], tell)
    expect(rows.filter((row) => !holds(row))).toEqual([])
    // Of a web page, what stands around its article is left out on purpose.
    expect(rows.filter(({ name, words, read }) => read > 0 && words < (name === 'html' ? 0.85 : 0.97))).toEqual([])
  }, 180_000)
})
