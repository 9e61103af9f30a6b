import { Inject, Injectable } from '@nestjs/common'
import { LRUCache } from 'lru-cache'
import type { AskLimits, AsksTaken } from '@plumbline/adapters/redis'
import { ofTenant } from '@plumbline/platform/tenant-limit'
import type { Caller } from '../http/authenticate'
import { Refusal } from '../http/problem'
import { PORTS, type GatewayPorts } from '../ports'

/** What this gateway took of the quotas of one key and has not given out, and what was left when it last asked. */
type Held = {
  asks: number
  /** How many it took last. */
  took: number
  goodUntil: number
  leftOfTenant: number
  leftOfKey: number
  wholeAt: number
  refusedUntil: number
  taking: Promise<boolean> | undefined
}
/** The last check of a tenant's unfinished runs: `found` is whether it removed any. */
type Check = { found: Promise<boolean>; nextAt: number }

/**
 * A gateway takes asks ahead, so that few of them wait for Redis; what it does not give out within a second is lost. While all are given out it
 * takes twice as many the next time, up to this part of a minute's.
 */
const partTaken = 1 / 200
const mostTaken = 500
const goodMs = 1_000
/** Checks of a full tenant's runs may take a twentieth of the time. */
const pausePerCheck = 20
const longestMs = 60_000

const secondsUntil = (at: number): number => Math.max(1, Math.ceil((at - Date.now()) / 1_000))

/** How often a key and a tenant may ask, and how many runs a tenant may have at once, over all gateways. */
@Injectable()
export class AskRates {
  private readonly held = new LRUCache<string, Held>({ max: 10_000 })
  private readonly checks = new LRUCache<string, Check>({ max: 10_000 })

  constructor(@Inject(PORTS) private readonly ports: GatewayPorts) {}

  enter(caller: Caller, runId: string): void | Promise<void> {
    const limits = this.limitsOf(caller.tenant)
    if (!limits) return
    if (limits.runsAtOnce !== undefined) return this.enterOneOf(caller, limits, runId)
    const held = this.heldBy(caller)
    if (!this.giveOut(caller, held)) return this.enterWithMore(caller, limits, held)
  }

  private giveOut(caller: Caller, held: Held): boolean {
    const now = Date.now()
    if (held.refusedUntil > now) throw this.tooOften(caller, held)
    if (held.asks === 0 || held.goodUntil <= now) return false
    held.asks -= 1
    return true
  }

  private async enterWithMore(caller: Caller, limits: AskLimits, held: Held): Promise<void> {
    do {
      held.taking ??= this.takeSome(caller, limits, held).finally(() => (held.taking = undefined))
      // Without Redis nothing is counted: whether the ask can be stored is for the store to say.
      if (!(await held.taking)) return
    } while (!this.giveOut(caller, held))
  }

  /** Gives back the place of a run that was not stored. */
  async release(tenant: string, runId: string): Promise<void> {
    if (this.limitsOf(tenant)?.runsAtOnce === undefined) return
    await this.ports.askQuotas.release(tenant, runId).catch((error: unknown) => {
      this.ports.log.warn({ err: error, runId }, 'unfinished run not released: redis error')
    })
  }

  /** RateLimit and RateLimit-Policy of this caller, where its asks a minute are limited. */
  headers(caller: Caller): Record<string, string> {
    const { quotas, seconds } = this.standingOf(caller)
    if (quotas.length === 0) return {}
    return {
      'ratelimit-policy': quotas.map(({ name, quota }) => `"${name}";q=${quota};w=60`).join(', '),
      ratelimit: quotas.map(({ name, left }) => `"${name}";r=${left};t=${seconds}`).join(', '),
    }
  }

  /** The same as clients of OpenAI read it: of the quota that has least left. */
  openaiHeaders(caller: Caller): Record<string, string> {
    const { quotas, seconds } = this.standingOf(caller)
    const [least] = quotas.toSorted((one, other) => one.left - other.left)
    if (!least) return {}
    return {
      'x-ratelimit-limit-requests': `${least.quota}`,
      'x-ratelimit-remaining-requests': `${least.left}`,
      'x-ratelimit-reset-requests': `${seconds}s`,
    }
  }

