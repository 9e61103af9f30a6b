import { AppError } from '@plumbline/platform'
import { inSpan } from '@plumbline/platform/tracing/spans'
import type { ProviderCall } from '@plumbline/ports/chat-model'
import type { Entry } from './breaker'
import { withTimeout } from '../http/with-timeout'
import { waitForSlot, pause, type Guard, type Resilience } from './resilience'
import { noProviderUsage, ProviderError, type ProviderUsage } from './provider'
import { callDetails, noteAnswer, noteFault, spanNameOf } from './trace-call'

type Ask = {
  signal: AbortSignal
  onCall?: ((call: ProviderCall) => void) | undefined
  /** True if the call must not be repeated, for example because the user has already seen a part of the answer. */
  begun?: () => boolean
}
export type Caller<In, Out> = (input: In, ask: Ask) => Promise<Out>
type Try<Out> = { kind: 'done'; out: Out } | { kind: 'fault'; fault: ProviderError; calls: number }

const callOf = <In, Out>(
  { provider: { model }, fallback }: Guard<In, Out>,
  { tokensIn, tokensCached, tokensOut, ...more }: ProviderUsage,
  { centsOf }: Resilience,
): ProviderCall => ({
  model,
  usage: {
    calls: 1,
    tokensIn,
    ...(tokensCached && { tokensCached }),
    tokensOut,
    cents: centsOf(model, { tokensIn, tokensOut, ...(tokensCached && { tokensCached }), ...more }),
  },
  ...(fallback && { fallback }),
})

const timedOut = 'timeout'
const silent = (host: string, ms: number) => (): Error =>
  new ProviderError('unavailable', `${host} did not finish its answer within ${ms} ms.`, { reason: timedOut })

const sendOnce = async <In, Out>(
  guarded: Guard<In, Out>,
  input: In,
  slot: string,
  ask: Ask,
  parts: Resilience,
): Promise<Try<Out>> => {
  const { provider, name } = guarded
  const beganAt = parts.clock.now()
  const observe = (error?: string): void => {
    const { model, host } = provider
    parts.observe({ model, host, ms: parts.clock.now() - beganAt, ...(error !== undefined && { error }) })
  }
  const reserved = provider.estimate(input)
  const settle = (used: number): void => void parts.buckets.settle(name, slot, used - reserved)
  try {
    const sent = await withTimeout(parts.timeoutMs, ask.signal, silent(provider.host, parts.timeoutMs), (signal) =>
      provider.send(input, signal),
    )
    const { out, spent } = sent
    noteAnswer(guarded, sent)
    observe()
    settle(spent.tokensIn + spent.tokensOut)
    ask.onCall?.({ ...callOf(guarded, spent, parts), ms: parts.clock.now() - beganAt })
    return { kind: 'done', out }
  } catch (error) {
    // Pause the provider before `onCall` reports the failure, so that no other call starts in between.
    if (error instanceof ProviderError && error.kind === 'limited' && error.notBefore !== undefined)
      pause(guarded, error.notBefore, parts)
    const failed = {
      ms: parts.clock.now() - beganAt,
      error: error instanceof ProviderError ? error.message : 'stopped',
    }
    ask.onCall?.({ ...callOf(guarded, noProviderUsage, parts), ...failed })
    ask.signal.throwIfAborted()
    observe(error instanceof Error ? error.message : String(error))
    if (!(error instanceof ProviderError)) throw error
    // If the provider disconnected, the tokens stay reserved, because the provider may have counted them.
    if (error.kind !== 'unavailable') settle(0)
    return { kind: 'fault', fault: error, calls: 1 }
  }
}

/**
 * Returns true if the fault counts as a failure of the provider. Status 429 without a retry time counts too, because
 * nothing else would pause the provider.
 */
const troubled = ({ kind, notBefore }: ProviderError): boolean =>
  kind === 'unavailable' || kind === 'malformed' || (kind === 'limited' && notBefore === undefined)

