export type Retry = 'later' | 'never'
type Options = { cause?: unknown; notBefore?: number }

/** An error with a code. `later`: the task is retried without using up an attempt. `never`: the task fails at once. */
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

/** Checks fields, because `instanceof` fails for an error from another thread. */
export const retryOf = (error: unknown): Retry | undefined => {
  const retry = typeof error === 'object' && error !== null && 'retry' in error ? error.retry : undefined
  return retry === 'later' || retry === 'never' ? retry : undefined
}

/** Returns a promise that rejects when the signal aborts, even if the call itself ignores the signal. */
export const rejectOnAbort = <Result>(call: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
