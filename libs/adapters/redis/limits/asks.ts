import { keys } from '../client/keys'
import { throughCall, withTimeout } from '../client/errors'
import { withScripts, type RedisClient } from '../client/client'
import takeAsks from './take-asks.lua'

/** What is not set is not limited. */
export type AskLimits = {
  ofTenant?: number | undefined
  ofKey?: number | undefined
  runsAtOnce?: number | undefined
}
export type AsksTaken =
  ({ kind: 'taken'; asks: number } & Left) | ({ kind: 'wait'; ms: number } & Left) | { kind: 'full' }
/** Of both quotas, and when all of it is back. */
type Left = { leftOfTenant: number; leftOfKey: number; wholeInMs: number }
type Asked = { tenant: string; key: string; limits: AskLimits; asks: number; runId: string }

const countedMs = 8 * 24 * 3_600_000
/** So many runs are looked at in one go. */
const perLook = 500

/** Quotas of asks and of unfinished runs, shared by all gateways. */
export const openAsks = (redis: RedisClient, withinMs: number, minuteMs = 60_000) => {
  const { asksTake } = withScripts(redis, { asksTake: { lua: takeAsks, numberOfKeys: 3 } })
  const isUnder = async (runId: string): Promise<boolean> => {
    const status = await redis.hget(keys.state(runId), 'status')
    return status === 'queued' || status === 'running'
  }
  return throughCall(withTimeout(withinMs), {
    take: async ({ tenant, key, limits, asks, runId }: Asked): Promise<AsksTaken> => {
      const { ofTenant = 0, ofKey = 0, runsAtOnce = 0 } = limits
      const names = [keys.asks(tenant, 'all'), keys.asks(tenant, `key:${key}`), keys.asks(tenant, 'unfinished')]
      const args = [minuteMs, ofTenant, ofKey, asks, runsAtOnce, runId, countedMs]
      const [kind, ...figures] = (await asksTake(...names, ...args)) as [AsksTaken['kind'], ...number[]]
      const [first = 0, leftOfTenant = 0, leftOfKey = 0, wholeInMs = 0] = figures
      if (kind === 'full') return { kind }
      const left = { leftOfTenant, leftOfKey, wholeInMs }
      return kind === 'wait' ? { kind, ms: first, ...left } : { kind, asks: first, ...left }
    },
    /** Takes runs that are through, and those that wait for a person, from those that count; returns how many. */
    takeOutEnded: async (tenant: string): Promise<number> => {
      const key = keys.asks(tenant, 'unfinished')
      const ids = await redis.zrange(key, '0', `${perLook - 1}`)
      const under = await Promise.all(ids.map(isUnder))
      const ended = ids.filter((_, i) => !under[i])
      if (ended.length > 0) await redis.zrem(key, ...ended)
      return ended.length
    },
  })
}
export type AskQuotas = ReturnType<typeof openAsks>
