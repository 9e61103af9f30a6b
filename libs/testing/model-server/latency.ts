import { setTimeout as wait } from 'node:timers/promises'
import type { Asked } from './asked'
import { matches, type Matcher } from './script'

/** How long until an answer begins. The same seed gives the same delays in the same order. */
export type Latency =
  { kind: 'fixed'; ms: number } | { kind: 'lognormal'; medianMs: number; sigma: number; mostMs?: number; seed?: number }

const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const sampler = (latency: Latency): (() => number) => {
  if (latency.kind === 'fixed') return () => latency.ms
  const random = seeded(latency.seed ?? 1)
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return () => Math.min(latency.mostMs ?? Infinity, latency.medianMs * Math.exp(latency.sigma * normal()))
}

export type Latencies = { add(latency: Latency, matcher: Matcher): void; of(asked: Asked): number; clear(): void }

export const createLatencies = (): Latencies => {
  let set: { matcher: Matcher; sample: () => number }[] = []
  return {
    add: (latency, matcher) => void set.unshift({ matcher, sample: sampler(latency) }),
    of: (asked) => set.find(({ matcher }) => matches(matcher, asked))?.sample() ?? 0,
    clear: () => {
      set = []
    },
  }
}

/** Ends early, without an error, when the client leaves. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  if (ms > 0) await wait(ms, undefined, { signal }).catch(() => undefined)
}
