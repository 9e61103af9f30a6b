import { orAborted } from '@plumbline/platform'

/** Works one after another, in the order they came; who is told to stop waits no longer. */
export const oneAtATime = () => {
  let last: Promise<unknown> = Promise.resolve()
  return async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    const before = last
    const mine = Promise.withResolvers<void>()
    last = before.then(() => mine.promise)
    try {
      await orAborted(before, signal)
      return await work()
    } finally {
      mine.resolve()
    }
  }
}
