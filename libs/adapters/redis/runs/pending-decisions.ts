import type { RedisClient } from '../client/client'
import { answerWithinMs, throughCall, withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import { openLooks } from '../client/sorted-sets'

/** A decision on a run that counts at this time of the store. `id` tells apart what was announced for one run at one time. */
export type WaitingDecision = { runId: string; at: number; id: string }

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
      add: (waiting: WaitingDecision) => looks.lookAt(memberOf(waiting), waiting.at),
      remove: (waiting: WaitingDecision) => looks.forget(memberOf(waiting)),
      /** Of these runs, those that may have one. */
      among: async (runIds: string[]): Promise<string[]> => {
        const members = await redis.zrange(keys.decisions, '0', '-1')
        const waiting = new Set(members.map((member) => waitingOf(member).runId))
        return runIds.filter((runId) => waiting.has(runId))
      },
    }),
  }
}
export type PendingDecisions = ReturnType<typeof openPendingDecisions>
