import { describe, expect, it } from 'vitest'
import { isSegment, regionsOf } from './columns'
import type { Segment } from './page'
import { segmentAt } from './placed.fixture'

const lines = (name: string, x: number, y: number, count = 6): Segment[] =>
  Array.from({ length: count }, (_, index) =>
    segmentAt(`${name} line ${String(index)} of a long text in a column`, x, y + index * 12),
  )

const starts = (segments: readonly Segment[]): string[][] =>
  regionsOf(segments).map((region) => region.filter(isSegment).map(({ text }) => text.split(' ')[0] ?? ''))

describe('columns of a page', () => {
  it('reads one column after the other, and what reaches over both between', () => {
    const title = segmentAt('title that reaches over both of the columns of the page here', 50, 10)
    expect(
      starts([title, ...lines('left', 0, 40), ...lines('right', 260, 46)]).map((region) => [...new Set(region)]),
    ).toEqual([['title'], ['left'], ['right']])
  })

  it('reads a heading and short lines above the columns before them', () => {
    const above = Array.from({ length: 8 }, (_, index) => segmentAt('above', 0, 10 + index * 14))
    expect(
      starts([...above, ...lines('left', 0, 146), ...lines('right', 260, 140)]).map((region) => [...new Set(region)]),
    ).toEqual([['above'], ['left'], ['right']])
  })

  it('keeps names with their values above columns, and reads a heading below both after them', () => {
    const sums = ['Net total', 'Tax', 'Total'].flatMap((name, index) => [
      segmentAt(name, 0, 10 + index * 18),
      segmentAt('12.50', 420, 10 + index * 18),
    ])
    const next = segmentAt('next', 0, 170, { size: 14 })
    const read = starts([...sums, ...lines('left', 0, 80), ...lines('right', 260, 80), next]).map((region) => [
      ...new Set(region),
    ])
    expect(read).toEqual([['Net', '12.50', 'Tax', 'Total'], ['left'], ['right'], ['next']])
  })

  it('does not take the cells of a table for columns', () => {
    const cells = Array.from({ length: 8 }, (_, row) => [
      segmentAt(`place ${String(row)}`, 0, 20 + row * 14),
      segmentAt('12.5', 150, 20 + row * 14),
      segmentAt('x', 260, 20 + row * 14),
    ])
    expect(regionsOf(cells.flat())).toHaveLength(1)
  })

  it('keeps a list in one region', () => {
    const items = Array.from({ length: 6 }, (_, row) => [
      segmentAt('•', 0, 20 + row * 14),
      segmentAt('an item of the list that says something', 60, 20 + row * 14),
    ])
    expect(regionsOf(items.flat())).toHaveLength(1)
  })
})
