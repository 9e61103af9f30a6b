import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import type { AvailableReviewer, Candidate, Reservation } from '@plumbline/adapters/redis/runs/reviewers'
import type { Availability, TakeWork } from '@plumbline/contracts'
import {
  assignAutomatically,
  mayBeAssigned,
  type ParkedGroup,
  type ParkedRow,
  returnToPool,
  withCurrentActors,
} from '@plumbline/flow'
import { pollDue } from '@plumbline/hosting/due-queue'
import type { ParkedPage } from '@plumbline/ports/run-store/run-store'
import type { Caller } from '../http/authenticate'
import { coversAccess } from '../http/caller'
import { inPieces } from '../http/in-pieces'
import { Refusal } from '../http/problem'
import { Common, ReviewPorts, RunPorts } from '../ports'
import { StoreClock } from '../runs/store-clock.service'
import { bounds } from '../settings'
import { beforeDue, needsFourEyes } from './refused-decision'
import { Reviews } from './reviews.service'

const everyMs = 500
/** The time between two passes that assign the drafts of a tenant to available reviewers. */
const againInMs = 1_000
/** A pass stops when it has found this many drafts to assign, or this many to take back from absent reviewers. */
const mostRows = 200

/** Assigns held drafts to available reviewers. */
@Injectable()
export class Assignments implements OnModuleInit, OnApplicationShutdown {
  private polling: ReturnType<typeof pollDue> | undefined

  constructor(
    private readonly common: Common,
    private readonly runPorts: RunPorts,
    private readonly reviewPorts: ReviewPorts,
    private readonly reviews: Reviews,
    private readonly clock: StoreClock,
  ) {}

  onModuleInit(): void {
    const { reviewers } = this.reviewPorts
    const { log } = this.common
    this.polling = pollDue(
      everyMs,
      {
        queue: reviewers.due,
        batchSize: 10,
        againInMs,
        handle: (tenant) => this.assign(tenant),
        failed: 'assignment of held drafts failed: retrying',
        log,
      },
      'assignment of held drafts paused: store not responding',
    )
  }

  async onApplicationShutdown(): Promise<void> {
    await this.polling?.stop()
  }

  async takeWork({ tenant, access }: Caller, name: string, { atMost }: TakeWork): Promise<Availability> {
    const { reviewers } = this.reviewPorts
    const until = Math.round(this.clock.now() + bounds.leaseMs)
    const readable = access === 'all' ? access : [...access]
    await reviewers.put(tenant, { name, atMost, access: readable, until }, bounds.leaseMs)
    await this.assignSoon(tenant)
    const assigned = (await reviewers.assigned(tenant)).get(name) ?? 0
    return { atMost, assigned, until: new Date(until).toISOString() }
  }

  async stopWork({ tenant }: Caller, name: string): Promise<void> {
    await this.reviewPorts.reviewers.remove(tenant, name)
    await this.assignSoon(tenant)
  }

  // If the assignment fails, the queue repeats it later, so the error is only logged.
  private async assignSoon(tenant: string): Promise<void> {
    const { reviewers } = this.reviewPorts
    const { log } = this.common
    await reviewers.due.schedule(tenant, Math.round(this.clock.now()))
    await this.assign(tenant).catch((error: unknown) =>
      log.warn({ err: error, tenant }, 'assignment of held drafts failed: retrying'),
    )
  }

  private async assign(tenant: string): Promise<'done' | 'again'> {
    const { reviewers } = this.reviewPorts
    const available = await reviewers.available(tenant, this.clock.now())
    const absent = await this.returnDrafts(tenant, available)
    if (available.length === 0) return absent > 0 ? 'again' : 'done'
    const assigned = await reviewers.assigned(tenant)
    const isFree = available.some(({ name, atMost }) => (assigned.get(name) ?? 0) < atMost)
    const candidates = isFree ? await this.candidates(tenant, available) : []
    await inPieces(await reviewers.reserve(tenant, candidates), (reservation) => this.commit(tenant, reservation))
    return 'again'
  }

