import { describe, expect, it } from 'vitest'
import { borderlessTable, runAt } from './borderless-tables'
import { hyphensOf } from './line-text'
import { rowsOf, segmentOf } from './lines'
import type { Row } from './page'
import { rowsAt, segmentAt, wordsAt } from './placed.fixture'

const none = { across: [], down: [] }
const table = (rows: Row[]): string[][] | undefined =>
  borderlessTable(rows.slice(0, runAt(rows, 0)), none, hyphensOf([]))?.rows

describe('tables without borders', () => {
  it('keeps empty cells, and columns that few rows fill', () => {
    const cells = [
      ['Plan', 'Free', 'Team', 'Notes'],
      ['Search', 'x', 'x', ''],
      ['Audit', '', 'x', '90 days'],
      ['Export', 'x', '', ''],
    ]
    expect(table(rowsAt(cells, [0, 100, 160, 220]))).toEqual(cells)
  })

  it('keeps a long cell out of the next column, where it ends in the white before that', () => {
    const cells = [
      ['Item', 'Qty', 'Price'],
      ['Bolts', '10', '1.50'],
      ['Nuts', '20', '0.75'],
      ['Self-locking-nut', '', '0.10'],
    ]
    expect(table(rowsAt(cells, [0, 84, 140]))).toEqual(cells)
  })

  it('joins the lines of a cell where white sets rows apart', () => {
    const first = rowsAt([['Option', 'Meaning', 'Default']], [0, 100, 300], 100)
    const second = rowsAt(
      [
        ['timeout', 'how long it', '5000'],
        ['', 'may take', ''],
      ],
      [0, 100, 300],
      120,
      11,
    )
    const third = rowsAt(
      [
        ['retries', 'how often', '3'],
        ['', 'in all', ''],
      ],
      [0, 100, 300],
      151,
      11,
    )
    expect(table([...first, ...second, ...third])).toEqual([
      ['Option', 'Meaning', 'Default'],
      ['timeout', 'how long it may take', '5000'],
      ['retries', 'how often in all', '3'],
    ])
  })

  it('gives a header over several columns to each of them', () => {
    const rows = [
      ...rowsAt([['2022', '2023']], [135, 235], 100),
      ...rowsAt(
        [
          ['Region', 'CFE', 'PUE', 'CFE', 'PUE'],
          ['Oslo', '98%', '1.1', '99%', '1.2'],
          ['Bonn', '60%', '1.2', '68%', '1.1'],
        ],
        [0, 110, 165, 215, 265],
        114,
      ),
    ]
    expect(table(rows)?.[0]).toEqual(['Region', '2022 CFE', '2022 PUE', '2023 CFE', '2023 PUE'])
  })

  it('takes a line drawn under a header for its reach', () => {
    const rows = [
      ...rowsAt([['Tonnes']], [190], 100),
      ...rowsAt(
        [
          ['Scope', '2020', '2021', '2022'],
          ['One', '66', '64', '91'],
          ['Two', '18', '24', '34'],
        ],
        [0, 100, 160, 220],
        116,
      ),
    ]
    const across = [{ at: 113, from: 95, to: 245 }]
    expect(borderlessTable(rows, { across, down: [] }, hyphensOf([]))?.rows[0]).toEqual([
      'Scope',
      'Tonnes 2020',
      'Tonnes 2021',
      'Tonnes 2022',
    ])
  })

  it('joins the lines of a cell around those set in the middle of the row', () => {
    const head = rowsAt([['Site', 'Purpose', 'Power']], [0, 100, 300], 80)
    const site = (name: string, y: number): Row[] => [
      ...rowsAt([['', 'computing', '']], [0, 100, 300], y),
      ...rowsAt([[name, '', '5 MW']], [0, 100, 300], y + 6),
      ...rowsAt([['', 'and storage', '']], [0, 100, 300], y + 12),
    ]
    expect(table([...head, ...site('Oslo', 100), ...site('Bonn', 136)])?.slice(1)).toEqual([
      ['Oslo', 'computing and storage', '5 MW'],
      ['Bonn', 'computing and storage', '5 MW'],
    ])
  })

  it('joins lines around a label beside the middle one of three, or between two', () => {
    const head = rowsAt([['Control', 'Description', 'Owner']], [0, 100, 300], 80)
    const three = [
      ...rowsAt([['', 'access is', '']], [0, 100, 300], 100, 11),
      ...rowsAt([['AC-1', 'granted and', 'CISO']], [0, 100, 300], 111),
      ...rowsAt([['', 'reviewed', '']], [0, 100, 300], 122),
    ]
    const two = rowsOf([
      segmentAt('closed', 100, 140),
      segmentAt('AC-2', 0, 146),
      segmentAt('IT', 300, 146),
      segmentAt('in a day', 100, 151),
    ])
    expect(table([...head, ...three, ...two])?.slice(1)).toEqual([
      ['AC-1', 'access is granted and reviewed', 'CISO'],
      ['AC-2', 'closed in a day', 'IT'],
    ])
  })

  it('gives headers in the middle of equal shares of the columns to each of these', () => {
    const rows = [
      ...rowsAt([['Quarter', 'Year']], [152, 340], 100),
      ...rowsAt(
        [
          ['EUR', '2022', '2023', '2024', '2022', '2023', '2024'],
          ['Sales', '10', '11', '12', '40', '44', '48'],
          ['Costs', '7', '8', '9', '28', '32', '36'],
        ],
        [0, 100, 160, 220, 280, 340, 400],
        114,
      ),
    ]
    expect(table(rows)?.[0]).toEqual([
      'EUR',
      'Quarter 2022',
      'Quarter 2023',
      'Quarter 2024',
      'Year 2022',
      'Year 2023',
      'Year 2024',
    ])
  })

  it('ends above a bold line of more cells that is set off: the header of another table', () => {
    const address = rowsAt(
      [
        ['Acme Ltd', 'Date: 1 March'],
        ['1 Main St', 'Due: 31 March'],
        ['London', 'No: 17'],
      ],
      [0, 250],
      100,
    )
    const bold = rowsOf(
      ['Item', 'Qty', 'Price'].map((text, at) => segmentOf(wordsAt(text, [0, 150, 250][at] ?? 0, 165, { bold: true }))),
    )
    const rows = [
      ...address,
      ...bold,
      ...rowsAt(
        [
          ['Travel', '1', '50'],
          ['Advice', '3', '300'],
        ],
        [0, 150, 250],
        179,
      ),
    ]
    expect(runAt(rows, 0)).toBe(3)
    expect(borderlessTable(rows.slice(3), none, hyphensOf([]))?.rows).toEqual([
      ['Item', 'Qty', 'Price'],
      ['Travel', '1', '50'],
      ['Advice', '3', '300'],
    ])
    expect(
      runAt(
        [
          ...rowsAt(
            [
              ['Item', 'Price'],
              ['Travel', '50'],
            ],
            [0, 250],
            100,
          ),
          ...rowsOf(['Total', '50'].map((text, at) => segmentOf(wordsAt(text, at * 250, 140, { bold: true })))),
        ],
        0,
      ),
    ).toBe(3)
  })

  it('takes the bold lines for the header where every row is underlined but they', () => {
    const bold = rowsOf(
      ['Name', 'Role', 'Phone'].map((text, at) => segmentOf(wordsAt(text, at * 110, 100, { bold: true }))),
    )
    const rows = [
      ...bold,
      ...rowsAt(
        [
          ['Ann', 'Head', '12'],
          ['Bob', 'Cook', '34'],
          ['Cat', 'Pilot', '56'],
          ['Dan', 'Clerk', '78'],
        ],
        [0, 110, 220],
        120,
        20,
      ),
    ]
    const across = [137, 157, 177, 197].map((at) => ({ at, from: 0, to: 245 }))
    expect(borderlessTable(rows, { across, down: [] }, hyphensOf([]))?.rows.slice(0, 2)).toEqual([
      ['Name', 'Role', 'Phone'],
      ['Ann', 'Head', '12'],
    ])
  })

  it('takes the lines drawn under few rows for their ends', () => {
    const cells = [
      ['Name', 'Role', 'Phone'],
      ['Ann Lee', 'Head of all', '+49 30'],
      ['', 'sites', '123'],
      ['Cat Smith-', 'Purchasing', '+49 30'],
      ['Jones', '', '456'],
    ]
    const rows = [
      ...rowsAt(cells.slice(0, 1), [0, 100, 220], 100),
      ...rowsAt(cells.slice(1, 3), [0, 100, 220], 116, 11),
      ...rowsAt(cells.slice(3), [0, 100, 220], 143, 11),
    ]
    const across = [113, 139, 166].map((at) => ({ at, from: 0, to: 260 }))
    expect(borderlessTable(rows, { across, down: [] }, hyphensOf([]))?.rows).toEqual([
      ['Name', 'Role', 'Phone'],
      ['Ann Lee', 'Head of all sites', '+49 30 123'],
      ['Cat Smith-Jones', 'Purchasing', '+49 30 456'],
    ])
    expect(borderlessTable(rows, { across: across.slice(0, 2), down: [] }, hyphensOf([]))?.rows).toHaveLength(5)
  })

  it('takes neither lists nor forms for tables', () => {
    expect(
      table(
        rowsAt(
          [
            ['•', 'one thing'],
            ['•', 'another'],
            ['•', 'a third'],
          ],
          [0, 20],
        ),
      ),
    ).toBeUndefined()
    expect(
      table(
        rowsAt(
          [
            ['Name:', 'Jane'],
            ['Born:', '1980'],
            ['City:', 'Oslo'],
          ],
          [0, 100],
        ),
      ),
    ).toBeUndefined()
  })

  it('recognizes a header with close cells, but not words that are above none', () => {
    const body = rowsAt(
      [
        ['M4', '1.5', '2.5'],
        ['M5', '1.7', '2.9'],
        ['M6', '1.9', '3.1'],
      ],
      [0, 28, 61],
      114,
    )
    const header = segmentOf([...wordsAt('Size', 0, 100), ...wordsAt('Steel', 28, 100), ...wordsAt('Brass', 61, 100)])
    expect(table([...rowsOf([header]), ...body])).toEqual([
      ['Size', 'Steel', 'Brass'],
      ['M4', '1.5', '2.5'],
      ['M5', '1.7', '2.9'],
      ['M6', '1.9', '3.1'],
    ])
    const words = rowsOf([segmentAt('All of the prices', 0, 100)])
    expect(runAt([...words, ...body], 0)).toBe(0)
  })

  it('ends before a heading, however short that is', () => {
    const cells = (name: string, y: number): Row[] =>
      rowsAt(
        [
          [name, 'Value'],
          ['one', '1.5'],
          ['two', '2.5'],
          ['ten', '3.5'],
        ],
        [0, 200],
        y,
      )
    const heading = rowsOf([segmentAt('Next', 0, 158, { size: 14 })])
    const rows = [...cells('First', 100), ...heading, ...cells('Second', 178)]
    expect(runAt(rows, 0)).toBe(4)
    expect(table(rows.slice(5))).toEqual([
      ['Second', 'Value'],
      ['one', '1.5'],
      ['two', '2.5'],
      ['ten', '3.5'],
    ])
  })

  it('ends before running text', () => {
    const rows = [
      ...rowsAt(
        [
          ['City', 'People'],
          ['Oslo', '700'],
          ['Bonn', '330'],
        ],
        [0, 200],
      ),
      ...rowsAt([['This sentence runs over all of the columns of it']], [0], 142),
    ]
    expect(runAt(rows, 0)).toBe(3)
  })
})