const leave = <In, Out>(
  { breaker, name }: Guard<In, Out>,
  entry: Entry,
  tried: Try<Out> | undefined,
  { log }: Resilience,
): void => {
  const outcome = tried === undefined ? 'unknown' : tried.kind === 'fault' && troubled(tried.fault) ? 'failed' : 'ok'
  const changed = breaker.left(entry, outcome)
  if (changed === 'opened')
    log.warn(
      { provider: name, cause: tried?.kind === 'fault' ? tried.fault.message : '' },
      'provider down: pausing calls',
    )
  if (changed === 'closed') log.info({ provider: name }, 'provider available again')
}

const tryOnce = async <In, Out>(guarded: Guard<In, Out>, input: In, ask: Ask, parts: Resilience): Promise<Try<Out>> => {
  ask.signal.throwIfAborted()
  const entry = guarded.breaker.enter()
  if (entry.kind === 'open')
    return {
      kind: 'fault',
      fault: new ProviderError('unavailable', `${guarded.name} is down.`, { notBefore: entry.until }),
      calls: 0,
    }
  let tried: Try<Out> | undefined
  try {
    const slot = await waitForSlot(guarded, guarded.provider.estimate(input), ask.signal, parts)
    tried = await sendOnce(guarded, input, slot, ask, parts)
    return tried
  } catch (error) {
    if (error instanceof ProviderError) return { kind: 'fault', fault: error, calls: 0 }
    throw error
  } finally {
    leave(guarded, entry, tried, parts)
  }
}

const backOff = (
  failures: number,
  signal: AbortSignal,
  { backoff: { baseMs, capMs }, clock }: Resilience,
): Promise<void> => clock.wait(clock.random() * Math.min(capMs, baseMs * 2 ** failures), signal)

type TryLimit = { most: number; last: boolean }

/**
 * Calls one provider and retries failed calls. After a timeout, returns at once if there is another provider, because a
 * task has little time.
 */
const tryProvider = async <In, Out>(
  guarded: Guard<In, Out>,
  input: In,
  ask: Ask,
  turn: TryLimit,
  parts: Resilience,
): Promise<Try<Out>> => {
  let calls = 0
  for (;;) {
    const tried = await tryOnce(guarded, input, ask, parts)
    if (tried.kind === 'done') return tried
    const { fault } = tried
    noteFault(guarded, fault)
    calls += tried.calls
    if (ask.begun?.()) throw new AppError('provider.cut', 'later', { cause: fault })
    if (fault.kind === 'rejected') throw new AppError('provider.rejected', 'never', { cause: fault })
    if (tried.calls > 0) parts.log.warn({ provider: guarded.name, kind: fault.kind }, fault.message)
    if (tried.calls === 0 || calls >= turn.most || (fault.reason === timedOut && !turn.last))
      return { kind: 'fault', fault, calls }
    if (troubled(fault)) await backOff(calls - 1, ask.signal, parts)
  }
}

const soonest = (faults: ProviderError[]): { notBefore?: number } => {
  const times = faults.flatMap(({ notBefore }) => (notBefore === undefined ? [] : [notBefore]))
  return times.length > 0 ? { notBefore: Math.min(...times) } : {}
}

/**
 * Returns the error for the case that all providers failed. The error contains the time of the next allowed call, so
 * that the task is retried at that time.
 */
const noneDid = (faults: ProviderError[]): AppError => {
  const limited = faults.filter(({ kind }) => kind === 'limited')
  const code = limited.length > 0 ? 'provider.limited' : 'provider.down'
  return new AppError(code, 'later', { cause: faults.at(-1), ...soonest(limited.length > 0 ? limited : faults) })
}

/** For one request, `parts.calls` is the maximum number of calls, over all providers together. */
export const callerOver = <In, Out>(
  guards: [Guard<In, Out>, ...Guard<In, Out>[]],
  parts: Resilience,
): Caller<In, Out> => {
  const [{ provider }] = guards
  const call: Caller<In, Out> = async (input, ask) => {
    const faults: ProviderError[] = []
    let left = parts.calls
    for (const [n, guarded] of guards.entries()) {
      const after = guards.length - 1 - n
      const tried = await tryProvider(guarded, input, ask, { most: left - after, last: after === 0 }, parts)
      if (tried.kind === 'done') return tried.out
      faults.push(tried.fault)
      left -= tried.calls
    }
    throw noneDid(faults)
  }
  return (input, ask) =>
    inSpan(
      spanNameOf(provider),
      () => callDetails(provider, input),
      () => call(input, ask),
    )
}
