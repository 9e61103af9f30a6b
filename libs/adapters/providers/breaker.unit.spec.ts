import { describe, expect, it } from 'vitest'
import { createBreaker, type Breaker } from './breaker'

const limits = { failures: 3, restMs: 1_000, longestRestMs: 3_000 }
const bench = (): { breaker: Breaker; clock: { at: number; now: () => number }; fail: () => string | null } => {
  const clock = { at: 0, now: () => clock.at }
  const breaker = createBreaker(clock, limits)
  return { breaker, clock, fail: () => breaker.left(breaker.enter(), 'failed') }
}

describe('a breaker', () => {
  it('opens after failures in a row, and not before', () => {
    const { breaker, fail } = bench()
    fail()
    fail()
    expect(breaker.left(breaker.enter(), 'ok')).toBeNull()
    fail()
    fail()
    expect(breaker.enter().kind).toBe('go')
    expect(fail()).toBe('opened')
    expect(breaker.enter()).toEqual({ kind: 'open', until: 1_000 })
  })

  it('admits one probe after its rest, and no concurrent call', () => {
    const { breaker, clock, fail } = bench()
    for (let n = 0; n < limits.failures; n += 1) fail()
    clock.at = 1_000
    const probe = breaker.enter()
    expect(probe.kind).toBe('probe')
    expect(breaker.enter()).toEqual({ kind: 'open', until: 2_000 })
    expect(breaker.left(probe, 'ok')).toBe('closed')
    expect(breaker.enter().kind).toBe('go')
  })

  it('rests longer after each failed probe, up to a limit', () => {
    const { breaker, clock, fail } = bench()
    for (let n = 0; n < limits.failures; n += 1) fail()
    for (const rest of [2_000, 3_000, 3_000]) {
      const entry = breaker.enter()
      clock.at = entry.kind === 'open' ? entry.until : clock.at
      fail()
      expect(breaker.enter()).toEqual({ kind: 'open', until: clock.at + rest })
    }
  })

  it('allows another probe if the first one ended without a result', () => {
    const { breaker, clock, fail } = bench()
    for (let n = 0; n < limits.failures; n += 1) fail()
    clock.at = 1_000
    breaker.left(breaker.enter(), 'unknown')
    expect(breaker.enter().kind).toBe('probe')
  })

  it('is not opened again by calls that started before it opened', () => {
    const { breaker, fail } = bench()
    const late = [breaker.enter(), breaker.enter()]
    for (let n = 0; n < limits.failures; n += 1) fail()
    for (const entry of late) expect(breaker.left(entry, 'failed')).toBeNull()
    expect(breaker.enter()).toEqual({ kind: 'open', until: 1_000 })
  })
})
