import { describe, expect, it } from 'vitest'
import { gridOf, tableBlocks, type GridCell } from './grid-to-markdown'

type Span = string | [text: string, across: number, down: number]

/** Places cells row by row, each in the first free column. */
const grid = (rows: Span[][]) => {
  const cells: GridCell[] = []
  const taken = new Set<string>()
  rows.forEach((spans, row) => {
    let column = 0
    for (const span of spans) {
      while (taken.has(`${row} ${column}`)) column += 1
      const [text, across, down] = typeof span === 'string' ? ([span, 1, 1] as const) : span
      for (let y = row; y < row + down; y += 1) for (let x = column; x < column + across; x += 1) taken.add(`${y} ${x}`)
      cells.push({ row, column, across, down, text })
    }
  })
  return gridOf(cells, 'a.xlsx')
}

describe('a table', () => {
  it('repeats a merged cell wherever it reaches, and keeps empty ones', () => {
    const table = tableBlocks(
      grid([
        ['Site', 'Year', 'PUE'],
        [['Taiwan', 1, 2], '2022', '1.12'],
        ['2023', ''],
        [['closed', 3, 1]],
        ['Oregon', '2022', '1.10'],
      ]),
    )
    expect(table.split('\n')).toEqual([
      '| Site | Year | PUE |',
      '| --- | --- | --- |',
      '| Taiwan | 2022 | 1.12 |',
      '| Taiwan | 2023 |  |',
      '| closed | closed | closed |',
      '| Oregon | 2022 | 1.10 |',
    ])
  })

  it('joins header rows under merged ones', () => {
    const table = tableBlocks(
      grid([
        [
          ['Region', 1, 2],
          ['CFE', 2, 1],
          ['PUE', 1, 2],
        ],
        ['2023', '2024'],
        ['Iowa', '95%', '87%', '1.10'],
      ]),
    )
    expect(table.split('\n')[0]).toBe('| Region | CFE 2023 | CFE 2024 | PUE |')
  })

  it('joins a row of units to the header', () => {
    const table = tableBlocks(
      grid([
        ['Site', 'Energy', 'Water'],
        ['', '(MWh)', 'm³'],
        ['A', '12', '7'],
        ['B', '14', '9'],
      ]),
    )
    expect(table.split('\n')[0]).toBe('| Site | Energy (MWh) | Water m³ |')
  })

  it('joins a row that names the columns of figures below empty cells', () => {
    const pivot = [
      ['Sum of Sales', 'Column Labels', '', ''],
      ['Row Labels', '2022', '2023', 'Total'],
      ['North', '10', '20', '30'],
      ['South', '11', '21', '32'],
    ]
    expect(tableBlocks(grid(pivot)).split('\n')[0]).toBe(
      '| Sum of Sales Row Labels | Column Labels 2022 | 2023 | Total |',
    )
    expect(
      tableBlocks(
        grid([
          ['Name', 'Kind', ''],
          ['Ash', 'Tree', 'tall'],
          ['Elk', 'Deer', '3'],
        ]),
      ).split('\n'),
    ).toHaveLength(4)
  })

  it('keeps rows of data below a header whose cells are not merged', () => {
    expect(
      tableBlocks(
        grid([
          ['Name', 'Kind'],
          ['', 'Oak'],
          ['Ash', 'Tree'],
        ]),
      ).split('\n'),
    ).toHaveLength(4)
  })

  it('sets a title above it and notes beneath', () => {
    const table = tableBlocks(
      grid([
        [['Table 3. Energy by site', 3, 1]],
        ['Site', '2023', '2024'],
        ['A', '1', '2'],
        ['Source: annual report, p. 12', '', ''],
      ]),
    )
    expect(table.split('\n\n').map((block) => block.split('\n')[0])).toEqual([
      'Table 3. Energy by site',
      '| Site | 2023 | 2024 |',
      'Source: annual report, p. 12',
    ])
  })

  it('takes as many header rows as the file marks', () => {
    expect(
      tableBlocks(
        grid([
          ['a', 'b'],
          ['c', 'd'],
          ['e', 'f'],
        ]),
        2,
      ).split('\n')[0],
    ).toBe('| a c | b d |')
  })

  it('is refused where merging fills more than can be held', () => {
    expect(() => grid([[['x'.repeat(1_000), 1_000, 1_000]]])).toThrow(expect.objectContaining({ reason: 'too-large' }))
  })
})
