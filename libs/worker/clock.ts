import type { Log } from '@plumbline/platform'

const maxSkewMs = 1_000

export type Clock = {
  /**
   * Compares the store's time with the local time before and after the store call. The clock is skewed if the store's
   * time is more than 1 s earlier than `before` or more than 1 s later than `after`.
   */
  saw(before: number, storeNow: number, after: number): void
  readonly skewed: boolean
  onChange(listener: (skewed: boolean) => void): void
}

/** A process with a skewed clock processes no jobs, because its delays and locks would end at the wrong time. */
export const createClock = (log: Pick<Log, 'error' | 'info'>): Clock => {
  const listeners: ((skewed: boolean) => void)[] = []
  let skewed = false
  return {
    get skewed() {
      return skewed
    },
    saw: (before, storeNow, after) => {
      const off = Math.max(before - storeNow, storeNow - after, 0)
      const now = off > maxSkewMs
      if (now === skewed) return
      skewed = now
      if (now)
        log.error(
          { offMs: off },
          'clock differs from the store by more than 1 s: no jobs are processed until it is corrected',
        )
      else log.info('clock is correct again: processing jobs')
      for (const listener of listeners) listener(now)
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
