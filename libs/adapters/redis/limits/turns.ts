import type { AskClass } from '@plumbline/contracts'
import { keys } from '../client/keys'
import { withScripts, type RedisClient } from '../client/client'
import takeTurns from './take-turns.lua'

/** BullMQ's own bound of a priority, 0 being none. */
export const lowestPriority = 2_097_152
/** So many ordinary runs share a priority, within which the score keeps their order: the last priority is 134 million of them away. */
export const turnsPerPriority = 64
/** What a batch gets of what an interactive ask of its tenant gets, while both wait. */
export const batchShare = 0.1
const keptMs = 30 * 24 * 3_600_000
/** One script holds up all of Redis while it runs. */
const runsPerScript = 100

/** `cost`: 1 is an ordinary run. `mayBeBehind`: without it a turn is given however far away it is. */
export type TurnAsked = { tenant: string; class: AskClass; cost: number; weight: number; mayBeBehind?: number }
/** `behind`: how many ordinary runs of its tenant are to be served before it; it took no turn. */
export type Turn = ({ kind: 'taken'; turn: number } | { kind: 'behind'; by: number }) & { servedNow: number }

type Place = { asked: TurnAsked; given: PromiseWithResolvers<Turn> }
type Options = {
  redis: RedisClient
  /** For each queue of the lane: prioritized, wait, delayed and active. */
  queueKeys: (lane: string) => string[]
  /** Smaller in specs. */
  lowest?: number
}

const argsOf = ({ tenant, class: kind, cost, weight, mayBeBehind }: TurnAsked): (string | number)[] => [
  ...(kind === 'batch' ? [`${tenant}:batch`, cost / (weight * batchShare), 1] : [tenant, cost / weight, 0]),
  mayBeBehind ?? '',
]

/** The order in which tenants take turns in a lane; what is asked in one turn of the event loop takes one call. */
export const openTurns = ({ redis, queueKeys, lowest = lowestPriority }: Options) => {
  const numberOfKeys = 1 + queueKeys('').length
  const { turnsTake } = withScripts(redis, { turnsTake: { lua: takeTurns, numberOfKeys } })
  const waiting = new Map<string, Place[]>()
  const send = async (lane: string, places: Place[]): Promise<void> => {
    try {
      const args = places.flatMap(({ asked }) => argsOf(asked))
      const reply = await turnsTake(keys.turns(lane), ...queueKeys(lane), turnsPerPriority, lowest, keptMs, ...args)
      const [now, ...turns] = reply as [string, ...(string | ['behind', string])[]]
      const servedNow = Number(now)
      for (const [i, { given }] of places.entries()) {
        const turn = turns[i]
        if (typeof turn === 'string') given.resolve({ kind: 'taken', turn: Number(turn), servedNow })
        else given.resolve({ kind: 'behind', by: Number(turn?.[1]), servedNow })
      }
    } catch (error) {
      for (const { given } of places) given.reject(error)
    }
  }
  const flush = (lane: string): void => {
    const places = waiting.get(lane) ?? []
    waiting.delete(lane)
    for (let from = 0; from < places.length; from += runsPerScript)
      void send(lane, places.slice(from, from + runsPerScript))
  }
  return {
    take: (lane: string, asked: TurnAsked): Promise<Turn> => {
      const given = Promise.withResolvers<Turn>()
      const places = waiting.get(lane)
      if (places) places.push({ asked, given })
      else {
        waiting.set(lane, [{ asked, given }])
        setImmediate(flush, lane)
      }
      return given.promise
    },
  }
}
export type Turns = ReturnType<typeof openTurns>
