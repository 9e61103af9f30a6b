import type { Usage } from '@plumbline/contracts'
import type { Log } from '@plumbline/platform'
import { ofTenant } from '@plumbline/platform/tenant-limit'
import { keys } from '../client/keys'
import { withScripts, type RedisClient } from '../client/client'
import { microcentsOf } from './settle-run'
import chargeAccount from './charge.lua'
import reserveRun from './reserve-run.lua'

const day = 86_400_000
const retentionMs = { run: 8 * day, tenant: 100 * day, reserved: 8 * day }
const micro = 1_000_000

/** Returns the day in UTC, as accounts and the API name it. */
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

export type RunCost = { cents: number; tokens: number }
/** `usual` is the estimated cost until a run of the tenant has ended. `limit` is the maximum cost of the run. */
type Reservation = {
  run: { id: string; tenant: string; deadlineAt: number }
  at: number
  budget: BudgetOfDay
  usual: RunCost
  limit: RunCost
}

/** Records costs. Each provider call is charged at once, so that the calls of a crashed task are charged too. */
export const openSpending = (redis: RedisClient) => {
  const scripts = withScripts(redis, {
    charge: { lua: chargeAccount, numberOfKeys: 1 },
    runReserve: { lua: reserveRun, numberOfKeys: 3 },
  })
  const charge = (account: string, { calls, tokensIn, tokensCached = 0, tokensOut, cents }: Usage, keepMs: number) =>
    scripts.charge(account, calls, tokensIn, tokensCached, tokensOut, microcentsOf(cents), keepMs)
  return {
    charge: async (run: { id: string; tenant: string }, usage: Usage, at: number): Promise<void> => {
      await Promise.all([
        charge(keys.usage(run.id), usage, retentionMs.run),
        charge(keys.spent(run.tenant, dayOf(at)), usage, retentionMs.tenant),
      ])
    },
    chargeTenant: async (tenant: string, usage: Usage, at: number): Promise<void> =>
      void (await charge(keys.spent(tenant, dayOf(at)), usage, retentionMs.tenant)),
    /** Returns `spent` if a daily budget is spent, and `full` if the rest of the budget is reserved for other runs. */
    reserve: async ({ run, at, budget, usual, limit }: Reservation): Promise<'reserved' | 'spent' | 'full'> => {
      const own = [keys.spent(run.tenant, dayOf(at)), keys.reserved(run.tenant), keys.reservedUntil(run.tenant)]
      const cents = [budget.cents ?? -1, usual.cents, limit.cents].map(microcentsOf)
      const tokens = [budget.tokens ?? -1, usual.tokens, limit.tokens]
      const args = [run.id, run.deadlineAt, retentionMs.reserved, ...cents, ...tokens]
      return (await scripts.runReserve(...own, ...args)) as 'reserved' | 'spent' | 'full'
    },
    ofRun: async (runId: string): Promise<Usage | null> => usageOf(await redis.hgetall(keys.usage(runId))),
    ofDay: async (tenant: string, on: string): Promise<Usage | null> =>
      usageOf(await redis.hgetall(keys.spent(tenant, on))),
  }
}
export type Spending = ReturnType<typeof openSpending>

const rememberedMs = 1_000

type BudgetOfDay = { cents?: number | undefined; tokens?: number | undefined }
/** The budget of `*` applies to every tenant that is not listed. */
export type DailyBudget = { cents: Record<string, number>; tokens: Record<string, number> }

/** Checks the daily budget of tenants. Caches each result for a second. A failed lookup does not block the tenant. */
export const openTenantBudget = ({ ofDay }: Pick<Spending, 'ofDay'>, daily: DailyBudget, log: Pick<Log, 'warn'>) => {
  const answers = new Map<string, { until: number; spent: Promise<boolean> }>()
  const budgetOf = (tenant: string): BudgetOfDay => ({
    cents: ofTenant(daily.cents, tenant),
    tokens: ofTenant(daily.tokens, tenant),
  })
  return {
    budgetOf,
    isSpent: (tenant: string, at: number): boolean | Promise<boolean> => {
      const { cents, tokens } = budgetOf(tenant)
      if (cents === undefined && tokens === undefined) return false
      const known = answers.get(tenant)
      if (known && at < known.until && at >= known.until - rememberedMs) return known.spent
      const spent = ofDay(tenant, dayOf(at)).then(
        (usage) =>
          (usage?.cents ?? 0) >= (cents ?? Infinity) ||
          (usage?.tokensIn ?? 0) + (usage?.tokensOut ?? 0) >= (tokens ?? Infinity),
        (error: unknown) => {
          log.warn({ err: error, tenant }, 'budget lookup failed')
          return false
        },
      )
      answers.set(tenant, { until: at + rememberedMs, spent })
      return spent
    },
  }
}
export type TenantBudget = ReturnType<typeof openTenantBudget>
