import { describe, expect, it } from 'vitest'
import { silent } from '@plumbline/platform'
import { createClock } from './clock'

describe('the clock', () => {
  it('does not mistake a slow answer for skew', () => {
    const clock = createClock(silent)
    clock.saw(10_000, 10_001, 40_000)
    clock.saw(10_000, 39_999, 40_000)
    expect(clock.skewed).toBe(false)
  })

  it.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
    ['ahead by a little more than a second', 1_001],
  ])('detects a clock that is %s, logs it once, and detects the correction', (_, off) => {
    const changes: boolean[] = []
    const clock = createClock(silent)
    clock.onChange((skewed) => changes.push(skewed))
    const store = 1_000_000_000
    clock.saw(store + off, store, store + off)
    clock.saw(store + off, store, store + off + 1)
    expect(clock.skewed).toBe(true)
    clock.saw(store, store, store)
    expect(changes).toEqual([true, false])
  })

  it('tolerates a second', () => {
    const clock = createClock(silent)
    clock.saw(11_000, 10_000, 11_000)
    expect(clock.skewed).toBe(false)
  })
})
