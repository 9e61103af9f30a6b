import { Injectable } from '@nestjs/common'
import type { WaitingDecision } from '@plumbline/adapters/redis/runs/pending-decisions'
import type { BulkDecision, BulkResult, BulkUndo, BulkUndone, Decision, LedgerEvent } from '@plumbline/contracts'
import {
  acceptDecision,
  decisionsFor,
  isRelease,
  isStored,
  reviewTask,
  type Run,
  undoDecision,
  withCurrentActors,
} from '@plumbline/flow'
import { uniqueId } from '@plumbline/worker/move'
import type { Caller } from '../http/authenticate'
import { hasRole } from '../http/caller'
import { inPieces } from '../http/in-pieces'
import { Refusal, refusalOf } from '../http/problem'
import { Common, RunPorts, ReviewPorts } from '../ports'
import { pendingDecision } from '../present/review-view'
import { Runs } from '../runs/runs.service'
import { StoreClock } from '../runs/store-clock.service'
import { bounds } from '../settings'
import { beforeDue, needsFourEyes } from './refused-decision'
import { ledgerOf, takenByOther } from './open-review'

/** `counted`: whether the decision took effect. If false, the decision is pending or is the first of two approvals. */
export type DecisionResult = { run: Run; counted: boolean }

const askersActions: Decision['action'][] = ['retry', 'reject']
const closed = (taskId: string): Refusal =>
  new Refusal(
    'review-stale',
    `Task ${taskId} is closed, because its draft was decided or replaced by another draft. Load the review again.`,
  )
const overdue = (taskId: string): Refusal =>
  new Refusal(
    'review-overdue',
    `The time to decide task ${taskId} is over. The run ends without a decision, as its policy specifies.`,
  )
const endedOverdue = ({ reason, status, closed }: Run, taskId: string): boolean =>
  reason === `${status}.review-overdue` && closed[taskId] === status
const isOpen = (run: Run, taskId: string): boolean => reviewTask(run)?.id === taskId
/**
 * Returns who may decide. If a review is open, it says who, because a rule may require a reviewer even if the policy
 * lets the asker decide.
 */
const deciderOf = (run: Run, taskId: string) => {
  const task = reviewTask(run)
  return task?.id === taskId ? task.decider : run.policy.decider
}
const isWaiting = (run: Run, decision: Decision, who: string): boolean => {
  const task = reviewTask(run)
  return task?.id === decision.taskId && isStored(task, decision, who)
}
const spent = (run: Run, action: string): Refusal =>
  new Refusal(
    'decision-not-possible',
    `The run has no retries left, so ${action} is not possible. Choose one of: ${decisionsFor(run).join(', ')}.`,
  )
const firstOfTwo = 'Two people have to approve this draft, and you are the first. Another person has to approve it too.'

@Injectable()
export class Decisions {
  constructor(
    private readonly common: Common,
    private readonly runPorts: RunPorts,
    private readonly reviewPorts: ReviewPorts,
    private readonly runs: Runs,
    private readonly clock: StoreClock,
  ) {}

  async decide(caller: Caller, runId: string, decision: Decision, who: string): Promise<DecisionResult> {
    const { currentActor } = this.reviewPorts
    const seen = withCurrentActors(await this.runs.get(caller, runId), currentActor)
    const fourEyes = needsFourEyes(this.common.settings, caller.tenant)
    this.checkMay(caller, seen, decision, fourEyes)
    const [lease] = isOpen(seen, decision.taskId) ? await this.reviewPorts.leases.ofRuns([runId]) : []
    if (lease && currentActor(lease.by) !== who) throw takenByOther(lease.by)
    const countsAt = this.countsAt(seen, decision)
    const move = () =>
      this.runs.move(caller, runId, (run, now) => {
        this.checkMay(caller, run, decision, fourEyes)
        const current = withCurrentActors(run, currentActor)
        return beforeDue(run, now, acceptDecision(current, { decision, who, now, countsAt, fourEyes }))
      })
    const { kind, run } =
      countsAt === undefined ? await move() : await this.announced(caller.tenant, { runId, at: countsAt }, move)
    const waits = isWaiting(withCurrentActors(run, currentActor), decision, who)
    if (kind === 'moved') {
      await this.endLease(run, who).catch(() => undefined)
      if (run.assignee !== seen.assignee) await this.runPorts.store.relist(run).catch(() => undefined)
    } else if (kind === 'late' || endedOverdue(run, decision.taskId)) throw overdue(decision.taskId)
    else if (waits) return { run, counted: false }
    else if (isOpen(run, decision.taskId)) throw spent(run, decision.action)
    else if (!(await this.madeBefore(run, decision))) throw closed(decision.taskId)
    return { run, counted: !waits }
  }

