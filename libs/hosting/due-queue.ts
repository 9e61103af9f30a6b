import type { DueQueue } from '@plumbline/adapters/redis'
import { type Log, repeat } from '@plumbline/platform'

/** A due list and its handler. `at` sets another due time than the default after a crash. */
export type DueHandler = {
  queue: Pick<DueQueue, 'takeDue' | 'complete' | 'schedule'>
  batchSize: number
  /** The due time after an item is taken, in case its process dies or fails. */
  againInMs: number
  handle(id: string, now: number): Promise<'done' | 'again' | { at: number }>
  /** The log message for a failed item. */
  failed: string
  log: Pick<Log, 'warn'>
}

/** Takes and handles due items, until fewer are due than the limit. */
export const handleDue = async ({ queue, batchSize, againInMs, handle, failed, log }: DueHandler): Promise<void> => {
  for (let taken = batchSize; taken === batchSize;) {
    const { ids, now, nextDue } = await queue.takeDue(batchSize, againInMs)
    const handleOne = async (id: string): Promise<void> => {
      const handled = await handle(id, now)
      if (handled === 'done') await queue.complete(id, nextDue)
      else if (handled !== 'again') await queue.schedule(id, handled.at)
    }
    await Promise.all(ids.map((id) => handleOne(id).catch((error: unknown) => log.warn({ err: error, id }, failed))))
    taken = ids.length
  }
}

/** Runs in any number of processes. Each due item is taken by one of them. */
export const pollDue = (everyMs: number, due: DueHandler, away: string) =>
  repeat(
    everyMs,
    () => handleDue(due),
    (error) => due.log.warn({ err: error }, away),
  )
