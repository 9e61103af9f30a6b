import { Controller, Get, Injectable, Query } from '@nestjs/common'
import { z } from 'zod'
import { dayOf, openTenantBudget, type TenantBudget } from '@plumbline/adapters/redis/limits/spending'
import { noUsage, UsageView } from '@plumbline/contracts'
import type { Policy } from '@plumbline/flow'
import type { Caller } from '../http/authenticate'
import { CurrentCaller } from '../http/caller'
import { Refusal } from '../http/problem'
import { Describe } from '../ops/openapi'
import { Common, LimitPorts, withGatewayTimeout } from '../ports'
import { StoreClock } from './store-clock.service'

const day = 86_400_000

/** The value of the header Retry-After, in seconds, if the rest of the budget is reserved for other runs. */
const reservedSeconds = 10

const usedUp = (at: number): Refusal =>
  new Refusal(
    'budget-spent',
    'Today’s budget of this tenant is used up. Ask again tomorrow (UTC), or ask the operator to raise TENANT_CENTS_PER_DAY or TENANT_TOKENS_PER_DAY.',
    { retryAfter: Math.ceil((day - (at % day)) / 1_000) },
  )

@Injectable()
export class Budget {
  private readonly tenants: TenantBudget

  constructor(
    private readonly common: Common,
    private readonly limitPorts: LimitPorts,
  ) {
    const { tenantCentsPerDay: cents, tenantTokensPerDay: tokens } = common.settings
    this.tenants = openTenantBudget(limitPorts.spending, { cents, tokens }, common.log)
  }

  check(tenant: string, at: number): void | Promise<void> {
    const spent = this.tenants.isSpent(tenant, at)
    if (spent) return this.refuseIf(spent, at)
  }

  private async refuseIf(spent: true | Promise<boolean>, at: number): Promise<void> {
    if (await spent) throw usedUp(at)
  }

  /** Refuses a question if other runs have reserved the rest of the budget. Accepts it if Redis does not answer. */
  reserve(run: { id: string; tenant: string; policy: Policy }, at: number): void | Promise<void> {
    const budget = this.tenants.budgetOf(run.tenant)
    if (budget.cents !== undefined || budget.tokens !== undefined) return this.reserveFrom(budget, run, at)
  }

  private async reserveFrom(
    budget: ReturnType<TenantBudget['budgetOf']>,
    { id, tenant, policy }: { id: string; tenant: string; policy: Policy },
    at: number,
  ): Promise<void> {
    const { spending } = this.limitPorts
    const { settings, log } = this.common
    const run = { id, tenant, deadlineAt: at + policy.deadlineMs }
    const limit = { cents: policy.maxCents, tokens: policy.maxTokens }
    const reserved = await withGatewayTimeout(() =>
      spending.reserve({ run, at, budget, usual: settings.runCost, limit }),
    ).catch((error: unknown) => log.warn({ err: error, runId: id }, 'cost not reserved: redis error'))
    if (reserved === 'spent') throw usedUp(at)
    if (reserved === 'full')
      throw new Refusal(
        'budget-spent',
        'The rest of today’s budget of this tenant is reserved for its runs in progress. Ask again when one of them has ended.',
        { retryAfter: reservedSeconds },
      )
  }

  async ofDay(tenant: string, at: number, on: string = dayOf(at)): Promise<UsageView> {
    const { cents: centsPerDay, tokens: tokensPerDay } = this.tenants.budgetOf(tenant)
    const usage = (await withGatewayTimeout(() => this.limitPorts.spending.ofDay(tenant, on))) ?? noUsage
    return {
      tenant,
      day: on,
      usage,
      ...(centsPerDay !== undefined && { centsPerDay }),
      ...(tokensPerDay !== undefined && { tokensPerDay }),
    }
  }
}

const UsageQuery = z.strictObject({ day: z.iso.date('write a day such as 2026-01-31').optional() })

@Controller('v1/usage')
export class UsageController {
  constructor(
    private readonly budget: Budget,
    private readonly clock: StoreClock,
  ) {}

  @Get()
  @Describe({
    summary:
      'Report the model usage of this tenant and its cost on a UTC day. Without `day`, the report is about today',
    answers: { 200: UsageView },
  })
  ofDay(
    @CurrentCaller() caller: Caller,
    @Query({ schema: UsageQuery }) { day }: z.infer<typeof UsageQuery>,
  ): Promise<UsageView> {
    return this.budget.ofDay(caller.tenant, this.clock.now(), day)
  }
}
