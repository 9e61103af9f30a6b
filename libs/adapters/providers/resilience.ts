import { silent, type Log } from '@plumbline/platform'
import { breakerLimits, createBreaker, type Breaker, type BreakerLimits } from './breaker'
import { systemClock, type Clock } from './clock'
import { ProviderError, type Provider, type ProviderUsage } from './provider'

/** A provider's limits per minute. Missing means no limit. */
export type Limits = { requests?: number | undefined; tokens?: number | undefined }

/** A slot in this minute, or the time until one is free. */
export type SlotResult = { kind: 'taken'; slot: string } | { kind: 'wait'; ms: number }

/** Requests and tokens per minute, shared by every process. If their store fails, calls are let through. */
export type Buckets = {
  take(name: string, limits: Limits, tokens: number): Promise<SlotResult>
  /** Corrects a reservation by the actual usage. */
  settle(name: string, slot: string, byTokens: number): Promise<void>
  /** Blocks calls of this provider until a time. */
  pause(name: string, until: number): Promise<void>
}

/** For one process, without limits. */
const noBuckets: Buckets = {
  take: () => Promise.resolve({ kind: 'taken', slot: '' }),
  settle: () => Promise.resolve(),
  pause: () => Promise.resolve(),
}

/** One provider call: `error` says in words why it failed. */
export type Attempt = { model: string; host: string; ms: number; error?: string }

/** Every setting of the resilience layer, and its parts. */
export type Resilience = {
  /** Provider calls per logical call, including the fallback's. */
  calls: number
  timeoutMs: number
  /** Longer waits go through the queue, which occupies no slot. */
  mayWaitMs: number
  backoff: { baseMs: number; capMs: number }
  breaker: BreakerLimits
  clock: Clock
  buckets: Buckets
  centsOf: (model: string, spent: ProviderUsage) => number
  /** Receives every provider call when it ends. */
  observe: (attempt: Attempt) => void
  log: Pick<Log, 'warn' | 'info'>
}

/** A provider with its breaker and its limits, one per provider and model in a process. */
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

/** Blocks calls until the time that the provider named, in every process. */
export const pause = (
  guarded: Pick<Guard<unknown, unknown>, 'name' | 'pausedUntil'>,
  until: number,
  { buckets }: Resilience,
): void => {
  guarded.pausedUntil = Math.max(guarded.pausedUntil, until)
  void buckets.pause(guarded.name, until)
}

/** Waits for a slot in this minute, or returns when one is free. */
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
        `${guarded.name} may not be called for another ${Math.ceil(waitMs / 1_000)} s.`,
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
  observe: () => undefined,
  log: silent,
}
