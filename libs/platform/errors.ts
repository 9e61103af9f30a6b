export type Retry = 'later' | 'never'
type Options = { cause?: unknown; notBefore?: number }

/** An error with a stable code. `later` delays a task without using up an attempt; `never` ends it at once. */
export class AppError extends Error {
  readonly notBefore: number | undefined
  constructor(
    readonly code: string,
    readonly retry: Retry,
    options: Options = {},
  ) {
    super(code, { cause: options.cause })
    this.name = 'AppError'
    this.notBefore = options.notBefore
  }
}

/** Checked by shape, not by class, because an error may come from another copy of this module or another thread. */
export const retryOf = (error: unknown): Retry | undefined => {
  const retry = typeof error === 'object' && error !== null && 'retry' in error ? error.retry : undefined
  return retry === 'later' || retry === 'never' ? retry : undefined
}

/** Rejects on the signal even if the call ignores it. */
export const rejectOnAbort = <Result>(call: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
