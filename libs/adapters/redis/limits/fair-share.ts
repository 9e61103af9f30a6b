import type { AskClass } from '@plumbline/contracts'
import { LRUCache } from 'lru-cache'
import { keys } from '../client/keys'
import { withScripts, type RedisClient } from '../client/client'
import takeTurns from './take-turns.lua'

/** The largest priority number that BullMQ accepts. Jobs with larger numbers run later, and 0 means no priority. */
export const lowestPriority = 2_097_152
/** The number of turns (queue positions) that share a BullMQ priority, so that 134 million runs fit in the queue. */
export const turnsPerPriority = 64
/** The weight of a batch question, relative to an interactive question of the same tenant that also waits. */
export const batchShare = 0.1
const keptMs = 30 * 24 * 3_600_000
/**
 * The maximum number of flows per script call. A flow is one class of questions of one tenant. The number is small,
 * because Redis does nothing else while a script runs.
 */
const flowsPerScript = 100

/**
 * `cost` is 1 for an ordinary run. `mayBeBehind` is the maximum distance of the new turn (queue position) from the turn
 * served now.
 */
export type QueueTurnRequest = { tenant: string; class: AskClass; cost: number; weight: number; mayBeBehind?: number }
/**
 * `behind`: no turn (queue position) was taken, because it would be `by` turns after the turn served now, which is more
 * than `mayBeBehind`.
 */
export type QueueTurn = ({ kind: 'taken'; turn: number } | { kind: 'behind'; by: number }) & { servedNow: number }

type WaitingAsk = { mayBeBehind: number | undefined; given: PromiseWithResolvers<QueueTurn> }
/**
 * Turns (queue positions) that were taken in advance. `servedNow` is the turn that was served at that time. They expire
 * at the time `until`.
 */
type Block = { next: number; left: number; servedNow: number; until: number }
type Flow = {
  args: (count: number, mayBeBehind: number | undefined) => (string | number)[]
  length: number
  waiting: WaitingAsk[]
  ahead: Block[]
  isTakingAhead: boolean
  asked: { since: number; count: number; before: number }
}
type Options = {
  redis: RedisClient
  queueKeys: (lane: string) => string[]
  lowest?: number
  mostAhead?: number
}

/** Turns that were taken in advance are valid for this time. A request that uses one needs no call to Redis. */
const aheadMs = 100
const partAhead = 1 / 4

const flowOf = ({ tenant, class: kind, cost, weight }: QueueTurnRequest): Flow => {
  const isBatch = kind === 'batch'
  const length = cost / (isBatch ? weight * batchShare : weight)
  const name = isBatch ? `${tenant}:batch` : tenant
  return {
    length,
    args: (count, mayBeBehind) => [name, count, length, isBatch ? 1 : 0, mayBeBehind ?? ''],
    waiting: [],
    ahead: [],
    isTakingAhead: false,
    asked: { since: 0, count: 0, before: 0 },
  }
}

const countAsk = ({ asked }: Flow, now: number): void => {
  if (now - asked.since >= aheadMs) {
    asked.before = now - asked.since < 2 * aheadMs ? asked.count : 0
    asked.count = 0
    asked.since = now
  }
  asked.count += 1
}

const wantedAhead = ({ asked: { before } }: Flow, most: number): number =>
  Math.min(Math.floor(before * partAhead), most)
const isShort = (flow: Flow, most: number): boolean => {
  const { ahead, isTakingAhead } = flow
  return !isTakingAhead && ahead.length === 1 && (ahead[0]?.left ?? 0) < wantedAhead(flow, most) / 2
}

const fromAhead = ({ ahead, length }: Flow, now: number): QueueTurn | undefined => {
  while (ahead[0] && (ahead[0].left === 0 || now >= ahead[0].until)) ahead.shift()
  const [block] = ahead
  if (!block) return undefined
  const turn = block.next
  block.next += length
  block.left -= 1
  return { kind: 'taken', turn, servedNow: block.servedNow }
}

const give = (
  flow: Flow,
  places: WaitingAsk[],
  count: number,
  servedNow: number,
  reply: string | ['behind', string],
) => {
  if (typeof reply !== 'string') {
    for (const { given } of places) given.resolve({ kind: 'behind', by: Number(reply[1]), servedNow })
    return
  }
  const first = Number(reply)
  for (const [i, { given }] of places.entries())
    given.resolve({ kind: 'taken', turn: first + i * flow.length, servedNow })
  const left = count - places.length
  if (left > 0)
    flow.ahead.push({ next: first + places.length * flow.length, left, servedNow, until: performance.now() + aheadMs })
}

export const openFairShare = ({ redis, queueKeys, lowest = lowestPriority, mostAhead = 64 }: Options) => {
  const numberOfKeys = 1 + queueKeys('').length
  const { turnsTake } = withScripts(redis, { turnsTake: { lua: takeTurns, numberOfKeys } })
  const flows = new LRUCache<string, Flow>({ max: 10_000 })
  const waiting = new Map<string, Set<Flow>>()

  const send = async (lane: string, asking: Flow[]): Promise<void> => {
    const all = asking.map((flow) => {
      const places = flow.waiting
      flow.waiting = []
      const [{ mayBeBehind } = { mayBeBehind: undefined }] = places
      const ahead = mayBeBehind === undefined && !flow.isTakingAhead ? wantedAhead(flow, mostAhead) : 0
      if (ahead > 0) flow.isTakingAhead = true
      return { flow, places, ahead, count: places.length + ahead, mayBeBehind }
    })
    try {
      const args = all.flatMap(({ flow, count, mayBeBehind }) => flow.args(count, mayBeBehind))
      const reply = await turnsTake(keys.turns(lane), ...queueKeys(lane), turnsPerPriority, lowest, keptMs, ...args)
      const [now, ...turns] = reply as [string, ...(string | ['behind', string])[]]
      for (const [i, { flow, places, count }] of all.entries())
        give(flow, places, count, Number(now), turns[i] ?? ['behind', '0'])
    } catch (error) {
      for (const { given } of all.flatMap(({ places }) => places)) given.reject(error)
    } finally {
      for (const { flow, ahead } of all) if (ahead > 0) flow.isTakingAhead = false
    }
  }
  const flush = (lane: string): void => {
    const asking = [...(waiting.get(lane) ?? [])]
    waiting.delete(lane)
    for (let from = 0; from < asking.length; from += flowsPerScript)
      void send(lane, asking.slice(from, from + flowsPerScript))
  }
  const sendSoon = (lane: string, flow: Flow): void => {
    const asking = waiting.get(lane)
    if (asking) return void asking.add(flow)
    waiting.set(lane, new Set([flow]))
    setImmediate(flush, lane)
  }
  return {
    take: (lane: string, asked: QueueTurnRequest): Promise<QueueTurn> | QueueTurn => {
      const { tenant, class: kind, cost, weight, mayBeBehind } = asked
      const key = `${lane} ${tenant} ${kind} ${cost / weight} ${mayBeBehind ?? ''}`
      let flow = flows.get(key)
      if (!flow) flows.set(key, (flow = flowOf(asked)))
      const now = performance.now()
      countAsk(flow, now)
      const ahead = fromAhead(flow, now)
      if (ahead) {
        if (isShort(flow, mostAhead)) sendSoon(lane, flow)
        return ahead
      }
      const given = Promise.withResolvers<QueueTurn>()
      flow.waiting.push({ mayBeBehind, given })
      sendSoon(lane, flow)
      return given.promise
    },
  }
}
export type FairShare = ReturnType<typeof openFairShare>
