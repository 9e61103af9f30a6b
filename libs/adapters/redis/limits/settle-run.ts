import type { Usage } from '@plumbline/contracts'
import { keys } from '../client/keys'
import { withScripts, type RedisClient } from '../client/client'
import settleRun from './settle-run.lua'

/** Returns whole millionths of a cent, because sums of many small floats are inexact. */
export const microcentsOf = (cents: number): number => Math.round(cents * 1_000_000)

/** Releases the reserved cost of a run. Later estimates use `usage`, which is missing if the run never started. */
export const openSettling = (redis: RedisClient) => {
  const { runSettle } = withScripts(redis, { runSettle: { lua: settleRun, numberOfKeys: 3 } })
  return async (tenant: string, runId: string, usage?: Usage): Promise<void> => {
    const own = [keys.asks(tenant, 'unfinished'), keys.reserved(tenant), keys.reservedUntil(tenant)]
    const spent = usage ? [microcentsOf(usage.cents), usage.tokensIn + usage.tokensOut] : ['', '']
    await runSettle(...own, runId, ...spent)
  }
}
