import { Inject, Injectable } from '@nestjs/common'
import { dayOf, openTenantBudget, type Spending, type TenantBudget } from '@plumbline/adapters/redis'
import { noUsage, type UsageView } from '@plumbline/contracts'
import type { Log } from '@plumbline/platform/log'
import { Refusal } from '../door/problem'
import { LOG, SETTINGS, SPENDING } from '../ports'
import { promptly } from '../promptly'
import type { Settings } from '../settings'

const day = 86_400_000

@Injectable()
export class Budget {
  private readonly tenants: TenantBudget

  constructor(
    @Inject(SPENDING) private readonly spending: Spending,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOG) private readonly log: Log,
  ) {
    this.tenants = openTenantBudget(spending, settings.dailyCents)
  }

  /** Refuses what could not be paid for today. What cannot be looked up is not held against a tenant. */
  async check(tenant: string, at: number): Promise<void> {
    const spent = await this.tenants.isSpent(tenant, at).catch((error: unknown) => {
      this.log.warn({ err: error, tenant }, 'the budget could not be looked up')
      return false
    })
    if (!spent) return
    const retryAfter = Math.ceil((day - (at % day)) / 1_000)
    throw new Refusal('budget-spent', 'Today’s budget of this tenant is used up. Ask again tomorrow (UTC), or have TENANT_CENTS_PER_DAY raised.', { retryAfter })
  }

  async ofDay(tenant: string, at: number, on: string = dayOf(at)): Promise<UsageView> {
    const { dailyCents } = this.settings
    const centsPerDay = dailyCents[tenant] ?? dailyCents['*']
    const usage = (await promptly(() => this.spending.ofDay(tenant, on))) ?? noUsage
    return { tenant, day: on, usage, ...(centsPerDay !== undefined && { centsPerDay }) }
  }
}
