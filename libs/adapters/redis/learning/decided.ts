import type { RedisClient } from '../client/client'
import { throughCall, withStoreErrors } from '../client/errors'
import { keys } from '../client/keys'
import { dueTaker } from '../client/sorted-sets'

/**
 * Runs that somebody decided about, until they have ended and what follows from the decision is done. One is noted before its decision
 * is committed, so that no crash can come between the two.
 */
export const openDecided = (redis: RedisClient) => {
  const takeDue = dueTaker(redis)
  return throughCall(withStoreErrors, {
    lookAt: async (runId: string, at: number): Promise<void> => void (await redis.zadd(keys.decided, at, runId)),
    takeDue: async (limit: number, againInMs: number): Promise<{ now: number; ids: string[] }> =>
      takeDue(keys.decided, limit, againInMs),
    done: async (runId: string): Promise<void> => void (await redis.zrem(keys.decided, runId)),
  })
}
export type DecidedRuns = ReturnType<typeof openDecided>
