import { describe, expect, it } from 'vitest'
import { pairedInterval } from './interval'

describe('the paired interval', () => {
  const theirs = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 1 : 0))

  it('is nothing wide where both find the same', () => expect(pairedInterval(theirs, theirs)).toEqual([0, 0]))

  it('lies above nothing where one is better throughout', () => {
    const [low, high] = pairedInterval(
      theirs.map((value, at) => (at < 30 ? 1 : value)),
      theirs,
    )
    expect(low).toBeGreaterThan(0.2)
    expect(high).toBeLessThan(0.6)
  })

  it('holds nothing where as many questions are won as lost', () => {
    const [low, high] = pairedInterval(
      theirs.map((value) => 1 - value),
      theirs,
    )
    expect(low).toBeLessThan(0)
    expect(high).toBeGreaterThan(0)
  })
})
