import { type ParsedDocument, Passage, type Table } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { exactCells } from '../cells/exact-cells'
import { standsWordForWord } from '../claims/word-for-word'
import { closestQuotes } from '../quotes/closest-quotes'
import { markdownBlocks } from './blocks'
import { chunk, searchedText } from './chunk'
import { tableLine } from './markdown-table'
import { passageTables, tablesWithin, withTables } from './tables'

const cut = (document: ParsedDocument): Passage[] => chunk({ id: 'd', collection: 'c', title: 'Report' }, document)
const markdown = (text: string): ParsedDocument => withTables({ markup: 'markdown', parts: [{ text }] })
const said = (question: string, passages: Passage[]) => exactCells(question, passages)?.map(({ text }) => text) ?? null

const sales = `# Report

Sales by line (in thousands)

|  | 2023 | 2022 |
|---|---|---|
| Revenue: |  |  |
| Products | 1,204 | 990 |
| Services | 310 | (45) |
| Cost of revenue: |  |  |
| Products | 700 | 512 |
`

describe('the cells of a table', () => {
  it('come from the reader, and the Markdown is not read again', () => {
    const text = 'Fleet\n\n| Ship | Crew |\n|---|---|\n| Ada | 12 |\n| Bo | 9 |'
    const table: Table = { line: 2, header: [['Ship', 'Crew']], rows: [['Ada', '77'], ['Bo', '9']] } // prettier-ignore
    const passages = cut({ markup: 'markdown', parts: [{ text, tables: [table] }] })
    expect(said('What is the crew of Ada?', passages)).toEqual(['For Ada, Crew is 77.'])
    const without = cut({ markup: 'markdown', parts: [{ text, tables: [] }] })
    expect(without[0]?.tables).toBeUndefined()
  })

  it('are read from the Markdown of a passage that was stored without tables', () => {
    const stored = cut(markdown(sales)).map(({ tables: _, ...passage }) => Passage.parse(passage))
    expect(stored[0]?.tables).toBeUndefined()
    expect(passageTables(stored[0]!)).toEqual(cut(markdown(sales))[0]?.tables)
    for (const question of ['Services in 2023', 'Cost of revenue Products 2022'])
      expect(said(question, stored)).toEqual(said(question, cut(markdown(sales))))
  })

  it('have their line, caption and units', () => {
    const units = (text: string) =>
      passageTables(cut(markdown(text))[0]!).map(({ rows: _, header: __, ...rest }) => rest)
    expect(units(sales)).toEqual([{ line: 2, caption: 'Sales by line (in thousands)', units: 'in thousands' }])
    const apart = '# R\n\nSales by line\n\n(in millions)\n\n| a | b |\n|---|---|\n| c | 1 |'
    expect(units(apart)).toEqual([{ line: 4, caption: 'Sales by line', units: 'in millions' }])
    const corner = '# R\n\nText before it.\n\n| In millions | b |\n|---|---|\n| c | 1 |'
    expect(units(corner)).toEqual([{ line: 2, units: 'In millions' }])
  })

  it('keep the header rows and merged cells that a reader noted', () => {
    const [block] = markdownBlocks('|  | Half 2023 | Half 2022 |\n|---|---|---|\n| Sales | 1 | 2 |')
    const noted = { header: [['', 'Half', 'Half'], ['', '2023', '2022']], rows: [['Sales', '1', '2']], spans: [[0, 1, 2, 1]] satisfies [number, number, number, number][] } // prettier-ignore
    const document = withTables(
      { markup: 'markdown', parts: [{ text: `\uFEFF# R\r\n\r\n${block?.text ?? ''}` }] },
      new Map([[block?.text ?? '', noted]]),
    )
    expect(document.parts[0]?.tables).toEqual([{ line: 2, ...noted }])
    expect(cut(document)[0]?.tables).toMatchObject([noted])
    expect(withTables(document)).toEqual(document)
  })

  it('are not kept for a document with very many', () => {
    const rows = Array.from({ length: 101_000 }, (_, at) => `| ${at} | x |`)
    const { parts } = markdown(`| a | b |\n|---|---|\n${rows.join('\n')}`)
    expect(parts[0]?.tables).toBeUndefined()
  })

  it('are kept in a text made of several passages if it has their Markdown', () => {
    const [passage] = cut(markdown(sales))
    const joined = `Before.\n\n${passage?.text ?? ''}`
    expect(tablesWithin(joined, [passage!]).tables?.[0]?.line).toBe(4)
    expect(tablesWithin('Before.', [passage!])).toEqual({ tables: [] })
    expect(tablesWithin(joined, [{ ...passage!, tables: undefined } as never])).toEqual({})
  })
})

describe('groups of rows', () => {
  const passages = cut(markdown(sales))

  it('distinguish rows with the same name', () => {
    expect(said('Cost of revenue Products 2023', passages)).toEqual([
      'For Products (Cost of revenue), 2023 is 700 (in thousands).',
    ])
    expect(said('Products 2023', passages)).toBeNull()
    expect(said('Services 2022', passages)).toEqual(['For Services, 2022 is (45) (in thousands).'])
    expect(said('Revenue 2023', passages)).toBeNull()
  })

  it('are quoted with their heading', () => {
    const quote = exactCells('Cost of revenue Products 2023', passages)?.[0]?.quote[0]?.text
    expect(quote).toBe('|  | 2023 | 2022 |\n|---|---|---|\n| Cost of revenue: |  |  |\n| Products | 700 | 512 |')
    const [place] = closestQuotes('cost of products', passages, { maxChars: 130 })
    expect(place?.text).toContain('|---|---|---|\n| Cost of revenue: |  |  |\n| Products | 700 | 512 |')
  })

  it('match word for word only as whole rows', () => {
    expect(standsWordForWord('Products | 700 | 512', passages)).toEqual({ passageId: passages[0]?.id })
    expect(standsWordForWord('Products | 700', passages)).toBeNull()
  })

  const many = Array.from({ length: 900 }, (_, at) => tableLine([`Site ${at}`, String(1_900 + (at % 100))]))
  const long = cut(markdown(`# R\n\nSites\n\n| Site | Opened 1998 |\n|---|---|\n| North: |  |\n${many.join('\n')}`))

  it('repeat their heading in each part of a cut table, and no row is lost', () => {
    expect(long.length).toBeGreaterThan(1)
    for (const [at, { tables }] of long.entries()) {
      expect(tables?.[0]?.rows[0]).toEqual(['North:', ''])
      expect(tables?.[0]?.cut).toEqual({ before: at > 0, behind: at < long.length - 1, ...(at > 0 && { repeats: 1 }) })
    }
    expect(long.flatMap(({ tables = [] }) => tables.flatMap(({ rows }) => rows.slice(1)))).toHaveLength(900)
  })

  it('of a cut table describe the whole table for search', () => {
    for (const passage of long) expect(searchedText(passage)).toContain('\nSite, Opened 1998 (1998–1998); 901 rows')
    expect(searchedText(passages[0]!)).toBe(passages[0]?.text)
  })
})
