import { Injectable } from '@nestjs/common'
import { LRUCache } from 'lru-cache'
import type { AskLimits, AsksTaken } from '@plumbline/adapters/redis/limits/ask-quotas'
import { ofTenant } from '@plumbline/platform/tenant-limit'
import type { Caller } from '../http/authenticate'
import { Refusal } from '../http/problem'
import { Common, LimitPorts } from '../ports'
import { MinuteQuotas, secondsUntil } from './minute-quotas'

type Check = { found: Promise<boolean>; nextAt: number }

/**
 * After a check of a tenant's runs, the next check waits this many times as long as the check took. Checks thus take
 * less than 5 % of the time.
 */
const pausePerCheck = 20
const longestMs = 60_000

@Injectable()
export class AskRates {
  private readonly checks = new LRUCache<string, Check>({ max: 10_000 })
  private readonly quotas: MinuteQuotas

  constructor(
    private readonly common: Common,
    private readonly limitPorts: LimitPorts,
  ) {
    this.quotas = new MinuteQuotas({
      names: { tenant: 'tenant', key: 'key' },
      limitsOf: (tenant) => this.limitsOf(tenant),
      take: async (caller, limits, count) => {
        const taken = await this.take(caller, limits, count, '')
        return taken?.kind === 'full' ? null : taken
      },
      refusal: (retryAfter, headers) =>
        new Refusal(
          'too-many-asks',
          'Your tenant or key sent more questions than it may send in a minute. Send further questions later.',
          {
            retryAfter,
            headers,
          },
        ),
    })
  }

  enter(caller: Caller, runId: string): void | Promise<void> {
    const limits = this.limitsOf(caller.tenant)
    return limits?.runsAtOnce === undefined ? this.quotas.enter(caller) : this.enterOneOf(caller, limits, runId)
  }

  async release(tenant: string, runId: string): Promise<void> {
    const { tenantRunsAtOnce, tenantCentsPerDay, tenantTokensPerDay } = this.common.settings
    const limits = [tenantRunsAtOnce, tenantCentsPerDay, tenantTokensPerDay]
    if (limits.every((limit) => ofTenant(limit, tenant) === undefined)) return
    await this.limitPorts.askQuotas.release(tenant, runId).catch((error: unknown) => {
      this.common.log.warn({ err: error, runId }, 'quota of an ended run not released: redis error')
    })
  }

  headers(caller: Caller): Record<string, string> {
    return this.quotas.headers(caller)
  }

  openaiHeaders(caller: Caller): Record<string, string> {
    const { quotas, seconds } = this.quotas.stateOf(caller)
    const [least] = quotas.toSorted((one, other) => one.left - other.left)
    if (!least) return {}
    return {
      'x-ratelimit-limit-requests': `${least.quota}`,
      'x-ratelimit-remaining-requests': `${least.left}`,
      'x-ratelimit-reset-requests': `${seconds}s`,
    }
  }

  limitsOf(tenant: string): AskLimits | null {
    const { tenantAsksPerMinute, keyAsksPerMinute: ofKey, tenantRunsAtOnce } = this.common.settings
    const [asks, runsAtOnce] = [ofTenant(tenantAsksPerMinute, tenant), ofTenant(tenantRunsAtOnce, tenant)]
    return asks === undefined && ofKey === undefined && runsAtOnce === undefined
      ? null
      : { ofTenant: asks, ofKey, runsAtOnce }
  }

  private async take(caller: Caller, limits: AskLimits, asks: number, runId: string): Promise<AsksTaken | null> {
    const { askQuotas } = this.limitPorts
    const { log } = this.common
    try {
      return await askQuotas.take({ tenant: caller.tenant, key: caller.name, limits, asks, runId })
    } catch (error) {
      log.warn({ err: error }, 'questions not counted: redis error')
      return null
    }
  }

  /** Asks Redis for every question, because only Redis knows how many runs of the tenant are in progress. */
  private async enterOneOf(caller: Caller, limits: AskLimits, runId: string): Promise<void> {
    this.quotas.refuseIfWaiting(caller)
    let taken = await this.take(caller, limits, 1, runId)
    if (taken?.kind === 'full' && (await this.removeStale(caller.tenant)))
      taken = await this.take(caller, limits, 1, runId)
    if (!taken) return
    if (taken.kind === 'full') throw this.tooMany(limits, taken.oldestMs)
    this.quotas.noteSingle(caller, taken)
  }

  /** Frees the slots of runs that have ended. Workers normally do this, but a worker may crash before it does so. */
  private removeStale(tenant: string): Promise<boolean> {
    const last = this.checks.get(tenant)
    if (last && last.nextAt > performance.now()) return last.found
    const began = performance.now()
    const check: Check = { found: this.checkRuns(tenant), nextAt: Infinity }
    this.checks.set(tenant, check)
    void check.found.then(() => {
      const now = performance.now()
      check.nextAt = now + pausePerCheck * (now - began)
    })
    return check.found
  }

  private checkRuns(tenant: string): Promise<boolean> {
    return this.limitPorts.askQuotas.removeStale(tenant).catch((error: unknown) => {
      this.common.log.warn({ err: error }, 'unfinished runs not checked: redis error')
      return false
    })
  }

  /** Retry-After is an estimate, which assumes that the runs started at regular intervals. */
  private tooMany({ runsAtOnce = 1 }: AskLimits, oldestMs: number): Refusal {
    const ms = Math.min(oldestMs / runsAtOnce, longestMs)
    return new Refusal(
      'too-many-runs',
      `Your tenant has ${runsAtOnce} runs in progress, which is its limit. Ask again when one of them has ended.`,
      { retryAfter: secondsUntil(Date.now() + ms) },
    )
  }
}
