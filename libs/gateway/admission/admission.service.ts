import { Injectable } from '@nestjs/common'
import type { AskClass } from '@plumbline/contracts'
import { policies, movesWithoutRetry, type Policy } from '@plumbline/flow'
import { ofTenant } from '@plumbline/platform/tenant-limit'
import type { Caller } from '../http/authenticate'
import { Refusal } from '../http/problem'
import { Common, LimitPorts, withGatewayTimeout } from '../ports'
import { bounds } from '../settings'
import { AskRates } from './ask-rates.service'
import { QueueWatch } from './queue-watch.service'

type TurnRequest = { tenant: string; class: AskClass; lane: string; policy: Policy }
type Pace = { at: number; servedNow: number; perMs: number }

const ordinaryMoves = policies.standard ? movesWithoutRetry(policies.standard) : 1
const paceMs = 1_000
/** While jobs wait too long, a question is refused if its tenant has more waiting runs than this. */
const mayBeBehind = 1
const longestSeconds = 3_600

@Injectable()
export class Admission {
  private readonly paces = new Map<string, Pace>()

  constructor(
    private readonly common: Common,
    private readonly limitPorts: LimitPorts,
    private readonly rates: AskRates,
    private readonly watch: QueueWatch,
  ) {}

  /** Counts the request toward the quotas. Do not call this for a repeated request, which is already counted. */
  enter(caller: Caller, runId: string): void | Promise<void> {
    return this.rates.enter(caller, runId)
  }

  release(caller: Caller, runId: string): Promise<void> {
    return this.rates.release(caller.tenant, runId)
  }

  /** Returns the limits for batches: half of the tenant's limits, so that other questions are not blocked. */
  shareOfBatches(tenant: string): { atOnce: number; perMinute: number | undefined } {
    const { runsAtOnce, ofTenant = Infinity, ofKey = Infinity } = this.rates.limitsOf(tenant) ?? {}
    const half = (most: number): number => Math.max(1, Math.floor(most / 2))
    const perMinute = Math.min(ofTenant, ofKey)
    return {
      atOnce: runsAtOnce === undefined ? bounds.batchRuns : half(runsAtOnce),
      perMinute: Number.isFinite(perMinute) ? half(perMinute) : undefined,
    }
  }

  headers(caller: Caller): Record<string, string> {
    return this.rates.headers(caller)
  }

  completionHeaders(caller: Caller): Record<string, string> {
    return { ...this.rates.headers(caller), ...this.rates.openaiHeaders(caller) }
  }

  /** Returns the run's position in the queue. While jobs wait too long, refuses tenants that have waiting runs. */
  async turn({ tenant, class: kind, lane, policy }: TurnRequest): Promise<number> {
    const { fairShare } = this.limitPorts
    const { settings } = this.common
    const mostQueuedMs = settings.maxQueueSeconds * 1_000
    const asked = {
      tenant,
      class: kind,
      cost: movesWithoutRetry(policy) / ordinaryMoves,
      weight: ofTenant(settings.tenantWeights, tenant) ?? 1,
      ...(this.watch.oldestInteractiveMs > mostQueuedMs && { mayBeBehind }),
    }
    const taken = fairShare.take(lane, asked)
    const turn = taken instanceof Promise ? await withGatewayTimeout(() => taken) : taken
    const perMs = this.paceOf(lane, turn.servedNow)
    if (turn.kind === 'taken') return turn.turn
    throw this.tooLong(turn.by, perMs, mostQueuedMs)
  }

  private paceOf(lane: string, servedNow: number): number {
    const now = performance.now()
    const pace = this.paces.get(lane)
    if (pace && now - pace.at < paceMs) return pace.perMs
    const perMs = pace ? (servedNow - pace.servedNow) / (now - pace.at) : 0
    this.paces.set(lane, { at: now, servedNow, perMs })
    return perMs
  }

  private tooLong(by: number, perMs: number, mostQueuedMs: number): Refusal {
    const ms = perMs > 0 ? (by - mayBeBehind) / perMs : mostQueuedMs
    return new Refusal(
      'queue-too-long',
      `The queue is too long: runs wait more than ${mostQueuedMs / 1_000} s. The waiting runs of your tenant already need as much work as ${Math.ceil(by)} ordinary runs. Ask again when they have started.`,
      { retryAfter: Math.min(Math.max(1, Math.ceil(ms / 1_000)), longestSeconds) },
    )
  }
}
