import { AppError, rejectOnAbort } from '@plumbline/platform'

type Limits = { atOnce: number; waitMs: number }
const fetchLimits: Limits = { atOnce: 8, waitMs: 1_000 }

/** The code of the error that postpones a delivery while its download continues. */
export const underWay = 'document.under-way'
const later = (): AppError => new AppError(underWay, 'later')

type Fetching = { done: Promise<void>; ended: boolean }

/**
 * Runs downloads independently of the deliveries that begin them. So a slow server does not occupy slots that other
 * documents need. A delivery waits briefly and is then postponed. The first delivery after the end gets the result.
 */
export const openBackgroundFetch = ({ atOnce, waitMs }: Limits = fetchLimits) => {
  const fetches = new Map<string, Fetching>()
  const stopped = new AbortController()

  const begin = (name: string, work: (signal: AbortSignal) => Promise<void>): Fetching => {
    const under = [...fetches.values()].filter(({ ended }) => !ended).length
    if (under >= atOnce) throw later()
    // The result of an ended download may never be requested, so drop the oldest one.
    const forgotten = fetches.size > 100 ? [...fetches].find(([, { ended }]) => ended)?.[0] : undefined
    if (forgotten !== undefined) fetches.delete(forgotten)
    const fetching: Fetching = { done: work(stopped.signal), ended: false }
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
      if (!fetching.ended) throw later()
    },
    stop: async (): Promise<void> => {
      stopped.abort(new Error('the worker stops'))
      await Promise.allSettled([...fetches.values()].map(({ done }) => done))
    },
  }
}
