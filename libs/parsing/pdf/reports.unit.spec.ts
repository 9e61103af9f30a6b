import { describe, expect, it } from 'vitest'
import { borderlessTable, runAt } from './borderless-tables'
import { hyphensOf } from './line-text'
import { rowsOf } from './lines'
import type { Row } from './page'
import { rowsAt, segmentAt } from './placed.fixture'

const none = { across: [], down: [] }
const table = (rows: Row[]): string[][] | undefined =>
  borderlessTable(rows.slice(0, runAt(rows, 0)), none, hyphensOf([]))?.rows

describe('tables of reports', () => {
  it('has a header cell in the middle of the two lines beside it', () => {
    const head = rowsOf([
      segmentAt('Year ended', 100, 100),
      segmentAt('Year ended', 200, 100),
      segmentAt('Change', 300, 106),
      segmentAt('2023', 115, 112),
      segmentAt('2022', 215, 112),
    ])
    const body = rowsAt(
      [
        ['Income', '1,200', '1,100', '9 %'],
        ['Costs', '(700)', '(650)', '8 %'],
        ['Taxes', '(100)', '(90)', '11 %'],
      ],
      [0, 110, 210, 305],
      128,
    )
    expect(table([...head, ...body])).toEqual([
      ['', 'Year ended 2023', 'Year ended 2022', 'Change'],
      ['Income', '1,200', '1,100', '9 %'],
      ['Costs', '(700)', '(650)', '8 %'],
      ['Taxes', '(100)', '(90)', '11 %'],
    ])
  })

  it('keeps the names of groups, under which rows are set in, as rows below the header', () => {
    const rows = [
      ...rowsAt([['', '2023', '2022']], [0, 200, 300], 100),
      ...rowsAt([['ASSETS'], ['Current assets:']], [0], 114),
      ...rowsAt(
        [
          ['Cash', '501.2', '433.0'],
          ['Receivables', '322.8', '340.5'],
        ],
        [8, 200, 300],
        142,
      ),
      ...rowsAt([['Total', '824.0', '773.5']], [0, 200, 300], 170),
    ]
    expect(table(rows)).toEqual([
      ['', '2023', '2022'],
      ['ASSETS', '', ''],
      ['Current assets:', '', ''],
      ['Cash', '501.2', '433.0'],
      ['Receivables', '322.8', '340.5'],
      ['Total', '824.0', '773.5'],
    ])
  })

  it('continues after white space and the name of a group if values are in its columns, and ends at other columns', () => {
    const xs = [0, 200, 300]
    const group = (name: string, y: number): Row[] => [
      ...rowsOf([segmentAt(name, 0, y, { bold: true })]),
      ...rowsAt(
        [
          ['Revenue', '500', '480'],
          ['Margin', '120', '110'],
        ],
        xs,
        y + 14,
      ),
    ]
    const years = rowsOf([segmentAt('2023', 200, 100, { bold: true }), segmentAt('2022', 300, 100, { bold: true })])
    const whole = [...years, ...group('Americas', 114), ...group('Europe', 184)]
    const text = ['Revenue', '500', '480']
    expect(table(whole)).toEqual([
      ['', '2023', '2022'],
      ['Americas', '', ''],
      text,
      ['Margin', '120', '110'],
      ['Europe', '', ''],
      text,
      ['Margin', '120', '110'],
    ])
    const other = rowsAt([['Site', 'Staff', 'Rooms'], text], xs, 184)
    expect(table([...years, ...group('Americas', 114), ...other])).toHaveLength(3)
  })
})
