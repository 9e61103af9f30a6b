import type { RedisClient } from '../client/client'
import { keys } from '../client/keys'

const day = 86_400_000
const faultsKeptMs = day
const longestError = 500
/** This is longer than any answer waits for review, so that the list contains all tenants with waiting answers. */
const tenantsKeptMs = 60 * day

export type Fault = { at: number; error: string }
export type RecentActivity = { tenants: Set<string>; faults: Map<string, Fault> }

export const openRecentActivity = (redis: RedisClient) => ({
  note: async ({ tenants, faults }: RecentActivity, at: number): Promise<void> => {
    if (tenants.size > 0) {
      await redis.zadd(keys.tenantsSeen, ...[...tenants].flatMap((tenant) => [at, tenant]))
      await redis.zremrangebyscore(keys.tenantsSeen, '-inf', at - tenantsKeptMs)
      await redis.pexpire(keys.tenantsSeen, tenantsKeptMs)
    }
    if (faults.size === 0) return
    const texts = [...faults].map(([model, { error, at }]): [string, string] => [
      model,
      JSON.stringify({ at, error: error.slice(0, longestError) }),
    ])
    await redis.hset(keys.modelFaults, Object.fromEntries(texts))
    await redis.pexpire(keys.modelFaults, faultsKeptMs)
  },
  tenants: (most: number): Promise<string[]> => redis.zrevrange(keys.tenantsSeen, 0, most - 1),
  faults: async (): Promise<Map<string, Fault>> =>
    new Map(
      Object.entries(await redis.hgetall(keys.modelFaults)).map(([model, text]) => [model, JSON.parse(text) as Fault]),
    ),
})
