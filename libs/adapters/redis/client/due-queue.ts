import { withScripts, type RedisClient } from './client'
import { throughCall, withStoreErrors } from './errors'
import { keys } from './keys'
import completeDue from './complete-due.lua'
import takeDueScript from './take-due.lua'

export const dueTaker = (redis: RedisClient) => {
  const { takeDue } = withScripts(redis, { takeDue: { lua: takeDueScript, numberOfKeys: 1 } })
  return async (
    key: string,
    limit: number,
    againInMs: number,
  ): Promise<{ now: number; ids: string[]; nextDue: number }> => {
    const [now, ids] = (await takeDue(key, limit, againInMs)) as [number, string[]]
    return { now, ids, nextDue: now + againInMs }
  }
}

/** Opens a list of ids with due times. Add an id before its work begins, so that a crash cannot lose the work. */
export const openDueQueue = (
  redis: RedisClient,
  what:
    | 'batchesDue'
    | 'decided'
    | 'decisions'
    | 'deliveriesOpen'
    | 'documentsOpen'
    | 'flagsDue'
    | 'notices'
    | 'reviewersDue'
    | 'schedulesDue'
    | 'sourcesDue',
) => {
  const takeDue = dueTaker(redis)
  const { dueComplete } = withScripts(redis, { dueComplete: { lua: completeDue, numberOfKeys: 1 } })
  const key = keys[what]
  return throughCall(withStoreErrors, {
    schedule: async (id: string, at: number): Promise<void> => void (await redis.zadd(key, at, id)),
    /** Adds the id. If it is already in the queue, it keeps its due time unless `at` is earlier. */
    scheduleBy: async (id: string, at: number): Promise<void> => void (await redis.zadd(key, 'LT', at, id)),
    takeDue: (limit: number, againInMs: number) => takeDue(key, limit, againInMs),
    /** Removes the id from the queue, unless its due time has changed since the id was taken. */
    complete: async (id: string, nextDue: number): Promise<void> => void (await dueComplete(key, id, nextDue)),
    forget: async (id: string): Promise<void> => void (await redis.zrem(key, id)),
  })
}
export type DueQueue = ReturnType<typeof openDueQueue>
