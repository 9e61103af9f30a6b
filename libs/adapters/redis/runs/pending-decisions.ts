import type { RedisClient } from '../client/client'
import { answerWithinMs, throughCall, withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import { openLooks } from '../client/sorted-sets'

/** A decision on a run that counts at this time of the store. `id` tells apart what was announced for one run at one time. */
export type WaitingDecision = { runId: string; at: number; id: string }

/** Longer than a decision can be taken back, and than Redis may be away. */
const listedMs = 3_600_000

const memberOf = ({ runId, at, id }: WaitingDecision): string => `${runId} ${at} ${id}`
export const waitingOf = (member: string): WaitingDecision => {
  const [runId = '', at = '', id = ''] = member.split(' ')
  return { runId, at: Number(at), id }
}

/** When decisions count that can still be taken back. What each decides stands in its run. */
export const openPendingDecisions = (redis: RedisClient) => {
  const looks = openLooks(redis, 'decisions')
  return {
    ...looks,
    ...throughCall(withTimeout(answerWithinMs), {
      add: async (tenant: string, waiting: WaitingDecision): Promise<void> => {
        const key = keys.parked(tenant, 'decisions')
        await Promise.all([
          looks.lookAt(memberOf(waiting), waiting.at),
          redis.zadd(key, waiting.at, waiting.runId),
          redis.zremrangebyscore(key, '-inf', waiting.at - listedMs),
          redis.pexpire(key, listedMs),
        ])
      },
      remove: (waiting: WaitingDecision) => looks.forget(memberOf(waiting)),
      /** Returns those of a tenant's runs that may have one. The run itself says whether it has. */
      among: async (tenant: string, runIds: string[]): Promise<string[]> => {
        const key = keys.parked(tenant, 'decisions')
        const times = await Promise.all(runIds.map((runId) => redis.zscore(key, runId)))
        return runIds.filter((_, at) => times[at] !== null)
      },
    }),
  }
}
export type PendingDecisions = ReturnType<typeof openPendingDecisions>
