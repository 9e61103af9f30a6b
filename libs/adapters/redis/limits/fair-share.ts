import type { AskClass } from '@plumbline/contracts'
import { keys } from '../client/keys'
import { withScripts, type RedisClient } from '../client/client'
import takeTurn from './take-turn.lua'

/** The largest number that BullMQ accepts as a priority. 0 means no priority. */
export const lowestPriority = 2_097_152
/** This many queue positions share one of BullMQ's 2²¹ priorities. Together they suffice for 134 million runs. */
export const turnsPerPriority = 64
/** The weight of a batch question relative to an interactive question of the same tenant, while both wait. */
export const batchShare = 0.1
const keptMs = 30 * 24 * 3_600_000

/** `cost`: 1 for an ordinary run. `mayBeBehind`: the maximum distance from the turn that is served now. */
export type QueueTurnRequest = { tenant: string; class: AskClass; cost: number; weight: number; mayBeBehind?: number }
/** `behind`: no turn was taken, because `by` ordinary runs of the same tenant come first. */
export type QueueTurn = ({ kind: 'taken'; turn: number } | { kind: 'behind'; by: number }) & { servedNow: number }

type Options = { redis: RedisClient; queueKeys: (lane: string) => string[]; lowest?: number }

export const openFairShare = ({ redis, queueKeys, lowest = lowestPriority }: Options) => {
  const numberOfKeys = 1 + queueKeys('').length
  const { turnTake } = withScripts(redis, { turnTake: { lua: takeTurn, numberOfKeys } })
  return {
    take: async (lane: string, asked: QueueTurnRequest): Promise<QueueTurn> => {
      const { tenant, cost, weight, mayBeBehind } = asked
      const isBatch = asked.class === 'batch'
      const reply = await turnTake(
        keys.turns(lane),
        ...queueKeys(lane),
        turnsPerPriority,
        lowest,
        keptMs,
        isBatch ? `${tenant}:batch` : tenant,
        cost / (isBatch ? weight * batchShare : weight),
        isBatch ? 1 : 0,
        mayBeBehind ?? '',
      )
      const [servedNow, kind, value] = reply as [string, QueueTurn['kind'], string]
      return kind === 'taken'
        ? { kind, turn: Number(value), servedNow: Number(servedNow) }
        : { kind, by: Number(value), servedNow: Number(servedNow) }
    },
  }
}
export type FairShare = ReturnType<typeof openFairShare>
