import { expect, it } from 'vitest'
import { rulesOf } from './rules'

/** Short strokes that do not meet, as those of a map. */
const strokes = (count: number) => ({
  shapes: [],
  lines: Array.from({ length: count }, (_, index) => {
    const [x, y] = [(index % 50) * 12, Math.floor(index / 50) * 4]
    return { x1: x, x2: x + 6, y1: y, y2: y, stroke: true, fill: false }
  }),
})

it('gives the drawn lines of a page, but none of a drawing', () => {
  expect(rulesOf(strokes(3_000)).across).toHaveLength(3_000)
  expect(rulesOf(strokes(3_001))).toEqual({ across: [], down: [] })
  expect(rulesOf()).toEqual({ across: [], down: [] })
})
