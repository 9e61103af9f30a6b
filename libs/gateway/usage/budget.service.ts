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
    @Inject(SETTINGS) { dailyCents }: Settings,
    @Inject(LOG) log: Log,
  ) {
    this.tenants = openTenantBudget(spending, dailyCents, log)
  }

  /** Refuses what could not be paid for today. */
  async check(tenant: string, at: number): Promise<void> {
    if (!(await this.tenants.isSpent(tenant, at))) return
    const retryAfter = Math.ceil((day - (at % day)) / 1_000)
    throw new Refusal(
      'budget-spent',
      'Today’s budget of this tenant is used up. Ask again tomorrow (UTC), or have TENANT_CENTS_PER_DAY raised.',
      { retryAfter },
    )
  }

  async ofDay(tenant: string, at: number, on: string = dayOf(at)): Promise<UsageView> {
    const centsPerDay = this.tenants.budgetOf(tenant)
    const usage = (await promptly(() => this.spending.ofDay(tenant, on))) ?? noUsage
    return { tenant, day: on, usage, ...(centsPerDay !== undefined && { centsPerDay }) }
  }
}
