import { Inject, Injectable } from '@nestjs/common'
import type { RedisClient, Spending } from '@plumbline/adapters/redis'
import { traceOf, type Ask, type LedgerEvent, type RunList, type RunStatus, type RunView } from '@plumbline/contracts'
import { end, type Run } from '@plumbline/flow'
import type { Created, RunStore } from '@plumbline/ports/run-store'
import type { Caller } from '../door/api-keys'
import { contentHash, newId } from '../door/ids'
import { Refusal } from '../door/problem'
import { Metrics } from '../ops/metrics.service'
import { REDIS, SPENDING, STORE } from '../ports'
import { promptly } from '../promptly'
import { runSummary, runView, shownPassages, type Audience } from '../present'
import { bounds } from '../settings'
import { Budget } from '../usage/budget.service'
import { Intake } from './intake.service'
import { isFor, Moves } from './moves.service'
import { Prepare } from './prepare.service'
import { StoreClock } from './store-clock.service'
import { Threads } from './threads.service'

@Injectable()
export class Runs {
  constructor(
    @Inject(STORE) private readonly store: RunStore,
    @Inject(REDIS) private readonly redis: RedisClient,
    @Inject(SPENDING) private readonly spending: Spending,
    private readonly prepare: Prepare,
    private readonly budget: Budget,
    private readonly threads: Threads,
    private readonly moves: Moves,
    private readonly clock: StoreClock,
    private readonly intake: Intake,
    private readonly metrics: Metrics,
  ) {}

  /** Schedule, create, dispatch, in this order: a run whose creator dies is found by the sweeper. */
  async ask(caller: Caller, ask: Ask, key: string | undefined, gone?: AbortSignal): Promise<Run> {
    const id = newId('r', caller.tenant, key)
    await this.checkBudget(caller, id, key)
    // A request that comes again finds its run, and waits for no other of its thread.
    const isKnown = key !== undefined && ask.threadId !== undefined && (await this.store.load(id)) !== null
    const { run: asked, events } = await this.prepare.run(caller, ask, { id, isKnown, gone })
    const putting = this.put(asked, events, key === undefined ? '' : contentHash(ask))
    // Without a key the id is new for certain, and one connection keeps the order: its job leaves right behind it.
    const dispatched = key === undefined && !this.redis.isCluster ? this.intake.dispatch(asked) : undefined
    const created = isKnown ? await putting : await this.orLeave(asked, putting)
    if (created.kind === 'conflict' || (created.kind === 'exists' && !isFor(caller, created.run)))
      throw new Refusal('idempotency-key-reused', 'Send the same body again, or use a new Idempotency-Key.')
    if (created.kind === 'created') this.metrics.asks.inc({ policy: asked.policy.name })
    const run = created.kind === 'exists' ? created.run : asked
    await (dispatched ?? this.intake.dispatch(run))
    return run
  }

  /** A request that comes again finds its run, whatever has been spent since. */
  private async checkBudget({ tenant }: Caller, id: string, key: string | undefined): Promise<void> {
    try {
      await this.budget.check(tenant, this.clock.now())
    } catch (refusal) {
      if (key === undefined || (await this.store.load(id)) === null) throw refusal
    }
  }

  // One connection keeps the order without waiting in between; the nodes of a cluster are several.
  private async put(run: Run, events: LedgerEvent[], bodyHash: string): Promise<Created> {
    const scheduled = this.store.schedule({ lane: run.lane, runId: run.id }, run.createdAt + bounds.firstLookMs)
    if (this.redis.isCluster) await scheduled
    const [created] = await Promise.all([this.store.create(run, events, bodyHash), scheduled])
    return created
  }

  private async orLeave(run: Run, putting: Promise<Created>): Promise<Created> {
    const created = await putting.catch(async (error: unknown) => {
      await this.threads.leave(run)
      throw error
    })
    if (created.kind === 'conflict') await this.threads.leave(run)
    return created
  }

  async run(caller: Caller, runId: string): Promise<Run> {
    return (await this.moves.load(caller, runId)).run
  }

  async view(run: Run, audience: Audience): Promise<RunView> {
    const shown = shownPassages(run, audience)
    const [evidence, usage] = await Promise.all([
      shown.length > 0 ? this.store.evidence(run.id, shown) : [],
      run.status === 'queued' ? null : promptly(() => this.spending.ofRun(run.id)),
    ])
    const view = runView(usage ? { ...run, usage } : run, evidence, audience)
    return audience === 'desk' ? { ...view, trace: await this.trace(run) } : view
  }

  /** Moves are bounded, and so is the ledger. */
  private async trace(run: Run): Promise<string[]> {
    return traceOf((await this.store.ledger(run.id, null, bounds.ledger)).map(({ event }) => event))
  }

  async list(caller: Caller, page: { cursor?: string; limit: number; status?: RunStatus }): Promise<RunList> {
    const { ids, next } = await this.store.list(caller.tenant, {
      cursor: page.cursor ?? null,
      limit: page.limit,
      status: page.status,
    })
    const runs = await this.store.loadMany(ids)
    return { items: runs.flatMap((run) => (run && isFor(caller, run) ? [runSummary(run)] : [])), next }
  }

  /** Cancelling twice is cancelling once. */
  async cancel(caller: Caller, runId: string): Promise<Run> {
    const { kind, run } = await this.moves.move(caller, runId, (run, at) =>
      end(run, { status: 'cancelled', by: caller.name, at }),
    )
    if (kind === 'stale' && run.status !== 'cancelled')
      throw new Refusal('run-ended', `The run ended as ${run.status}; there is nothing left to cancel.`)
    return run
  }
}
