import { describe, expect, it } from 'vitest'
import { spread } from './spread'

describe('spread', () => {
  it('returns a short list unchanged', () => expect(spread([1, 2, 3], 3)).toEqual([1, 2, 3]))

  it('returns evenly spaced items of a longer list, from the first to the last', () => {
    const all = Array.from({ length: 101 }, (_, at) => at)
    expect(spread(all, 5)).toEqual([0, 25, 50, 75, 100])
    expect(spread(all, 96)).toHaveLength(96)
    expect(spread([1, 2], 1)).toEqual([1])
  })
})
