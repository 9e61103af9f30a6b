import { Injectable } from '@nestjs/common'
import type { Ask, LedgerEvent } from '@plumbline/contracts'
import { advance, withLimits, openJobs, start, type Moved, type Policy, type Run } from '@plumbline/flow'
import { addToScope, currentOrigin } from '@plumbline/platform/trace-scope'
import { ruleFor, type RoutingRule } from '@plumbline/hosting/routing/rules'
import type { Created } from '@plumbline/ports/run-store/run-store'
import { Admission } from '../admission/admission.service'
import { Collections } from '../documents/collections.service'
import type { Caller } from '../http/authenticate'
import { accessOf } from '../http/caller'
import { Refusal } from '../http/problem'
import { contentHash, newId } from '../http/request-values'
import { Metrics } from '../ops/metrics.service'
import { Common, RunPorts, withGatewayTimeout } from '../ports'
import { TenantRules } from '../rules/rules.service'
import { bounds, isHeld } from '../settings'
import { isFor } from './runs.service'
import { turnsFromClient, type ThreadTurn } from './conversation'
import { StoreClock } from './store-clock.service'
import { Threads } from './threads.service'
import { inAskSpan, noteAsk } from './trace-ask'
import { Budget } from './usage'

/**
 * `turns`: ignored if the question belongs to a thread. `repeats`: true if the question was asked before. Its policy
 * may then be one that is no longer offered.
 */
export type AskWithTurns = Ask & { turns?: ThreadTurn[] | undefined; repeats?: boolean }
type IncomingAsk = {
  caller: Caller
  ask: AskWithTurns
  key: string | undefined
  clientClosed: AbortSignal | undefined
  id: string
}
type AskContext = { id: string; known: Run | undefined; clientClosed: AbortSignal | undefined }

const defaultPolicy = 'standard'
export const laneOf = (runId: string, lanes: string[]): string =>
  (lanes.length === 1 ? lanes[0] : lanes[parseInt(runId.slice(-6), 36) % lanes.length]) ?? 'main'

/** The router applies routing rules. If the policy skips the router, the collections of the rule are applied here. */
const collectionsOf = (readable: string[], { entry }: Policy, rule: RoutingRule | undefined): string[] => {
  const wanted = rule?.then.collections
  return wanted && entry !== 'route' ? readable.filter((name) => wanted.includes(name)) : readable
}

@Injectable()
export class Asks {
  constructor(
    private readonly common: Common,
    private readonly runPorts: RunPorts,
    private readonly collections: Collections,
    private readonly threads: Threads,
    private readonly tenantRules: TenantRules,
    private readonly clock: StoreClock,
    private readonly budget: Budget,
    private readonly admission: Admission,
    private readonly metrics: Metrics,
  ) {}

  ask(caller: Caller, ask: AskWithTurns, key: string | undefined, clientClosed?: AbortSignal): Promise<Run> {
    const id = newId('r', caller.tenant, key)
    addToScope({ runId: id })
    return inAskSpan(() => this.store({ caller, ask, key, clientClosed, id }))
  }

  private async store({ caller, ask, key, clientClosed, id }: IncomingAsk): Promise<Run> {
    // A repeated request uses no budget and does not wait for its thread.
    const known = key === undefined ? undefined : (await this.runPorts.store.load(id))?.run
    if (!known) {
      const spent = this.budget.check(caller.tenant, this.clock.now())
      if (spent) await spent
      const entered = this.admission.enter(caller, id)
      if (entered) await entered
    }
    const { run: asked, events } = await this.prepare(caller, ask, { id, known, clientClosed }).catch(
      async (error: unknown) => {
        if (!known) await this.admission.release(caller, id)
        throw error
      },
    )
    const putting = this.put(asked, events, key === undefined ? '' : contentHash(ask))
    const created = known ? await putting : await this.releaseThreadOnError(asked, putting)
    if (created.kind === 'conflict' || (created.kind === 'exists' && !isFor(caller, created.run)))
      throw new Refusal('idempotency-key-reused', 'Send the same body again, or use a new Idempotency-Key.')
    if (created.kind === 'created') this.metrics.asks.inc({ policy: asked.policy.name })
    const run = created.kind === 'exists' ? created.run : asked
    noteAsk(run, created.kind === 'exists')
    await this.dispatch(run)
    return run
  }

