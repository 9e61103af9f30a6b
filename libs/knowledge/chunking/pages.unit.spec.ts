import { describe, expect, it } from 'vitest'
import type { Chunking, ParsedDocument } from '@plumbline/contracts'
import { markdownBlocks } from './blocks'
import { splitStackedRows } from './located-blocks'
import { chunk } from './chunk'

const table = (...rows: string[]): string => ['| n | kind | a |', '| --- | --- | --- |', ...rows].join('\n')

const alone = (text: string): string =>
  markdownBlocks(text)
    .map((block) => (block.kind === 'table' ? splitStackedRows(block).text : ''))
    .join()

describe('rows that a document drew as one', () => {
  it('are separated, and a single value applies to each', () => {
    expect(alone(table('| 6 | one<br>two | 0.1<br/>0.2 |', '| 7 | three | 0.3 |'))).toBe(
      table('| 6 | one | 0.1 |', '| 6 | two | 0.2 |', '| 7 | three | 0.3 |'),
    )
  })

  it('do not include rows with a wrapped cell or with unequal numbers of lines', () => {
    for (const row of ['| 6 | a note<br>over lines | 0.1 |', '| 6 | one<br>two<br>three | 0.1<br>0.2 |'])
      expect(alone(table(row))).toBe(table(row))
  })

  it('do not change the header', () => {
    const headed = '| n | a<br>b | c<br>d |\n| --- | --- | --- |\n| 1 | 2 | 3 |'
    expect(alone(headed)).toBe(headed)
  })
})

const source = { id: 'd', collection: 'c', title: 'Title' }
const pages = (...texts: string[]): ParsedDocument => ({
  markup: 'markdown',
  parts: texts.map((text, at) => ({ page: at + 1, text })),
})
const places = (parsed: ParsedDocument, chunking?: Chunking) =>
  chunk(source, parsed, chunking).map(({ page, headingPath, text }) => [page, headingPath.join('/'), text])

describe('chunk: pages', () => {
  it('continues headings across pages and returns the page where a passage begins', () => {
    expect(places(pages('# A\n\none', 'two', '## B\n\nthree'))).toEqual([
      [1, 'A', 'one\n\ntwo'],
      [3, 'A/B', 'three'],
    ])
    const long = 'x'.repeat(700)
    expect(places(pages(`# A\n\n${long}`, long, long)).map(([page, path]) => [page, path])).toEqual([
      [1, 'A'],
      [2, 'A'],
      [3, 'A'],
    ])
  })

  it('returns the page of a table, or of its caption', () => {
    const table = `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(200)}`.trim()
    expect(places(pages('# A\n\nText.\n\nTable 1. Figures', table)).map(([page]) => page)).toEqual([1, 1])
    expect(places(pages('# A\n\nText.', table)).map(([page]) => page)).toEqual([1, 2])
  })

  it('returns the page of the repeated text that a passage begins with', () => {
    const page = (at: number): string =>
      Array.from({ length: 6 }, (_, nth) => `Page ${at} has a sentence of number ${nth} that says little.`).join('\n\n')
    const cut = places(pages(page(1), page(2), page(3)), { by: 'tokens', size: 60, overlap: 15 })
    for (const [at, , text] of cut) expect(text).toMatch(new RegExp(`^Page ${at} `))
  })
})

describe('chunk: properties of the document', () => {
  const about = {
    ...{ version: 'v1', file: 'a.pdf', url: 'https://example.org/a', date: '2024-06-30' },
    ...{ authority: 'draft', supersedes: ['old'] },
  }
  it('are copied to passages if known, and omitted if not', () => {
    const [passage] = chunk({ ...source, ...about }, pages('one'))
    expect(passage).toMatchObject({ ...about, page: 1, documentId: 'd', collection: 'c', title: 'Title' })
    expect(Object.keys(chunk(source, { markup: 'text', parts: [{ text: 'one' }] })[0] ?? {}).sort()).toEqual([
      'collection',
      'documentId',
      'headingPath',
      'id',
      'position',
      'text',
      'title',
    ])
  })
  it('do not change the ids of passages, and neither does the page', () => {
    const ids = (version: string, parsed: ParsedDocument) => chunk({ ...source, version }, parsed).map(({ id }) => id)
    expect(ids('v2', pages('# A\n\none', '# B\n\nnew'))[0]).toBe(ids('v1', pages('', '# A\n\none'))[0])
  })
})
