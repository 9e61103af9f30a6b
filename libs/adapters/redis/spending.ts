import type { Usage } from '@plumbline/contracts'
import { keys } from './keys'
import { withScripts, type RedisClient } from './scripts'

const day = 86_400_000
const kept = { run: 8 * day, tenant: 100 * day }
const micro = 1_000_000

/** The UTC day of a time, as accounts and people name it. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const usageOf = (held: Record<string, string>): Usage | null => {
  const { calls, tokensIn, tokensCached, tokensOut, microcents } = held
  if (calls === undefined) return null
  return {
    calls: Number(calls),
    tokensIn: Number(tokensIn ?? 0),
    ...(tokensCached !== undefined && { tokensCached: Number(tokensCached) }),
    tokensOut: Number(tokensOut ?? 0),
    cents: Number(microcents ?? 0) / micro,
  }
}

/**
 * What runs and tenants have cost. It is counted per provider call and outside of any commit, so that what a crashed or fenced task
 * spent is paid for too.
 */
export const openSpending = (redis: RedisClient) => {
  const scripts = withScripts(redis)
  const charge = (account: string, { calls, tokensIn, tokensCached = 0, tokensOut, cents }: Usage, keepMs: number) =>
    scripts.charge(account, calls, tokensIn, tokensCached, tokensOut, Math.round(cents * micro), keepMs)
  return {
    charge: async (run: { id: string; tenant: string }, usage: Usage, at: number): Promise<void> => {
      await Promise.all([
        charge(keys.usage(run.id), usage, kept.run),
        charge(keys.spent(run.tenant, dayOf(at)), usage, kept.tenant),
      ])
    },
    ofRun: async (runId: string): Promise<Usage | null> => usageOf(await redis.hgetall(keys.usage(runId))),
    ofDay: async (tenant: string, on: string): Promise<Usage | null> =>
      usageOf(await redis.hgetall(keys.spent(tenant, on))),
  }
}
export type Spending = ReturnType<typeof openSpending>
