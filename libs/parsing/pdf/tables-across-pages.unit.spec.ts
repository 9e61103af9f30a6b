import { describe, expect, it } from 'vitest'
import type { Table } from './page'
import { joinTables } from './tables-across-pages'

const table = (rows: string[][], y: number, bottom: number, edges = [0, 100, 200]): Table => ({
  kind: 'table',
  x: 0,
  right: 200,
  y,
  bottom,
  rows,
  headerRows: 1,
  edges,
})
const head = ['Part', 'Stock']

describe('tables over pages', () => {
  it('join where the header is repeated', () => {
    const pages = joinTables(
      [
        [table([head, ['a', '1']], 300, 700)],
        [table([head, ['b', '2']], 60, 700)],
        [table([head, ['c', '3']], 60, 100)],
      ],
      [792, 792, 792],
    )
    expect(pages).toEqual([[expect.objectContaining({ rows: [head, ['a', '1'], ['b', '2'], ['c', '3']] })], [], []])
  })

  it('are joined if their columns are aligned at the foot of one page and the head of the next', () => {
    const pages = joinTables(
      [
        [table([head, ['a', '1']], 300, 740)],
        [
          table(
            [
              ['b', '2'],
              ['c', '3'],
            ],
            50,
            100,
          ),
        ],
      ],
      [792, 792],
    )
    expect(pages[0]).toEqual([expect.objectContaining({ rows: [head, ['a', '1'], ['b', '2'], ['c', '3']] })])
  })

  it('stay apart when they are others', () => {
    const other = table(
      [
        ['River', 'Length'],
        ['Elbe', '1094'],
      ],
      50,
      100,
      [0, 60, 200],
    )
    expect(joinTables([[table([head, ['a', '1']], 300, 740)], [other]], [792, 792])[1]).toEqual([other])
  })
})
