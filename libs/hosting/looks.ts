import type { Looks } from '@plumbline/adapters/redis'
import { type Log, repeat } from '@plumbline/platform'

/** What is due, and what is done about it: a next look is named where it is to be another than that of whoever dies over it. */
export type Due = {
  looks: Pick<Looks, 'takeDue' | 'settle' | 'lookAt'>
  perLook: number
  /** Taken by one process, what is due is looked at by another only if that one dies or fails. */
  againInMs: number
  follow(id: string, now: number): Promise<'done' | 'again' | { at: number }>
  /** Said of one that failed. */
  failed: string
  log: Pick<Log, 'warn'>
}

/** Takes what is due and follows it, until less is due than is taken at once. */
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

/** Runs in any number of processes: what is due is taken by one of them. */
export const keepFollowing = (everyMs: number, due: Due, away: string) =>
  repeat(
    everyMs,
    () => followDue(due),
    (error) => due.log.warn({ err: error }, away),
  )
