import type { Clock } from './clock'

export type BreakerLimits = { failures: number; restMs: number; longestRestMs: number }
export const breakerLimits: BreakerLimits = { failures: 5, restMs: 5_000, longestRestMs: 60_000 }

/** `go`: the call is allowed. `probe`: it is the only test call after a pause. `open`: no calls before `until`. */
export type Entry = { kind: 'go' } | { kind: 'probe' } | { kind: 'open'; until: number }
type Outcome = 'ok' | 'failed' | 'unknown'

export type Breaker = {
  enter(): Entry
  left(entry: Entry, outcome: Outcome): 'opened' | 'closed' | null
}

/**
 * Pauses calls to a provider that fails repeatedly. After the pause, one test call decides whether calls are allowed
 * again. Each failed test call doubles the pause.
 */
export const createBreaker = (
  clock: Pick<Clock, 'now'>,
  { failures: most, restMs, longestRestMs }: BreakerLimits = breakerLimits,
): Breaker => {
  let failures = 0
  let rests = 0
  let until = 0
  let probing = false
  const open = (): 'opened' => {
    until = clock.now() + Math.min(restMs * 2 ** rests, longestRestMs)
    rests += 1
    return 'opened'
  }
  const close = (): 'closed' | null => {
    const was = rests > 0
    failures = rests = until = 0
    return was ? 'closed' : null
  }
  return {
    enter: () => {
      if (rests === 0) return { kind: 'go' }
      if (probing || clock.now() < until)
        return { kind: 'open', until: Math.max(until, clock.now() + restMs * Number(probing)) }
      probing = true
      return { kind: 'probe' }
    },
    left: (entry, outcome) => {
      if (entry.kind === 'probe') probing = false
      if (outcome === 'ok') return close()
      if (outcome === 'unknown') return null
      failures += 1
      if (entry.kind === 'probe') return open()
      return rests === 0 && failures >= most ? open() : null
    },
  }
}
