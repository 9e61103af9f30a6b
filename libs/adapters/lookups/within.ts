import { AppError } from '@plumbline/platform'

export const badValue = (fault: string): AppError =>
  new AppError('lookup.bad-value', 'never', { cause: new Error(fault) })

/** Ends with the caller's signal, or after a time and then as an error that says so. */
export const within = async <Result>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const late = AbortSignal.timeout(ms)
  try {
    return await work(AbortSignal.any([signal, late]))
  } catch (error) {
    signal.throwIfAborted()
    throw late.aborted ? new AppError('lookup.too-slow', 'later', { cause: error }) : error
  }
}
