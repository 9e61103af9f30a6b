import type { RedisClient } from '../client/client'
import { answerWithinMs, throughCall, withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import { openDueQueue } from '../client/due-queue'

/** A decision that takes effect at the time `at`. `id` distinguishes decisions of the same run with the same time. */
export type WaitingDecision = { runId: string; at: number; id: string }

/** This time is longer than the undo period plus the longest expected Redis outage. */
const listedMs = 3_600_000

const memberOf = ({ runId, at, id }: WaitingDecision): string => `${runId} ${at} ${id}`
export const waitingOf = (member: string): WaitingDecision => {
  const [runId = '', at = '', id = ''] = member.split(' ')
  return { runId, at: Number(at), id }
}

/** Lists pending decisions (which have not taken effect yet) by time. Their content is stored in their runs. */
export const openPendingDecisions = (redis: RedisClient) => {
  const dueQueue = openDueQueue(redis, 'decisions')
  return {
    ...dueQueue,
    ...throughCall(withTimeout(answerWithinMs), {
      add: async (tenant: string, waiting: WaitingDecision): Promise<void> => {
        const key = keys.parked(tenant, 'decisions')
        await Promise.all([
          dueQueue.schedule(memberOf(waiting), waiting.at),
          redis.zadd(key, waiting.at, waiting.runId),
          redis.zremrangebyscore(key, '-inf', waiting.at - listedMs),
          redis.pexpire(key, listedMs),
        ])
      },
      remove: (waiting: WaitingDecision) => dueQueue.forget(memberOf(waiting)),
      /** Returns the runs that have a pending decision. The list can be outdated, so check the run itself. */
      among: async (tenant: string, runIds: string[]): Promise<string[]> => {
        const key = keys.parked(tenant, 'decisions')
        const times = await Promise.all(runIds.map((runId) => redis.zscore(key, runId)))
        return runIds.filter((_, at) => times[at] !== null)
      },
    }),
  }
}
export type PendingDecisions = ReturnType<typeof openPendingDecisions>
