import { LRUCache } from 'lru-cache'
import type { AskLimits, MinuteTaken } from '@plumbline/adapters/redis/limits/ask-quotas'
import type { Caller } from '../http/authenticate'
import type { Refusal } from '../http/problem'

export type RateLimits = Pick<AskLimits, 'ofTenant' | 'ofKey'>

type Options = {
  names: { tenant: string; key: string }
  limitsOf(tenant: string): RateLimits | null
  /** Returns null if Redis does not answer. */
  take(caller: Caller, limits: RateLimits, count: number): Promise<MinuteTaken | null>
  refusal(retryAfter: number, headers: Record<string, string>): Refusal
}

type QuotaBlock = {
  count: number
  took: number
  goodUntil: number
  leftOfTenant: number
  leftOfKey: number
  wholeAt: number
  refusedUntil: number
  uncountedUntil: number
  taking: Promise<void> | undefined
}

/** A gateway takes at most this share of a quota from Redis in one call. */
const partTaken = 1 / 200
const mostTaken = 500
const goodMs = 1_000

const none = { count: 0, took: 1, goodUntil: 0, leftOfTenant: 0, leftOfKey: 0, wholeAt: 0, refusedUntil: 0 }

export const secondsUntil = (at: number): number => Math.max(1, Math.ceil((at - Date.now()) / 1_000))

export class MinuteQuotas {
  private readonly held = new LRUCache<string, QuotaBlock>({ max: 10_000 })

  constructor(private readonly options: Options) {}

  /** Admits or refuses a request. Returns a promise only if Redis must be asked. */
  enter(caller: Caller): void | Promise<void> {
    const limits = this.options.limitsOf(caller.tenant)
    if (!limits || (limits.ofTenant === undefined && limits.ofKey === undefined)) return
    const held = this.heldBy(caller)
    if (!this.letIn(caller, held)) return this.enterWithMore(caller, limits, held)
  }

  refuseIfWaiting(caller: Caller): void {
    if (this.heldBy(caller).refusedUntil > Date.now()) throw this.tooOften(caller)
  }

  noteSingle(caller: Caller, taken: MinuteTaken): void {
    const held = this.heldBy(caller)
    note(held, taken)
    held.count = 0
    if (taken.kind === 'wait') throw this.tooOften(caller)
  }

  headers(caller: Caller): Record<string, string> {
    const { quotas, seconds } = this.stateOf(caller)
    if (quotas.length === 0) return {}
    return {
      'ratelimit-policy': quotas.map(({ name, quota }) => `"${name}";q=${quota};w=60`).join(', '),
      ratelimit: quotas.map(({ name, left }) => `"${name}";r=${left};t=${seconds}`).join(', '),
    }
  }

  stateOf(caller: Caller): { quotas: { name: string; quota: number; left: number }[]; seconds: number } {
    const { names, limitsOf } = this.options
    const limits = limitsOf(caller.tenant)
    if (!limits) return { quotas: [], seconds: 0 }
    const held = this.heldBy(caller)
    const isWhole = held.wholeAt <= Date.now()
    const quotas = [
      { name: names.tenant, quota: limits.ofTenant, left: held.leftOfTenant + held.count },
      { name: names.key, quota: limits.ofKey, left: held.leftOfKey + held.count },
    ].flatMap(({ name, quota, left }) => (quota === undefined ? [] : [{ name, quota, left: isWhole ? quota : left }]))
    return { quotas, seconds: Math.max(0, Math.ceil((held.wholeAt - Date.now()) / 1_000)) }
  }

  private letIn(caller: Caller, held: QuotaBlock): boolean {
    const now = Date.now()
    if (held.uncountedUntil > now) return true
    if (held.refusedUntil > now) throw this.tooOften(caller)
    if (held.count === 0 || held.goodUntil <= now) return false
    held.count -= 1
    return true
  }

  private async enterWithMore(caller: Caller, limits: RateLimits, held: QuotaBlock): Promise<void> {
    do {
      held.taking ??= this.takeSome(caller, limits, held).finally(() => (held.taking = undefined))
      await held.taking
    } while (!this.letIn(caller, held))
  }

  private async takeSome(caller: Caller, limits: RateLimits, held: QuotaBlock): Promise<void> {
    const rate = Math.min(limits.ofTenant ?? Infinity, limits.ofKey ?? Infinity)
    const most = Math.min(Math.ceil(rate * partTaken), mostTaken)
    const wanted = held.count === 0 ? held.took * 2 : Math.max(1, held.took - held.count)
    const taken = await this.options.take(caller, limits, Math.min(wanted, most))
    if (taken) note(held, taken)
    // If Redis does not answer, requests are admitted for one second without being counted.
    else held.uncountedUntil = Date.now() + goodMs
  }

  private heldBy({ tenant, name }: Caller): QuotaBlock {
    const key = `${tenant} ${name}`
    let held = this.held.get(key)
    if (!held) this.held.set(key, (held = { ...none, uncountedUntil: 0, taking: undefined }))
    return held
  }

  private tooOften(caller: Caller): Refusal {
    return this.options.refusal(secondsUntil(this.heldBy(caller).refusedUntil), this.headers(caller))
  }
}

const note = (held: QuotaBlock, taken: MinuteTaken): void => {
  const now = Date.now()
  const { leftOfTenant, leftOfKey, wholeInMs } = taken
  Object.assign(held, { count: 0, leftOfTenant, leftOfKey, wholeAt: now + wholeInMs })
  if (taken.kind === 'wait') held.refusedUntil = now + taken.ms
  else Object.assign(held, { count: taken.asks, took: taken.asks, goodUntil: now + goodMs })
}
