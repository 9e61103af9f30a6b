import { Inject, Injectable } from '@nestjs/common'
import type { RedisClient } from '@plumbline/adapters/redis'
import type { Ask, LedgerEvent, RunList, RunStatus, RunView } from '@plumbline/contracts'
import { advance, end, lowered, policies, policyNamed, start, type Moved, type Policy, type Run } from '@plumbline/flow'
import type { Created, RunStore } from '@plumbline/ports/run-store'
import { Collections } from '../documents/collections.service'
import type { Caller } from '../door/api-keys'
import { contentHash, newId } from '../door/ids'
import { Refusal, wrongField } from '../door/problem'
import { Metrics } from '../ops/metrics.service'
import { REDIS, SETTINGS, STORE } from '../ports'
import { runSummary, runView, shownPassages, type Audience } from '../present'
import { bounds, type Settings } from '../settings'
import { Intake } from './intake.service'
import { Moves } from './moves.service'
import { StoreClock } from './store-clock.service'

const ended = new Set<RunStatus>([
  'answered',
  'needs_input',
  'declined',
  'unanswered',
  'rejected',
  'failed',
  'cancelled',
  'expired',
])
export const hasEnded = (run: Run): boolean => ended.has(run.status)

const laneOf = (runId: string, lanes: string[]): string => lanes[parseInt(runId.slice(-6), 36) % lanes.length] ?? 'main'

const policyOf = (name: string, limits: Ask['limits']): Policy => {
  const policy = policyNamed(name)
  if (!policy)
    throw wrongField(
      'policy',
      `there is no policy ${name}; use one of ${Object.keys(policies).join(', ')}, or leave it out`,
      'unknown-policy',
    )
  return limits ? lowered(policy, limits) : policy
}

const orRefuse = (moved: Moved | { kind: 'stale' }): Moved => {
  if (moved.kind === 'stale') throw new Error('a new run refused to be admitted')
  return moved
}

@Injectable()
export class Runs {
  constructor(
    @Inject(STORE) private readonly store: RunStore,
    @Inject(REDIS) private readonly redis: RedisClient,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly collections: Collections,
    private readonly moves: Moves,
    private readonly clock: StoreClock,
    private readonly intake: Intake,
    private readonly metrics: Metrics,
  ) {}

  /** Schedule, create, dispatch, in this order: a run whose creator dies is found by the sweeper. */
  async ask(caller: Caller, ask: Ask, key: string | undefined): Promise<Run> {
    const readable = await this.collections.readable(caller.tenant, ask.collection)
    const at = this.clock.now()
    const policy = policyOf(ask.policy ?? readable.policy ?? 'standard', ask.limits)
    const id = newId('r', caller.tenant, key)
    const lane = laneOf(id, this.settings.lanes)
    const { question, threadId, filters, metadata, deadlineMs } = ask
    const { webOn, skills } = this.settings
    const asked = start(
      {
        id,
        tenant: caller.tenant,
        lane,
        question,
        collections: readable.names,
        webOn,
        skills,
        threadId,
        filters,
        metadata,
        at,
        deadlineMs,
      },
      policy,
    )
    const admitted = orRefuse(advance(asked.run, { kind: 'admit', taskId: 'admit', result: { outcome: 'admitted' }, at }))
    const events = [...asked.events, ...admitted.events]
    const created = await this.put(admitted.run, events, key === undefined ? '' : contentHash(ask), at)
    if (created.kind === 'conflict')
      throw new Refusal('idempotency-key-reused', 'Send the same body again, or use a new Idempotency-Key.')
    this.metrics.asks.inc({ policy: policy.name })
    const run = created.kind === 'exists' ? created.run : admitted.run
    await this.intake.dispatch(run)
    return run
  }

  // One connection keeps the order without waiting in between; the nodes of a cluster are several.
  private async put(run: Run, events: LedgerEvent[], bodyHash: string, at: number): Promise<Created> {
    const scheduled = this.store.schedule({ lane: run.lane, runId: run.id }, at + bounds.firstLookMs)
    if (this.redis.isCluster) await scheduled
    const [created] = await Promise.all([this.store.create(run, events, bodyHash), scheduled])
    return created
  }

  async run(caller: Caller, runId: string): Promise<Run> {
    return (await this.moves.load(caller.tenant, runId)).run
  }

  async view(run: Run, audience: Audience): Promise<RunView> {
    const shown = shownPassages(run, audience)
    return runView(run, shown.length > 0 ? await this.store.evidence(run.id, shown) : [], audience)
  }

  async list(caller: Caller, page: { cursor?: string; limit: number; status?: RunStatus }): Promise<RunList> {
    const { ids, next } = await this.store.list(caller.tenant, {
      cursor: page.cursor ?? null,
      limit: page.limit,
      status: page.status,
    })
    const runs = await this.store.loadMany(ids)
    return { items: runs.flatMap((run) => (run ? [runSummary(run)] : [])), next }
  }

  /** Cancelling twice is cancelling once. */
  async cancel(caller: Caller, runId: string): Promise<Run> {
    const { kind, run } = await this.moves.move(caller.tenant, runId, (run, at) =>
      end(run, { status: 'cancelled', by: caller.name, at }),
    )
    if (kind === 'stale' && run.status !== 'cancelled')
      throw new Refusal('run-ended', `The run ended as ${run.status}; there is nothing left to cancel.`)
    return run
  }
}