  /**
   * Takes automatically assigned drafts back from absent reviewers, except drafts that a reviewer has open. Returns the
   * number of drafts found.
   */
  private async returnDrafts(tenant: string, available: AvailableReviewer[]): Promise<number> {
    const names = new Set(available.map(({ name }) => name))
    const isAvailable = (name: string): boolean => names.has(name)
    const rows: ParkedRow[] = []
    const ofAbsent = ({ autoAssigned, assignee = '' }: ParkedGroup): boolean =>
      autoAssigned === true && !isAvailable(assignee)
    for await (const page of this.parkedPages(tenant, ofAbsent)) if (rows.push(...page) >= mostRows) break
    const leases = await this.reviewPorts.leases.ofRuns(rows.map(({ runId }) => runId))
    await inPieces(
      rows.filter((_, at) => !leases[at]),
      ({ runId }) => this.change(tenant, runId, (run, now) => beforeDue(run, now, returnToPool(run, isAvailable))),
    )
    return rows.length
  }

  private async candidates(tenant: string, available: AvailableReviewer[]): Promise<Candidate[]> {
    const candidates: Candidate[] = []
    const isFree = ({ assignee, access }: ParkedGroup): boolean =>
      assignee === undefined && available.some((reviewer) => coversAccess(reviewer.access, access))
    for await (const page of this.parkedPages(tenant, isFree))
      if (candidates.push(...(await this.candidatesIn(tenant, page, available))) >= mostRows) break
    return candidates
  }

  private async candidatesIn(tenant: string, page: ParkedRow[], available: AvailableReviewer[]): Promise<Candidate[]> {
    const { store } = this.runPorts
    const { leases, currentActor } = this.reviewPorts
    const rows = page.filter(({ decider }) => decider !== 'asker')
    const ids = rows.map(({ runId }) => runId)
    const [runs, taken] = await Promise.all([store.loadMany(ids), leases.ofRuns(ids)])
    // After concurrent changes, the list may still show an assigned run as unassigned. Its entry is corrected here.
    await Promise.all(runs.flatMap((run) => (run?.assignee === undefined ? [] : [store.relist(run)])))
    const fourEyes = needsFourEyes(this.common.settings, tenant)
    return rows.flatMap(({ runId, taskId }, at) => {
      const [run, lease] = [runs[at], taken[at]]
      if (!run) return []
      const current = withCurrentActors(run, currentActor)
      const reviewers = available
        .filter((each) => (!lease || lease.by === each.name) && coversAccess(each.access, run.access))
        .filter(({ name }) => mayBeAssigned(current, name, fourEyes))
        .map(({ name }) => name)
      return reviewers.length > 0 ? [{ runId, taskId, reviewers }] : []
    })
  }

  private async commit(tenant: string, reservation: Reservation): Promise<void> {
    await this.change(tenant, reservation.runId, (run, now) =>
      beforeDue(run, now, assignAutomatically(run, reservation.to)),
    )
    await this.reviewPorts.reviewers.settle(tenant, reservation)
  }

  private async change(tenant: string, runId: string, compute: Parameters<Reviews['change']>[2]): Promise<void> {
    try {
      await this.reviews.change({ tenant, access: 'all' }, runId, compute)
    } catch (error) {
      // The refusal is ignored, because the run was decided or removed in the meantime.
      if (!(error instanceof Refusal) || error.problem.status >= 500) throw error
    }
  }

  private async *parkedPages(tenant: string, wanted: (group: ParkedGroup) => boolean): AsyncGenerator<ParkedRow[]> {
    let cursor: string | null = null
    do {
      const page: ParkedPage = await this.runPorts.store.parked(tenant, {
        ...{ order: 'deadline', cursor, limit: mostRows, wanted },
      })
      yield page.rows
      cursor = page.next
    } while (cursor !== null)
  }
}
