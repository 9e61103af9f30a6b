import { openSpending, openTenantBudget, type RedisClient } from '@plumbline/adapters/redis'
import type { Log } from '@plumbline/platform'
import type { Budget } from '@plumbline/worker'

type Parts = { redis: RedisClient; log: Log; dailyCents: Record<string, number> }

/** Counting must not cost the work: what cannot be counted is logged, and what cannot be looked up is not held against a tenant. */
export const openBudget = ({ redis, log, dailyCents }: Parts): Budget => {
  const spending = openSpending(redis)
  const tenants = openTenantBudget(spending, dailyCents)
  return {
    charge: (run, usage, at) => {
      spending.charge(run, usage, at).catch((error: unknown) => log.error({ err: error, runId: run.id, usage }, 'a call could not be counted'))
    },
    isSpent: (tenant, at) =>
      tenants.isSpent(tenant, at).catch((error: unknown) => {
        log.warn({ err: error, tenant }, 'the budget could not be looked up')
        return false
      }),
  }
}
