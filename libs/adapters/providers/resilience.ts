import { silent, type Log } from '@plumbline/platform'
import { breakerLimits, createBreaker, type Breaker, type BreakerLimits } from './breaker'
import { systemClock, type Clock } from './clock'
import { ProviderError, type Provider, type Spent } from './provider'

/** What a provider lets us do in a minute; nothing set is no limit. */
export type Limits = { requests?: number | undefined; tokens?: number | undefined }

/** A place in this minute, or how long until there is one. */
export type Taken = { kind: 'taken'; slot: string } | { kind: 'wait'; ms: number }

/** Requests and tokens of a minute, shared by every process. Trouble with what holds them lets calls pass. */
export type Buckets = {
  take(name: string, limits: Limits, tokens: number): Promise<Taken>
  /** Sets right what was reserved, once the provider has counted. */
  settle(name: string, slot: string, byTokens: number): Promise<void>
  /** Nobody asks this provider before a time. */
  pause(name: string, until: number): Promise<void>
}

/** One process, no limits. */
const noBuckets: Buckets = {
  take: () => Promise.resolve({ kind: 'taken', slot: '' }),
  settle: () => Promise.resolve(),
  pause: () => Promise.resolve(),
}

/** Every number of the resilience layer, and what it works with. */
export type Resilience = {
  /** Provider calls per logical call, those of the fallback included. */
  calls: number
  timeoutMs: number
  /** A longer wait than this is left to the queue, which holds no slot. */
  mayWaitMs: number
  backoff: { baseMs: number; capMs: number }
  breaker: BreakerLimits
  clock: Clock
  buckets: Buckets
  centsOf: (model: string, spent: Spent) => number
  log: Pick<Log, 'warn' | 'info'>
}

/** A provider with its breaker and its limits; one per provider and model in a process. */
export type Guard<In, Out> = {
  provider: Provider<In, Out>
  name: string
  limits: Limits
  fallback: boolean
  breaker: Breaker
  pausedUntil: number
}

type Options = { limits?: Limits; fallback?: boolean }

export const guard = <In, Out>(
  provider: Provider<In, Out>,
  { breaker, clock }: Resilience,
  { limits = {}, fallback = false }: Options = {},
): Guard<In, Out> => ({
  provider,
  name: `${provider.host}:${provider.model}`,
  limits,
  fallback,
  breaker: createBreaker(clock, breaker),
  pausedUntil: 0,
})

/** Nothing is sent before the time the provider named, whichever process was told it. */
export const pause = (
  guarded: Pick<Guard<unknown, unknown>, 'name' | 'pausedUntil'>,
  until: number,
  { buckets }: Resilience,
): void => {
  guarded.pausedUntil = Math.max(guarded.pausedUntil, until)
  void buckets.pause(guarded.name, until)
}

/** Waits for a place in this minute, or says when there will be one. */
export const waitForSlot = async <In, Out>(
  guarded: Guard<In, Out>,
  tokens: number,
  signal: AbortSignal,
  { clock, buckets, mayWaitMs }: Resilience,
): Promise<string> => {
  const latest = clock.now() + mayWaitMs
  for (;;) {
    let waitMs = guarded.pausedUntil - clock.now()
    if (waitMs <= 0) {
      const taken = await buckets.take(guarded.name, guarded.limits, tokens)
      if (taken.kind === 'taken') return taken.slot
      waitMs = taken.ms
    }
    const notBefore = clock.now() + waitMs
    if (notBefore > latest)
      throw new ProviderError(
        'limited',
        `${guarded.name} is not to be asked for another ${Math.ceil(waitMs / 1_000)} s.`,
        { notBefore },
      )
    await clock.wait(waitMs, signal)
  }
}

export const resilience: Resilience = {
  calls: 3,
  timeoutMs: 25_000,
  mayWaitMs: 2_000,
  backoff: { baseMs: 400, capMs: 4_000 },
  breaker: breakerLimits,
  clock: systemClock,
  buckets: noBuckets,
  centsOf: () => 0,
  log: silent,
}
