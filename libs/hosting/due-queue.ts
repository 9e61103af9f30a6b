import type { DueQueue } from '@plumbline/adapters/redis'
import { type Log, repeat } from '@plumbline/platform'

/**
 * A queue of due items and the function that handles them. If `handle` returns `at`, the item is due again at that
 * time.
 */
export type DueHandler = {
  queue: Pick<DueQueue, 'takeDue' | 'complete' | 'schedule'>
  batchSize: number
  /**
   * A taken item is due again after this time unless it was handled, so another process handles it if the first one
   * dies.
   */
  againInMs: number
  handle(id: string, now: number): Promise<'done' | 'again' | { at: number }>
  /** The log message if handling an item fails. */
  failed: string
  log: Pick<Log, 'warn'>
}

/** Takes and handles due items in batches, until a batch is not full. */
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

/** Handles due items every `everyMs`. Many processes may do so: each due item is taken by only one of them. */
export const pollDue = (everyMs: number, due: DueHandler, away: string) =>
  repeat(
    everyMs,
    () => handleDue(due),
    (error) => due.log.warn({ err: error }, away),
  )
