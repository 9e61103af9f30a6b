/** Ends with the signal even if the call behind it does not listen. */
export const orAborted = <Result>(call: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
