import { describe, expect, it } from 'vitest'
import { hasData, skippedWithout, tell } from './data'
import { figures } from './judged'
import { measures } from './measures'

describe.skipIf(!hasData)(skippedWithout('floors of the offline skills'), () => {
  it.each(measures.filter(({ floor }) => floor !== null))(
    '$name over $set: $figure ≥ $floor',
    async ({ name, figure, floor, judge }) => {
      const judged = await judge()
      const reached = figures[figure](judged)
      tell(`${name}: ${judged.length} rows, ${figure} ${reached.toFixed(3)}, floor ${floor ?? ''}`)
      expect(reached).toBeGreaterThanOrEqual(floor ?? 0)
    },
    60_000,
  )
})
