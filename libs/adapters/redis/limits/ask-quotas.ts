import { keys } from '../client/keys'
import { throughCall, withTimeout } from '../client/errors'
import { withScripts, type RedisClient } from '../client/client'
import { openSettling } from './settle-run'
import takeAsks from './take-asks.lua'

/** A missing value means that there is no limit. */
export type AskLimits = {
  ofTenant?: number | undefined
  ofKey?: number | undefined
  runsAtOnce?: number | undefined
}
export type AsksTaken =
  ({ kind: 'taken'; asks: number } & Left) | ({ kind: 'wait'; ms: number } & Left) | { kind: 'full'; oldestMs: number }
export type MinuteTaken = Exclude<AsksTaken, { kind: 'full' }>
/** `wholeInMs` is the time until the quotas of the tenant and of the API key are completely unused again. */
type Left = { leftOfTenant: number; leftOfKey: number; wholeInMs: number }
type AskToCount = { tenant: string; key: string; limits: AskLimits; asks: number; runId: string }
type ReadsWanted = { tenant: string; key: string; limits: Omit<AskLimits, 'runsAtOnce'>; count: number }

const countedMs = 8 * 24 * 3_600_000
const perRead = 500
/** A run that is not stored after this time no longer counts. Storing takes long while its thread is busy. */
const storedWithinMs = 2 * 60_000

export const isUnfinished = (status: string | null): boolean => status === 'queued' || status === 'running'

export const openAskQuotas = (redis: RedisClient, withinMs: number, minuteMs = 60_000) => {
  const { asksTake } = withScripts(redis, { asksTake: { lua: takeAsks, numberOfKeys: 3 } })
  const settle = openSettling(redis)
  const statusOf = (runId: string): Promise<string | null> => redis.hget(keys.state(runId), 'status')
  const stale = async (pairs: [id: string, takenAt: number][]): Promise<string[]> => {
    const statuses = await Promise.all(pairs.map(([id]) => statusOf(id)))
    const oldest = Date.now() - storedWithinMs
    return pairs.flatMap(([id, takenAt], at) => {
      const status = statuses[at] ?? null
      return (status === null ? takenAt < oldest : !isUnfinished(status)) ? [id] : []
    })
  }
  const takeFrom = async (names: string[], { limits, asks, runId }: Omit<AskToCount, 'tenant' | 'key'>) => {
    const { ofTenant = 0, ofKey = 0, runsAtOnce = 0 } = limits
    const args = [minuteMs, ofTenant, ofKey, asks, runsAtOnce, runId, countedMs]
    const [kind, ...figures] = (await asksTake(...names, ...args)) as [AsksTaken['kind'], ...number[]]
    const [first = 0, leftOfTenant = 0, leftOfKey = 0, wholeInMs = 0] = figures
    if (kind === 'full') return { kind, oldestMs: first }
    const left = { leftOfTenant, leftOfKey, wholeInMs }
    return kind === 'wait' ? { kind, ms: first, ...left } : { kind, asks: first, ...left }
  }
  return throughCall(withTimeout(withinMs), {
    take: ({ tenant, key, ...asked }: AskToCount): Promise<AsksTaken> =>
      takeFrom([keys.asks(tenant, 'all'), keys.asks(tenant, `key:${key}`), keys.asks(tenant, 'unfinished')], asked),
    takeReads: async ({ tenant, key, limits, count }: ReadsWanted): Promise<MinuteTaken> => {
      const names = [keys.asks(tenant, 'reads'), keys.asks(tenant, `reads:${key}`), keys.asks(tenant, 'unfinished')]
      return (await takeFrom(names, { limits, asks: count, runId: '' })) as MinuteTaken
    },
    /** Removes runs that have ended or were never stored. A process that crashed may have left them as unfinished. */
    removeStale: async (tenant: string): Promise<boolean> => {
      const key = keys.asks(tenant, 'unfinished')
      const held = await redis.zrange(key, '0', '-1', 'WITHSCORES')
      const pairs = Array.from({ length: held.length / 2 }, (_, at): [string, number] => [
        held[2 * at] ?? '',
        Number(held[2 * at + 1]),
      ])
      for (let from = 0; from < pairs.length; from += perRead) {
        const ids = await stale(pairs.slice(from, from + perRead))
        if (ids.length === 0) continue
        await redis.zrem(key, ...ids)
        return true
      }
      return false
    },
    release: async (tenant: string, runId: string): Promise<void> => {
      if ((await statusOf(runId)) === null) await settle(tenant, runId)
    },
  })
}
export type AskQuotas = ReturnType<typeof openAskQuotas>
