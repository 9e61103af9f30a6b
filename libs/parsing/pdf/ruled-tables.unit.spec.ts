import { describe, expect, it } from 'vitest'
import { joinRules } from './load-pages'
import type { Rules } from './page'
import { gridsOf } from './ruled-tables'

const across = (at: number, from = 0, to = 300): Rules['across'][number] => ({ at, from, to })

describe('grids of drawn lines', () => {
  it('gives a cell for each field', () => {
    const [grid] = gridsOf({
      across: [across(0), across(20), across(40)],
      down: [across(0, 0, 40), across(100, 0, 40), across(300, 0, 40)],
    })
    expect(grid?.xs).toEqual([0, 100, 300])
    expect(grid?.slots).toHaveLength(4)
  })

  it('joins fields without a wall between them, over columns and over rows', () => {
    const rules = {
      across: [across(0), across(20, 100, 300), across(40)],
      down: [across(0, 0, 40), across(100, 0, 40), across(200, 20, 40), across(300, 0, 40)],
    }
    const spans = gridsOf(rules)[0]?.slots.map(({ row, lastRow, column, lastColumn }) => [
      row,
      lastRow,
      column,
      lastColumn,
    ])
    expect(spans).toEqual([
      [0, 1, 0, 0],
      [0, 0, 1, 2],
      [1, 1, 1, 1],
      [1, 1, 2, 2],
    ])
  })

  it('reads a table without outer walls', () => {
    const [grid] = gridsOf({ across: [across(0), across(20), across(40)], down: [across(100, 0, 40)] })
    expect(grid?.xs).toEqual([0, 100, 300])
  })

  it('keeps drawings apart that do not touch, and takes no lone line for a table', () => {
    const one = { across: [across(0), across(20), across(40)], down: [across(100, 0, 40)] }
    const other = { across: [across(200), across(220), across(240)], down: [across(150, 200, 240)] }
    expect(gridsOf({ across: [...one.across, ...other.across], down: [...one.down, ...other.down] })).toHaveLength(2)
    expect(gridsOf({ across: [across(0), across(40)], down: [] })).toEqual([])
  })

  it('looks for no cells in a hatched area', () => {
    const lines = Array.from({ length: 200 }, (_, index) => ({ at: index * 4, from: 0, to: 796 }))
    expect(gridsOf({ across: lines, down: lines }).map(({ slots }) => slots.length)).toEqual([0])
  })

  it('joins the pieces a line was drawn in', () => {
    expect(joinRules([across(10, 0, 50), across(10.4, 50, 100), across(30, 0, 20)])).toEqual([
      across(10, 0, 100),
      across(30, 0, 20),
    ])
  })
})
