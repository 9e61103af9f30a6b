import { silent, type Log } from '@plumbline/platform'
import { breakerLimits, createBreaker, type Breaker, type BreakerLimits } from './breaker'
import { systemClock, type Clock } from './clock'
import { ProviderError, type Provider, type ProviderUsage } from './provider'

export type Limits = { requests?: number | undefined; tokens?: number | undefined }

export type SlotResult = { kind: 'taken'; slot: string } | { kind: 'wait'; ms: number }

export type Buckets = {
  take(name: string, limits: Limits, tokens: number): Promise<SlotResult>
  settle(name: string, slot: string, byTokens: number): Promise<void>
  pause(name: string, until: number): Promise<void>
}

const noBuckets: Buckets = {
  take: () => Promise.resolve({ kind: 'taken', slot: '' }),
  settle: () => Promise.resolve(),
  pause: () => Promise.resolve(),
}

export type Attempt = { model: string; host: string; ms: number; error?: string }

export type Resilience = {
  calls: number
  timeoutMs: number
  /**
   * The longest time that a call waits for a rate limit. If the wait would be longer, the task goes back to the queue,
   * so that the worker can do other work.
   */
  mayWaitMs: number
  backoff: { baseMs: number; capMs: number }
  breaker: BreakerLimits
  clock: Clock
  buckets: Buckets
  centsOf: (model: string, spent: ProviderUsage) => number
  observe: (attempt: Attempt) => void
  log: Pick<Log, 'warn' | 'info'>
}

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

export const pause = (
  guarded: Pick<Guard<unknown, unknown>, 'name' | 'pausedUntil'>,
  until: number,
  { buckets }: Resilience,
): void => {
  guarded.pausedUntil = Math.max(guarded.pausedUntil, until)
  void buckets.pause(guarded.name, until)
}

/**
 * Waits until the rate limit allows a call, and returns the slot of the call. If the wait would be longer than
 * `mayWaitMs`, throws an error with the time of the next possible call.
 */
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
        `${guarded.name} has reached its rate limit. The next call is possible in ${Math.ceil(waitMs / 1_000)} s.`,
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
