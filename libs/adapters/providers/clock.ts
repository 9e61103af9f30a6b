import { setTimeout as sleep } from 'node:timers/promises'

/** Time and chance, passed in where they must be chosen. */
export type Clock = { now(): number; random(): number; wait(ms: number, signal: AbortSignal): Promise<void> }

/** A timer may fire a little early; nobody is asked before the time. */
const waitUntil = async (at: number, signal: AbortSignal): Promise<void> => {
  for (let left = at - Date.now(); left > 0; left = at - Date.now())
    await sleep(Math.min(left, 2 ** 30), undefined, { signal })
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: async (ms, signal) => {
    try {
      await waitUntil(Date.now() + ms, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    }
  },
}

/** Ends with the signal or after a time, even if the work behind it does not listen. */
export const within = async <Result>(
  ms: number,
  signal: AbortSignal,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  signal.throwIfAborted()
  const limit = new AbortController()
  const abort = (): void => limit.abort(signal.reason)
  const timer = setTimeout(() => limit.abort(late()), ms)
  signal.addEventListener('abort', abort, { once: true })
  const ended = new Promise<never>((_, reject) =>
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason as Error), { once: true }),
  )
  try {
    return await Promise.race([work(limit.signal), ended])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