  private async prepare(
    caller: Caller,
    { policy, limits, collection, threadId: named, whenBusy, access, turns = [], repeats, ...ask }: AskWithTurns,
    { id, known, clientClosed }: AskContext,
  ): Promise<Moved> {
    const { tenant } = caller
    const { webSearch: webOn, models, lanes, routesFile: rules } = this.common.settings
    if (policy !== undefined && !repeats) this.runPorts.policies.refuseOthers(policy)
    const reading = accessOf(caller, access)
    const [readable, held] = await Promise.all([
      this.collections.readableCollections(caller, collection, reading),
      this.tenantRules.forAsk({ tenant, id, question: ask.question, threadId: named }),
    ])
    const rule = ruleFor(rules, { tenant, question: ask.question, collections: readable.names })
    const chosen = this.runPorts.policies.byName(
      policy ?? rule?.then.policy ?? readable.policy ?? defaultPolicy,
      isHeld(this.common.settings, tenant),
    )
    const ruled = policy === undefined && rule?.then.policy !== undefined ? rule : undefined
    const limited = limits ? withLimits(chosen, limits) : chosen
    const lane = known?.lane ?? laneOf(id, lanes)
    const { class: kind = 'interactive' } = ask
    const [turn] = known
      ? [known.turn]
      : await Promise.all([
          this.admission.turn({ tenant, class: kind, lane, policy: limited }),
          this.budget.reserve({ id, tenant, policy: limited }, this.clock.now()),
        ])
    const { threadId, inThread = turnsFromClient(turns) } = known
      ? { threadId: known.threadId, inThread: undefined }
      : await this.threads.claimThread(
          { tenant, access: reading },
          { threadId: named, replaces: ask.replaces, id, question: ask.question, whenBusy, by: caller, clientClosed },
        )
    const at = this.clock.now()
    const asked = start(
      {
        ...ask,
        ...held,
        access: reading,
        id,
        tenant,
        lane,
        turn,
        collections: collectionsOf(readable.names, chosen, ruled),
        ...(collection !== undefined && readable.names.length > 1 && { named: true as const }),
        webOn,
        skills: models.label,
        askedBy: caller.name,
        origin: currentOrigin(),
        threadId,
        inThread,
        at,
      },
      limited,
    )
    const admitted = advance(asked.run, { kind: 'admit', taskId: 'admit', result: { outcome: 'admitted' }, at })
    if (admitted.kind === 'stale') throw new Error('a new run could not be admitted')
    return { ...admitted, events: [...asked.events, ...admitted.events] }
  }

  /** Stores the run. A check of the run is scheduled before that, so that the sweeper finds the run after a crash. */
  private async put(run: Run, events: LedgerEvent[], bodyHash: string): Promise<Created> {
    const { store } = this.runPorts
    await store.schedule({ lane: run.lane, runId: run.id }, run.createdAt + bounds.firstDueMs)
    return store.create(run, events, bodyHash)
  }

  private async releaseThreadOnError(run: Run, putting: Promise<Created>): Promise<Created> {
    const created = await putting.catch(async (error: unknown) => {
      await this.threads.releaseThread(run)
      throw error
    })
    if (created.kind === 'conflict') await this.threads.releaseThread(run)
    return created
  }

  /** Does not throw, because the sweeper adds missing jobs later. */
  private async dispatch(run: Run): Promise<void> {
    try {
      await withGatewayTimeout(() => this.runPorts.queue.add(run.lane, openJobs(run)))
    } catch (error) {
      this.common.log.warn({ err: error }, 'jobs of a run not queued: the periodic check will retry')
    }
  }
}
