export type Retry = 'later' | 'never'
type Options = { cause?: unknown; notBefore?: number }

/** An error with a stable code. `later` delays a task without spending an attempt; `never` ends it at once. */
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

/** By shape, not by class: an error may come from another copy of this module or over a thread's border. */
export const retryOf = (error: unknown): Retry | undefined => {
  const retry = typeof error === 'object' && error !== null && 'retry' in error ? error.retry : undefined
  return retry === 'later' || retry === 'never' ? retry : undefined
}

/** Ends with the signal even if the call behind it does not listen. */
export const orAborted = <Result>(call: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
