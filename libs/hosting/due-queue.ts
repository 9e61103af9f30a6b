import type { DueQueue } from '@plumbline/adapters/redis/client/due-queue'
import { type Log, repeat } from '@plumbline/platform'

export type DueHandler = {
  queue: Pick<DueQueue, 'takeDue' | 'complete' | 'schedule'>
  batchSize: number
  /** An item that was taken but not handled is due again after this time, because its process may have died. */
  againInMs: number
  handle(id: string, now: number): Promise<'done' | 'again' | { at: number }>
  failed: string
  log: Pick<Log, 'warn'>
}

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

/** Handles the due items of a queue repeatedly. Several processes may do this, because only one gets each due item. */
export const pollDue = (everyMs: number, due: DueHandler, away: string) =>
  repeat(
    everyMs,
    () => handleDue(due),
    (error) => due.log.warn({ err: error }, away),
  )
