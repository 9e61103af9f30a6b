export type Retry = 'later' | 'never'
type Options = { cause?: unknown; notBefore?: number }

/**
 * An error with a code. `later` means that the task is retried, and this attempt is not counted. `never` means that the
 * task fails at once.
 */
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

/** Returns the field `retry` of any object, because `instanceof AppError` is false for an error from another thread. */
export const retryOf = (error: unknown): Retry | undefined => {
  const retry = typeof error === 'object' && error !== null && 'retry' in error ? error.retry : undefined
  return retry === 'later' || retry === 'never' ? retry : undefined
}

/** Returns the result of the call. Rejects as soon as the signal aborts, even if the call ignores the signal. */
export const rejectOnAbort = <Result>(call: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
