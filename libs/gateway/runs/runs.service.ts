import { Injectable } from '@nestjs/common'
import { type Filters, traceOf, type RunList, type RunStatus, type RunView } from '@plumbline/contracts'
import { end, type Moved, openJobs, type Run } from '@plumbline/flow'
import { passes } from '@plumbline/ports/passage-index/filters'
import { dispatch, moveRun } from '@plumbline/worker/move'
import type { Caller } from '../http/authenticate'
import { coversAccess } from '../http/caller'
import { notFound, Refusal } from '../http/problem'
import { Common, RunPorts, LimitPorts, withGatewayTimeout } from '../ports'
import type { Audience } from '../present/answer'
import { runSummary, runView, scoreOf, shownPassages } from '../present/run-view'
import { bounds } from '../settings'
import { runSearches } from './run-searches'
import { StoreClock } from './store-clock.service'

export type Reader = Pick<Caller, 'tenant' | 'access'>
type Compute = (run: Run, now: number) => (Moved & { before?: number }) | { kind: 'stale' }

type RunFilter = {
  policy?: string
  collection?: string
  reason?: string
  words?: string
  threadId?: string
  metadata?: Filters
  minScore?: number
  maxScore?: number
  minCents?: number
  maxCents?: number
}
type RunsAsked = RunFilter & { cursor?: string | null; limit: number; status?: RunStatus; from?: number; to?: number }

const isFrom = (value: number | undefined, least: number | undefined, most: number | undefined): boolean =>
  (least === undefined && most === undefined) ||
  (value !== undefined && value >= (least ?? -Infinity) && value <= (most ?? Infinity))

/** `minScore` and `maxScore` apply to the score that the asker sees. */
const wantedBy = ({ words = '', metadata = {}, minScore, maxScore, ...asked }: RunFilter): ((run: Run) => boolean) => {
  const { policy, collection, reason, threadId, minCents, maxCents } = asked
  const parts = words.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return (run) => {
    const question = run.question.toLocaleLowerCase()
    return (
      (policy === undefined || run.policy.name === policy) &&
      (collection === undefined || (run.route?.collections ?? run.collections).includes(collection)) &&
      (reason === undefined || run.reason === reason) &&
      (threadId === undefined || run.threadId === threadId) &&
      isFrom(scoreOf(run), minScore, maxScore) &&
      isFrom(run.usage.cents, minCents, maxCents) &&
      passes(metadata, run.metadata ?? {}) &&
      parts.every((part) => question.includes(part))
    )
  }
}

/** Returns whether the reader may see the run. A reader needs all access tags of the run. */
export const isFor = ({ tenant, access }: Reader, run: Run): boolean =>
  run.tenant === tenant && coversAccess(access, run.access)

@Injectable()
export class Runs {
  private readonly inTurn = runSearches()

  constructor(
    private readonly common: Common,
    private readonly runPorts: RunPorts,
    private readonly limitPorts: LimitPorts,
    private readonly clock: StoreClock,
  ) {}

  async get(caller: Reader, runId: string): Promise<Run> {
    const loaded = await this.runPorts.store.load(runId)
    if (!loaded || !isFor(caller, loaded.run)) throw notFound('run')
    return loaded.run
  }

  async view(run: Run, audience: Audience): Promise<RunView> {
    const { store } = this.runPorts
    const { spending } = this.limitPorts
    const shown = shownPassages(run, audience)
    const [evidence, usage, place] = await Promise.all([
      shown.length > 0 ? store.evidence(run.id, shown) : [],
      run.status === 'queued' ? null : withGatewayTimeout(() => spending.ofRun(run.id)),
      run.status === 'parked' ? store.parkedPlace(run) : null,
    ])
    const view = runView(usage ? { ...run, usage } : run, evidence, audience, place)
    if (audience === 'asker') return view
    // The policy limits the state changes of a run, so one read returns the whole ledger.
    const ledger = await store.ledger(run.id, null, bounds.ledger)
    return { ...view, trace: traceOf(ledger.map(({ event }) => event)) }
  }

  async viewInQueue(run: Run, audience: Audience): Promise<RunView> {
    const view = await this.view(run, audience)
    const [job] = run.status === 'queued' ? openJobs(run) : []
    if (!job) return view
    const ahead = await withGatewayTimeout(() => this.runPorts.queue.ahead(run.lane, job))
    const waitingMs = Math.max(0, this.clock.now() - run.createdAt)
    return {
      ...view,
      queue: { position: ahead === null ? 0 : ahead + 1, class: run.class ?? 'interactive', waitingMs },
    }
  }

  async list(caller: Caller, { cursor = null, limit, status, from, to, ...asked }: RunsAsked): Promise<RunList> {
    const isPlain = Object.values(asked).every((value) => value === undefined)
    const page = {
      cursor,
      limit,
      ...(status && { status }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    }
    const { store } = this.runPorts
    const { ids, next } = await (isPlain
      ? store.list(caller.tenant, page)
      : this.inTurn(caller, () => store.list(caller.tenant, { ...page, wanted: wantedBy(asked) })))
    const runs = await store.loadMany(ids)
    return { items: runs.flatMap((run) => (run && isFor(caller, run) ? [runSummary(run)] : [])), next }
  }

  async move(caller: Reader, runId: string, compute: Compute): Promise<{ kind: 'moved' | 'stale' | 'late'; run: Run }> {
    const { store, queue } = this.runPorts
    const { log } = this.common
    const outcome = await moveRun(store, runId, (run, now) => {
      if (!isFor(caller, run)) throw notFound('run')
      return compute(run, now)
    })
    if (outcome.kind === 'gone') throw notFound('run')
    if (outcome.kind === 'stale' || outcome.kind === 'late') return outcome
    if (outcome.kind !== 'moved')
      throw new Refusal(
        'unavailable',
        'The run changed several times during this request, so the change was not made. Send the request again.',
        { retryAfter: 1 },
      )
    // If the jobs of the stored change cannot be queued, the sweeper adds them later.
    await withGatewayTimeout(() => dispatch({ store, queue }, outcome.before, outcome.after)).catch((error: unknown) =>
      log.warn({ err: error }, 'jobs of a run not queued: the periodic check will retry'),
    )
    return { kind: 'moved', run: outcome.after }
  }

  async cancel(caller: Caller, runId: string): Promise<Run> {
    const { kind, run } = await this.move(caller, runId, (run, at) =>
      end(run, { status: 'cancelled', by: caller.name, at }),
    )
    if (kind === 'stale' && run.status !== 'cancelled')
      throw new Refusal('run-ended', `The run ended as ${run.status}; there is nothing left to cancel.`)
    return run
  }

  /** Cancels the run of a disconnected client. Without an idempotency key, the client cannot find the run again. */
  async giveUp(caller: Caller, runId: string): Promise<void> {
    await this.move(caller, runId, (run, at) => end(run, { status: 'cancelled', by: caller.name, at })).catch(
      (error: unknown) => this.common.log.warn({ err: error, runId }, 'run of a disconnected client not cancelled'),
    )
  }
}
