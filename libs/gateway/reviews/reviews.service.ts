import { Inject, Injectable } from '@nestjs/common'
import type { Decision, Lease, LedgerEvent, ReviewList, ReviewView } from '@plumbline/contracts'
import { decisionsFor, type Run } from '@plumbline/flow'
import type { LedgerEntry, RunStore } from '@plumbline/ports/run-store'
import type { Caller } from '../door/api-keys'
import { has } from '../door/caller'
import { notFound, Refusal } from '../door/problem'
import { STORE } from '../ports'
import { reviewPassages, reviewRow, reviewTask, reviewView } from '../present'
import { isFor, Moves } from '../runs/moves.service'
import { decide } from './decide'
import { Leases } from './leases.service'
import { pageOf } from './page'

const mostListed = 5_000
const askersActions: Decision['action'][] = ['retry', 'reject']
const closed = (taskId: string): Refusal =>
  new Refusal(
    'review-stale',
    `Task ${taskId} is closed: it was decided, or another draft took its place. Read the review again.`,
  )
const isOpen = (run: Run, taskId: string): boolean => reviewTask(run)?.id === taskId
const spent = (run: Run, action: string): Refusal =>
  new Refusal(
    'decision-not-possible',
    `The run has no moves left to ${action}. Possible: ${decisionsFor(run).join(', ')}.`,
  )

@Injectable()
export class Reviews {
  constructor(
    @Inject(STORE) private readonly store: RunStore,
    private readonly moves: Moves,
    private readonly leases: Leases,
  ) {}

  /** Parked runs, the oldest first. */
  async list(caller: Caller, page: { cursor?: string; limit: number }): Promise<ReviewList> {
    const { items, next } = pageOf(await this.parkedRuns(caller), page)
    const leases = await this.leases.ofRuns(items.map((run) => run.id))
    return { items: items.flatMap((run, index) => reviewRow(run, leases[index] ?? null) ?? []), next }
  }

  async view(caller: Caller, runId: string): Promise<ReviewView> {
    const { run } = await this.moves.load(caller, runId)
    const [evidence, trace, [lease]] = await Promise.all([
      this.store.evidence(runId, reviewPassages(run)),
      this.trace(runId),
      this.leases.ofRuns([runId]),
    ])
    const view = reviewView({ run, evidence, trace, lease: lease ?? null })
    if (!view) throw notFound('review: the run is not parked')
    return view
  }

  async take(caller: Caller, runId: string, who: string): Promise<Lease> {
    await this.parked(caller, runId)
    return this.leases.take(runId, who)
  }

  async putBack(caller: Caller, runId: string, who: string): Promise<void> {
    await this.parked(caller, runId)
    await this.leases.putBack(runId, who)
  }

  /** Bound to the draft its task names, and made once; the same decision again changes nothing. */
  async decide(caller: Caller, runId: string, decision: Decision, who: string): Promise<Run> {
    const { run: seen } = await this.moves.load(caller, runId)
    this.checkMay(caller, seen, decision)
    if (isOpen(seen, decision.taskId)) await this.leases.checkFree(runId, who)
    const { kind, run } = await this.moves.move(caller, runId, (run, at) => decide(run, decision, who, at))
    if (kind === 'moved') await this.leases.drop(runId).catch(() => undefined)
    else if (isOpen(run, decision.taskId)) throw spent(run, decision.action)
    else if (!(await this.madeBefore(run, decision))) throw closed(decision.taskId)
    return run
  }

  // Where the asker decides, they may retry or end; nobody but a reviewer releases what did not stand its check.
  private checkMay(caller: Caller, run: Run, { action }: Decision): void {
    if (has(caller, 'reviewer')) return
    const asker = caller.roles.has('asker') && run.policy.decider === 'asker'
    if (!asker) throw new Refusal('forbidden', 'Decisions on this run need a key with the role reviewer.')
    if (!askersActions.includes(action))
      throw new Refusal('forbidden', `An asker may ${askersActions.join(' or ')}, not ${action}.`)
  }

  private async madeBefore(run: Run, { taskId, decisionId, action }: Decision): Promise<boolean> {
    if (!(taskId in run.closed)) return false
    const same = (event: LedgerEvent): boolean =>
      event.type === 'decided' && event.task === taskId && event.decisionId === decisionId && event.action === action
    return (await this.trace(run.id)).some(({ event }) => same(event))
  }

  private async parked(caller: Caller, runId: string): Promise<Run> {
    const { run } = await this.moves.load(caller, runId)
    if (!reviewTask(run))
      throw new Refusal('review-stale', 'The run is not parked: it was decided, cancelled, or its time is over.')
    return run
  }

  private async parkedRuns(caller: Caller): Promise<{ item: Run; at: number; id: string }[]> {
    const ids: string[] = []
    let cursor: string | null = null
    do {
      const page = await this.store.list(caller.tenant, { cursor, limit: 500, status: 'parked' })
      ids.push(...page.ids)
      cursor = page.next
    } while (cursor !== null && ids.length < mostListed)
    const runs = await this.store.loadMany(ids)
    return runs.flatMap((run) => {
      const task = run && isFor(caller, run) && reviewTask(run)
      return task ? [{ item: run, at: task.openedAt, id: run.id }] : []
    })
  }

  private async trace(runId: string): Promise<LedgerEntry[]> {
    const all: LedgerEntry[] = []
    for (let more = true; more;) {
      const entries = await this.store.ledger(runId, all.at(-1)?.id ?? null, 500)
      all.push(...entries)
      more = entries.length === 500
    }
    return all
  }
}
