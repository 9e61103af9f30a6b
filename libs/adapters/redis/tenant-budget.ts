import type { Log } from '@plumbline/platform'
import { dayOf, type Spending } from './spending'

const rememberedMs = 1_000

/** `*` stands for every tenant that is not named. */
export type DailyCents = Record<string, number>

/**
 * Whether a tenant may spend more today. With no budget nothing is asked; an answer is good for a second; what cannot be looked up is
 * logged and not held against a tenant.
 */
export const openTenantBudget = (
  { ofDay }: Pick<Spending, 'ofDay'>,
  dailyCents: DailyCents,
  log: Pick<Log, 'warn'>,
) => {
  const answers = new Map<string, { until: number; spent: Promise<boolean> }>()
  const budgetOf = (tenant: string): number | undefined =>
    Object.hasOwn(dailyCents, tenant) ? dailyCents[tenant] : dailyCents['*']
  return {
    budgetOf,
    isSpent: async (tenant: string, at: number): Promise<boolean> => {
      const budget = budgetOf(tenant)
      if (budget === undefined) return false
      const known = answers.get(tenant)
      if (known && at < known.until && at >= known.until - rememberedMs) return known.spent
      const spent = ofDay(tenant, dayOf(at)).then(
        (usage) => (usage?.cents ?? 0) >= budget,
        (error: unknown) => {
          log.warn({ err: error, tenant }, 'the budget could not be looked up')
          return false
        },
      )
      answers.set(tenant, { until: at + rememberedMs, spent })
      return spent
    },
  }
}
export type TenantBudget = ReturnType<typeof openTenantBudget>
