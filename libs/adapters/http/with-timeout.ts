import { orAborted } from '@plumbline/platform'

/** Ends with the caller's signal, or after a time and then with an error that says so, even if the work does not listen to its signal. */
export const withTimeout = async <Result>(
  ms: number,
  signal: AbortSignal,
  timedOut: (cause: unknown) => Error,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  signal.throwIfAborted()
  const timeout = AbortSignal.timeout(ms)
  const limited = AbortSignal.any([signal, timeout])
  try {
    return await orAborted(work(limited), limited)
  } catch (error) {
    signal.throwIfAborted()
    throw timeout.aborted ? timedOut(error) : error
  }
}