  private standingOf(caller: Caller): { quotas: { name: string; quota: number; left: number }[]; seconds: number } {
    const limits = this.limitsOf(caller.tenant)
    if (!limits) return { quotas: [], seconds: 0 }
    const held = this.heldBy(caller)
    const quotas = [
      { name: 'tenant', quota: limits.ofTenant, left: held.leftOfTenant + held.asks },
      { name: 'key', quota: limits.ofKey, left: held.leftOfKey + held.asks },
    ].flatMap(({ quota, ...of }) => (quota === undefined ? [] : [{ ...of, quota }]))
    return { quotas, seconds: Math.max(0, Math.ceil((held.wholeAt - Date.now()) / 1_000)) }
  }

  limitsOf(tenant: string): AskLimits | null {
    const { asksPerMinute, keyAsksPerMinute: ofKey, runsAtOnce: atOnce } = this.ports.settings.quotas
    const [asks, runsAtOnce] = [ofTenant(asksPerMinute, tenant), ofTenant(atOnce, tenant)]
    return asks === undefined && ofKey === undefined && runsAtOnce === undefined
      ? null
      : { ofTenant: asks, ofKey, runsAtOnce }
  }

  private heldBy({ tenant, name }: Caller): Held {
    const key = `${tenant} ${name}`
    let held = this.held.get(key)
    if (!held) {
      const none = { asks: 0, took: 1, goodUntil: 0, leftOfTenant: 0, leftOfKey: 0, wholeAt: 0, refusedUntil: 0 }
      this.held.set(key, (held = { ...none, taking: undefined }))
    }
    return held
  }

  private async take(caller: Caller, limits: AskLimits, asks: number, runId: string): Promise<AsksTaken | null> {
    const { askQuotas, log } = this.ports
    try {
      return await askQuotas.take({ tenant: caller.tenant, key: caller.name, limits, asks, runId })
    } catch (error) {
      log.warn({ err: error }, 'asks are not counted: Redis does not answer')
      return null
    }
  }

  /** Returns whether what was taken counts. */
  private async takeSome(caller: Caller, limits: AskLimits, held: Held): Promise<boolean> {
    const rate = Math.min(limits.ofTenant ?? Infinity, limits.ofKey ?? Infinity)
    const most = Math.min(Math.ceil(rate * partTaken), mostTaken)
    const wanted = held.asks === 0 ? held.took * 2 : Math.max(1, held.took - held.asks)
    const taken = await this.take(caller, limits, Math.min(wanted, most), '')
    if (taken) this.note(held, taken)
    return taken !== null
  }

  private note(held: Held, taken: AsksTaken): void {
    const now = Date.now()
    if (taken.kind === 'full') return
    const { leftOfTenant, leftOfKey, wholeInMs } = taken
    Object.assign(held, { asks: 0, leftOfTenant, leftOfKey, wholeAt: now + wholeInMs })
    if (taken.kind === 'wait') held.refusedUntil = now + taken.ms
    else Object.assign(held, { asks: taken.asks, took: taken.asks, goodUntil: now + goodMs })
  }

  /** Where runs at once are limited too, every ask is counted by itself. */
  private async enterOneOf(caller: Caller, limits: AskLimits, runId: string): Promise<void> {
    const held = this.heldBy(caller)
    if (held.refusedUntil > Date.now()) throw this.tooOften(caller, held)
    let taken = await this.take(caller, limits, 1, runId)
    if (taken?.kind === 'full' && (await this.removeStale(caller.tenant)))
      taken = await this.take(caller, limits, 1, runId)
    if (!taken) return
    this.note(held, taken)
    held.asks = 0
    if (taken.kind === 'wait') throw this.tooOften(caller, held)
    if (taken.kind === 'full') throw this.tooMany(limits, taken.oldestMs)
  }

  /** Workers remove the runs they end. One more check before a refusal finds those that a crash left. */
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
    return this.ports.askQuotas.removeStale(tenant).catch((error: unknown) => {
      this.ports.log.warn({ err: error }, 'unfinished runs not checked: redis error')
      return false
    })
  }

  private tooOften(caller: Caller, held: Held): Refusal {
    return new Refusal(
      'too-many-asks',
      'More asks came than your tenant or key may send a minute. Send the rest later.',
      {
        retryAfter: secondsUntil(held.refusedUntil),
        headers: this.headers(caller),
      },
    )
  }

  /** If the runs began one after another, the next one ends after this part of the oldest one's time. */
  private tooMany({ runsAtOnce = 1 }: AskLimits, oldestMs: number): Refusal {
    const ms = Math.min(oldestMs / runsAtOnce, longestMs)
    return new Refusal(
      'too-many-runs',
      `Your tenant has ${runsAtOnce} runs under way, which is as many as it may. Ask again when one of them has ended.`,
      { retryAfter: secondsUntil(Date.now() + ms) },
    )
  }
}
