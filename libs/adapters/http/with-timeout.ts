import { rejectOnAbort } from '@plumbline/platform'

/** Rejects after `ms` milliseconds, even if `work` ignores its signal. */
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
    return await rejectOnAbort(work(limited), limited)
  } catch (error) {
    signal.throwIfAborted()
    throw timeout.aborted ? timedOut(error) : error
  }
}
