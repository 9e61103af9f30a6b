import { AppError, rejectOnAbort } from '@plumbline/platform'

type Limits = { atOnce: number; waitMs: number }
const fetchLimits: Limits = { atOnce: 8, waitMs: 1_000 }

/** The code of the error that postpones a job delivery while its download is still in progress. */
export const stillFetching = 'document.under-way'
const retryLater = (): AppError => new AppError(stillFetching, 'later')

type BackgroundFetch = { done: Promise<void>; ended: boolean }

/**
 * Downloads files in the background. If a download takes longer than `waitMs`, its job goes back to the queue and the
 * download continues. A slow server thus blocks no slot.
 */
export const openBackgroundFetch = ({ atOnce, waitMs }: Limits = fetchLimits) => {
  const fetches = new Map<string, BackgroundFetch>()
  const stopped = new AbortController()

  const begin = (name: string, work: (signal: AbortSignal) => Promise<void>): BackgroundFetch => {
    const under = [...fetches.values()].filter(({ ended }) => !ended).length
    if (under >= atOnce) throw retryLater()
    // Drop the oldest download that has ended, because its job may never come back for the result.
    const forgotten = fetches.size > 100 ? [...fetches].find(([, { ended }]) => ended)?.[0] : undefined
    if (forgotten !== undefined) fetches.delete(forgotten)
    const fetching: BackgroundFetch = { done: work(stopped.signal), ended: false }
    fetches.set(name, fetching)
    const end = (): void => void (fetching.ended = true)
    fetching.done.then(end, end)
    return fetching
  }

  return {
    run: async (name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> => {
      const fetching = fetches.get(name) ?? begin(name, work)
      const waited = Promise.withResolvers<void>()
      const timer = setTimeout(() => waited.resolve(), waitMs)
      try {
        await rejectOnAbort(Promise.race([fetching.done, waited.promise]), signal)
      } finally {
        clearTimeout(timer)
        if (fetching.ended) fetches.delete(name)
      }
      if (!fetching.ended) throw retryLater()
    },
    stop: async (): Promise<void> => {
      stopped.abort(new Error('the worker is stopping'))
      await Promise.allSettled([...fetches.values()].map(({ done }) => done))
    },
  }
}