  /** Ends the lease after a decision. If a second person must approve the draft, other reviewers can then open it. */
  private async endLease(run: Run, who: string): Promise<void> {
    const task = reviewTask(run)
    if (!task) await this.reviewPorts.leases.drop(run.tenant, run.id)
    else if (!task.pending) await this.reviewPorts.leases.putBack(run.tenant, run.id, who)
  }

  async undo(caller: Caller, runId: string, decisionId: string, who: string): Promise<void> {
    await this.runs.move(caller, runId, (run, now) =>
      beforeDue(
        run,
        now,
        undoDecision(withCurrentActors(run, this.reviewPorts.currentActor), { decisionId, who, now }),
      ),
    )
  }

  async decideMany(caller: Caller, { items, ...decision }: BulkDecision, who: string): Promise<BulkResult> {
    const one = async ({ runId, taskId }: BulkDecision['items'][number]): Promise<BulkResult['items'][number]> => {
      try {
        const { run, counted } = await this.decide(caller, runId, { ...decision, taskId }, who)
        const pending = counted ? null : pendingDecision(run)
        if (pending) return { runId, decided: true, until: pending.at }
        return counted ? { runId, decided: true } : { runId, decided: false, problem: firstOfTwo }
      } catch (error) {
        return { runId, decided: false, problem: this.problemOf(error, runId) }
      }
    }
    return { items: await inPieces(items, one) }
  }

  async undoMany(caller: Caller, { decisionId, runIds }: BulkUndo, who: string): Promise<BulkUndone> {
    const one = async (runId: string): Promise<BulkUndone['items'][number]> => {
      try {
        await this.undo(caller, runId, decisionId, who)
        return { runId, undone: true }
      } catch (error) {
        return { runId, undone: false, problem: this.problemOf(error, runId) }
      }
    }
    return { items: await inPieces(runIds, one) }
  }

  private problemOf(error: unknown, runId: string): string {
    const { problem } = refusalOf(error)
    if (problem.status >= 500) this.common.log.warn({ err: error, runId }, 'one decision of a bulk request failed')
    return problem.detail ?? problem.title
  }

  // The queue entry is added before the commit, so that a crash loses no decision. After a crash, an entry without a
  // decision may remain.
  private async announced<T extends { kind: string }>(
    tenant: string,
    at: Omit<WaitingDecision, 'id'>,
    move: () => Promise<T>,
  ): Promise<T> {
    const { pendingDecisions } = this.reviewPorts
    const waiting = { ...at, id: uniqueId() }
    const forget = () => pendingDecisions.remove(waiting).catch(() => undefined)
    await pendingDecisions.add(tenant, waiting)
    try {
      const outcome = await move()
      if (outcome.kind !== 'moved') await forget()
      return outcome
    } catch (error) {
      // After any other error, the store may have committed the decision, so the queue entry stays.
      if (error instanceof Refusal) await forget()
      throw error
    }
  }

  // Returns when the decision takes effect, or undefined if it takes effect at once. The time to undo is shortened if
  // it would end too close to the review's deadline.
  private countsAt(run: Run, { undoMs = 0 }: Decision): number | undefined {
    const now = this.clock.now()
    const latest = (reviewTask(run)?.dueAt ?? now) - bounds.beforeDueMs
    const at = Math.min(now + undoMs, latest)
    return at > now ? at : undefined
  }

  // If the policy lets the asker decide, the asker may retry or reject. Only reviewers may release drafts.
  private checkMay(caller: Caller, run: Run, decision: Decision, fourEyes: boolean): void {
    if (fourEyes && isRelease(decision) && run.askedBy === caller.name)
      throw new Refusal('forbidden', 'Your own key asked this question. Another person has to approve its answer.')
    if (hasRole(caller, 'reviewer')) return
    const asker = caller.roles.has('asker') && deciderOf(run, decision.taskId) === 'asker'
    if (!asker) throw new Refusal('forbidden', 'Decisions on this run need a key with the role reviewer.')
    if (!askersActions.includes(decision.action))
      throw new Refusal(
        'forbidden',
        `An asker may not ${decision.action} a draft. Choose ${askersActions.join(' or ')}.`,
      )
  }

  private async madeBefore(run: Run, { taskId, decisionId, action }: Decision): Promise<boolean> {
    if (!(taskId in run.closed)) return false
    const same = (event: LedgerEvent): boolean =>
      (event.type === 'decided' || event.type === 'approved') &&
      event.task === taskId &&
      event.decisionId === decisionId &&
      event.action === action
    return (await ledgerOf(this.runPorts.store, run.id)).some(({ event }) => same(event))
  }
}
