import type { Usage } from '@plumbline/contracts'
import { keys } from '../client/keys'
import { withScripts, type RedisClient } from '../client/client'
import settleRun from './settle-run.lua'

/** Whole millionths of a cent, because sums of many small floats are inexact. */
export const microcentsOf = (cents: number): number => Math.round(cents * 1_000_000)

/** `usage`: the cost of the run, for the estimates of later runs. Missing if the run never started. */
export const openSettling = (redis: RedisClient) => {
  const { runSettle } = withScripts(redis, { runSettle: { lua: settleRun, numberOfKeys: 3 } })
  return async (tenant: string, runId: string, usage?: Usage): Promise<void> => {
    const own = [keys.asks(tenant, 'unfinished'), keys.reserved(tenant), keys.reservedUntil(tenant)]
    const spent = usage ? [microcentsOf(usage.cents), usage.tokensIn + usage.tokensOut] : ['', '']
    await runSettle(...own, runId, ...spent)
  }
}
