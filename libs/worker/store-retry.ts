import { setTimeout as wait } from 'node:timers/promises'
import { retryOf } from '@plumbline/platform'

const firstMs = 100
const longestMs = 2_000

/** The store or the queue would not answer for longer than a delivery waits; the task itself is not at fault. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

export type StoreRetry = <T>(call: () => Promise<T>) => Promise<T>

/**
 * Calls the store or the queue until it answers: a Redis that is away must not cost a task its work. Every such call
 * may be made twice: the fence and the version decide what the second one does.
 */
export const createStoreRetry =
  (limitMs: number, signal: AbortSignal, onTrouble: (error: unknown) => void): StoreRetry =>
  async (call) => {
    const until = performance.now() + limitMs
    for (let pauseMs = firstMs; ; pauseMs = Math.min(pauseMs * 2, longestMs)) {
      try {
        return await call()
      } catch (error) {
        onTrouble(error)
        if (retryOf(error) === 'never' || signal.aborted || performance.now() + pauseMs > until)
          throw new StoreError('the store or the queue does not answer', { cause: error })
        await wait(pauseMs, undefined, { signal }).catch(() => {})
      }
    }
  }
