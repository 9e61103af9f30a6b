import { describe, expect, it } from 'vitest'
import { borderlessTable, runAt } from './borderless-tables'
import { hyphensOf } from './line-text'
import type { Row } from './page'
import { rowsAt } from './placed.fixture'

const table = (rows: Row[]): string[][] | undefined =>
  borderlessTable(rows.slice(0, runAt(rows, 0)), { across: [], down: [] }, hyphensOf([]))?.rows

const xs = [0, 200, 260, 320]
const body = [
  ['Net income', '76,033', '59,972', '73,795'],
  ['Depreciation', '10,273', '13,475', '11,946'],
  ['Other items', '(213)', '519', '1,330'],
]

describe('heads that white cuts off from their rows', () => {
  it('joins a head with the rows below it, over the name of their group', () => {
    const head = ['Years ended June 30', '2021', '2022', '2023']
    const rows = [...rowsAt([head], xs, 100), ...rowsAt([['Operating activities'], ...body], xs, 150)]
    expect(table(rows)).toEqual([head, ['Operating activities', '', '', ''], ...body])
  })

  it('leaves a line that names not every column, and one that is far off', () => {
    const line = rowsAt([['Annual report', '', '', 'Page']], xs, 100)
    expect(runAt([...line, ...rowsAt(body, xs, 150)], 0)).toBe(1)
    const head = rowsAt([['Years ended June 30', '2021', '2022', '2023']], xs, 100)
    expect(runAt([...head, ...rowsAt(body, xs, 200)], 0)).toBe(1)
  })
})
