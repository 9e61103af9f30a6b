import { Injectable } from '@nestjs/common'
import { z } from 'zod'
import {
  type Assignment,
  type Lease,
  type NewNote,
  type PendingDecision,
  ReviewOrder,
  type ReviewList,
  type ReviewView,
} from '@plumbline/contracts'
import {
  addNote,
  assignRun,
  type ParkedGroup,
  reviewPassages,
  reviewTask,
  type Run,
  searchWords,
} from '@plumbline/flow'
import type { Caller } from '../http/authenticate'
import { coversAccess } from '../http/caller'
import { notFound, wrongField } from '../http/problem'
import { cursor, limitOfPage } from '../http/validate'
import { RunPorts, ReviewPorts } from '../ports'
import { pendingDecision, reviewCounts, reviewRow, reviewView } from '../present/review-view'
import { type Reader, Runs } from '../runs/runs.service'
import { StoreClock } from '../runs/store-clock.service'
import { bounds } from '../settings'
import { beforeDue } from './refused-decision'
import { ledgerOf, notParked, takenByOther } from './open-review'

const name = z.string().min(1).max(200).optional()
export const ReviewsQuery = z.strictObject({
  cursor,
  limit: limitOfPage,
  order: ReviewOrder.default('deadline'),
  policy: name,
  collection: name,
  reason: name,
  assignee: name,
  escalated: z.enum(['true']).optional(),
  /** Matches the beginnings of words in the question, asker, metadata and draft. */
  words: z.string().max(500).optional(),
  dueBy: z.iso.datetime({ offset: true, error: 'send a time in ISO format, such as 2027-11-22T20:00:00Z' }).optional(),
})
export type ReviewsQuery = z.infer<typeof ReviewsQuery>

@Injectable()
export class Reviews {
  constructor(
    private readonly runPorts: RunPorts,
    private readonly reviewPorts: ReviewPorts,
    private readonly runs: Runs,
    private readonly clock: StoreClock,
  ) {}

  async list(caller: Caller, who: string, query: ReviewsQuery): Promise<ReviewList> {
    const { cursor, limit, order, policy, collection, reason, assignee, escalated, words = '', dueBy } = query
    const wanted = (group: ParkedGroup): boolean =>
      coversAccess(caller.access, group.access) &&
      (policy === undefined || group.policy === policy) &&
      (reason === undefined || group.reason === reason) &&
      (escalated === undefined || group.escalated === true) &&
      (assignee === undefined || (group.assignee ?? 'none') === assignee) &&
      (collection === undefined || group.collections.includes(collection))
    const searched = searchWords(words)
    // A search text without any word, such as `?`, matches no review.
    const matches = words.trim() !== '' && searched.length === 0 ? () => false : wanted
    const { rows, next, groups, oldestAt, due } = await this.runPorts.store.parked(caller.tenant, {
      order,
      cursor: cursor ?? null,
      limit,
      wanted: matches,
      words: searched,
      ...(dueBy !== undefined && { dueBy: Date.parse(dueBy) }),
    })
    const ids = rows.map(({ runId }) => runId)
    const [leases, pending, taken, hidden, yours] = await Promise.all([
      this.reviewPorts.leases.ofRuns(ids),
      this.pendingOf(caller.tenant, ids),
      this.reviewPorts.leases.holders(caller.tenant),
      this.hiddenFrom(caller),
      this.workOf(caller.tenant, who),
    ])
    return {
      items: rows.map((row, index) => reviewRow(row, leases[index] ?? null, pending.get(row.runId) ?? null)),
      next,
      counts: {
        ...reviewCounts(groups),
        ...(due !== undefined && { due }),
        taken: taken.filter((holder) => this.reviewPorts.currentActor(holder) !== who).length,
      },
      ...(hidden && { hidden }),
      yours,
      oldestAgeMs: oldestAt === null ? null : Math.max(0, Math.round(this.clock.now() - oldestAt)),
    }
  }

  async view(caller: Caller, runId: string): Promise<ReviewView> {
    const run = await this.runs.get(caller, runId)
    const [evidence, trace, [lease]] = await Promise.all([
      this.runPorts.store.evidence(runId, reviewPassages(run)),
      ledgerOf(this.runPorts.store, runId),
      this.reviewPorts.leases.ofRuns([runId]),
    ])
    const view = reviewView({ run, evidence, trace, lease: lease ?? null })
    if (!view) throw notFound('review: the run is not parked')
    return view
  }

