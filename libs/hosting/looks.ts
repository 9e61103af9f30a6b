import type { Looks } from '@plumbline/adapters/redis'
import { type Log, repeat } from '@plumbline/platform'

/** A due list and its handler. `at` sets another due time than the default after a crash. */
export type Due = {
  looks: Pick<Looks, 'takeDue' | 'settle' | 'lookAt'>
  perLook: number
  /** The due time after an item is taken, in case its process dies or fails. */
  againInMs: number
  follow(id: string, now: number): Promise<'done' | 'again' | { at: number }>
  /** The log message for a failed item. */
  failed: string
  log: Pick<Log, 'warn'>
}

/** Takes and handles due items, until fewer are due than the limit. */
export const followDue = async ({ looks, perLook, againInMs, follow, failed, log }: Due): Promise<void> => {
  for (let taken = perLook; taken === perLook;) {
    const { ids, now, nextLook } = await looks.takeDue(perLook, againInMs)
    const followOne = async (id: string): Promise<void> => {
      const followed = await follow(id, now)
      if (followed === 'done') await looks.settle(id, nextLook)
      else if (followed !== 'again') await looks.lookAt(id, followed.at)
    }
    await Promise.all(ids.map((id) => followOne(id).catch((error: unknown) => log.warn({ err: error, id }, failed))))
    taken = ids.length
  }
}

/** Runs in any number of processes. Each due item is taken by one of them. */
export const keepFollowing = (everyMs: number, due: Due, away: string) =>
  repeat(
    everyMs,
    () => followDue(due),
    (error) => due.log.warn({ err: error }, away),
  )
