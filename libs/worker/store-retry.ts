import { setTimeout as wait } from 'node:timers/promises'
import { retryOf } from '@plumbline/platform'

const firstMs = 100
const longestMs = 2_000

/** The store or the queue was unavailable for too long. The task itself did not fail. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

export type StoreRetry = <T>(call: () => Promise<T>) => Promise<T>

/** Repeats failed calls to the store or the queue for at most `limitMs`. Every call is idempotent, so this is safe. */
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
          throw new StoreError('store or queue not responding', { cause: error })
        await wait(pauseMs, undefined, { signal }).catch(() => {})
      }
    }
  }
