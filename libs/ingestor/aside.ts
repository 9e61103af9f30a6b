import { AppError, orAborted } from '@plumbline/platform'

type Limits = { atOnce: number; patienceMs: number }
const asideLimits: Limits = { atOnce: 8, patienceMs: 1_000 }

/** What a delivery hears whose work goes on without it: it comes back for what was done. */
export const underWay = 'document.under-way'
const later = (): AppError => new AppError(underWay, 'later')

type Errand = { done: Promise<void>; ended: boolean }

/**
 * Errands that wait on others' servers: each is waited for a moment and goes on by itself, so that no slow server holds the slots
 * that other documents need. Of one that ended, the next delivery learns how.
 */
export const openAside = ({ atOnce, patienceMs }: Limits = asideLimits) => {
  const errands = new Map<string, Errand>()
  const stopped = new AbortController()

  const begin = (name: string, work: (signal: AbortSignal) => Promise<void>): Errand => {
    const under = [...errands.values()].filter(({ ended }) => !ended).length
    if (under >= atOnce) throw later()
    // Nobody may ever ask for what ended; the oldest of these goes.
    const forgotten = errands.size > 100 ? [...errands].find(([, { ended }]) => ended)?.[0] : undefined
    if (forgotten !== undefined) errands.delete(forgotten)
    const errand: Errand = { done: work(stopped.signal), ended: false }
    errands.set(name, errand)
    const end = (): void => void (errand.ended = true)
    errand.done.then(end, end)
    return errand
  }

  return {
    run: async (name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> => {
      const errand = errands.get(name) ?? begin(name, work)
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(() => patience.resolve(), patienceMs)
      try {
        await orAborted(Promise.race([errand.done, patience.promise]), signal)
      } finally {
        clearTimeout(timer)
        if (errand.ended) errands.delete(name)
      }
      if (!errand.ended) throw later()
    },
    stop: async (): Promise<void> => {
      stopped.abort(new Error('the worker stops'))
      await Promise.allSettled([...errands.values()].map(({ done }) => done))
    },
  }
}
