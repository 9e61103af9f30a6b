import type { RedisClient } from '../client/client'
import { answerWithinMs, throughCall, withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import { dueTaker } from '../client/sorted-sets'

/** A decision on a run that counts at this time of the store. `id` tells apart what was announced for one run at one time. */
export type WaitingDecision = { runId: string; at: number; id: string }

const memberOf = ({ runId, at, id }: WaitingDecision): string => `${runId} ${at} ${id}`
const waitingOf = (member: string): WaitingDecision => {
  const [runId = '', at = '', id = ''] = member.split(' ')
  return { runId, at: Number(at), id }
}

/** When decisions count that can still be taken back. What each decides stands in its run. */
export const openPendingDecisions = (redis: RedisClient) => {
  const takeDue = dueTaker(redis)
  return throughCall(withTimeout(answerWithinMs), {
    add: async (waiting: WaitingDecision): Promise<void> =>
      void (await redis.zadd(keys.decisions, waiting.at, memberOf(waiting))),
    remove: async (waiting: WaitingDecision): Promise<void> =>
      void (await redis.zrem(keys.decisions, memberOf(waiting))),
    /** Those that are due; what is not removed is due again after so long. */
    takeDue: async (limit: number, againInMs: number): Promise<{ now: number; due: WaitingDecision[] }> => {
      const { now, ids } = await takeDue(keys.decisions, limit, againInMs)
      return { now, due: ids.map(waitingOf) }
    },
    /** Of these runs, those that may have one. */
    among: async (runIds: string[]): Promise<string[]> => {
      const waiting = new Set((await redis.zrange(keys.decisions, '0', '-1')).map((member) => waitingOf(member).runId))
      return runIds.filter((runId) => waiting.has(runId))
    },
  })
}
export type PendingDecisions = ReturnType<typeof openPendingDecisions>
