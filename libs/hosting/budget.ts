import { openSpending, openTenantBudget, type RedisClient } from '@plumbline/adapters/redis'
import type { Log } from '@plumbline/platform'
import type { Budget } from '@plumbline/worker'

type Parts = { redis: RedisClient; log: Log; dailyCents: Record<string, number> }

/** Counting must not cost the work: what cannot be counted is logged. */
export const openBudget = ({ redis, log, dailyCents }: Parts): Budget => {
  const spending = openSpending(redis)
  const tenants = openTenantBudget(spending, dailyCents, log)
  return {
    charge: (run, usage, at) => {
      spending
        .charge(run, usage, at)
        .catch((error: unknown) => log.error({ err: error, runId: run.id, usage }, 'a call could not be counted'))
    },
    isSpent: tenants.isSpent,
  }
}