  private async hiddenFrom({ access, tenant }: Caller): Promise<ReviewList['hidden']> {
    if (access === 'all') return undefined
    const isHidden = (group: ParkedGroup): boolean => !coversAccess(access, group.access)
    const { groups } = await this.runPorts.store.parked(tenant, {
      order: 'age',
      cursor: null,
      limit: 1,
      wanted: isHidden,
    })
    const tags = groups.flatMap(({ group }) => (group.access === 'all' ? '*' : (group.access ?? [])))
    const missing = new Set(tags).difference(new Set(access))
    return groups.length === 0
      ? undefined
      : { total: groups.reduce((sum, { count }) => sum + count, 0), tags: [...missing].sort() }
  }

  private async workOf(tenant: string, name: string): Promise<ReviewList['yours']> {
    const { reviewers } = this.reviewPorts
    const [all, assigned] = await Promise.all([
      reviewers.available(tenant, this.clock.now()),
      reviewers.assigned(tenant),
    ])
    const atMost = all.find((each) => each.name === name)?.atMost
    return { assigned: assigned.get(name) ?? 0, ...(atMost !== undefined && { atMost }) }
  }

  // Loads only the runs with a pending decision, because there are only a few of them.
  private async pendingOf(tenant: string, runIds: string[]): Promise<Map<string, PendingDecision>> {
    const waiting = await this.reviewPorts.pendingDecisions.among(tenant, runIds)
    const runs = waiting.length > 0 ? await this.runPorts.store.loadMany(waiting) : []
    return new Map(
      runs.flatMap((run) => {
        const pending = run && pendingDecision(run)
        return pending ? [[run.id, pending]] : []
      }),
    )
  }

  async take(caller: Caller, runId: string, who: string): Promise<Lease> {
    await this.parked(caller, runId)
    const lease = await this.reviewPorts.leases.take(caller.tenant, runId, who, bounds.leaseMs)
    if (this.reviewPorts.currentActor(lease.by) !== who) throw takenByOther(lease.by)
    return lease
  }

  async putBack(caller: Caller, runId: string, who: string): Promise<void> {
    await this.parked(caller, runId)
    const holder = await this.reviewPorts.leases.putBack(caller.tenant, runId, who)
    if (holder !== null) throw takenByOther(holder)
  }

  async assign(caller: Caller, runId: string, { to }: Assignment): Promise<void> {
    await this.change(caller, runId, (run, now) => beforeDue(run, now, assignRun(run, to)))
  }

  /** Changes a run, and then lists the run under its latest assignee. */
  async change(caller: Reader, runId: string, compute: Parameters<Runs['move']>[2]): Promise<void> {
    await this.move(caller, runId, compute)
    // Another caller may assign the run at the same time, so the run is listed again until the list shows its latest
    // assignee.
    for (let listed: Run | undefined; ;) {
      const run = await this.runs.get(caller, runId)
      if (!reviewTask(run)) return
      if (listed && listed.assignee === run.assignee && listed.autoAssigned === run.autoAssigned) return
      await this.runPorts.store.relist(run)
      listed = run
    }
  }

  async addNote(caller: Caller, runId: string, { text }: NewNote, who: string): Promise<void> {
    const written = (await ledgerOf(this.runPorts.store, runId)).filter(({ event }) => event.type === 'review-noted')
    if (written.length >= bounds.notes)
      throw wrongField('text', `this run already has ${bounds.notes} notes, which is the limit`)
    await this.move(caller, runId, (run, now) => beforeDue(run, now, addNote(run, { text, who, now })))
  }

  private async move(caller: Reader, runId: string, compute: Parameters<Runs['move']>[2]): Promise<void> {
    const { kind, run } = await this.runs.move(caller, runId, compute)
    if (kind === 'late' || !reviewTask(run)) throw notParked()
  }

  private async parked(caller: Caller, runId: string): Promise<Run> {
    const run = await this.runs.get(caller, runId)
    if (!reviewTask(run)) throw notParked()
    return run
  }
}
