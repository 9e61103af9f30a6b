/** Works one after another, in the order they came; who is told to stop waits no longer. */
export const oneAtATime = () => {
  let last: Promise<unknown> = Promise.resolve()
  return async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    const before = last
    const mine = Promise.withResolvers<void>()
    last = before.then(() => mine.promise)
    try {
      await Promise.race([before, stopped(signal)])
      signal.throwIfAborted()
      return await work()
    } finally {
      mine.resolve()
    }
  }
}

const stopped = (signal: AbortSignal): Promise<void> => new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
