import type { Decision, LedgerEvent } from '@plumbline/contracts'
import type { Run } from '../schema/run'
import type { Report, TaskOf } from '../schema/task'
import { advance } from './advance'
import { approvalOf, approvalsOfRelease, isRelease, isSamePerson } from './four-eyes'
import { type Moved, stale, type Stale } from './move'
import { hasContradiction, reviewTask, reviewPassages } from './review'

type Review = TaskOf<'review'>
export type Deciding = { decision: Decision; who: string; now: number; fourEyes: boolean }

/** Why a decision is not accepted. */
export type DecisionFault =
  | { why: 'undone' | 'second-approval-needed' | 'reason-needed' | 'nothing-pending' }
  | { why: 'pending'; pending: NonNullable<Review['pending']> }
  | { why: 'unknown-passage'; citation: number }
  | { why: 'not-yours'; by: string }
export type Refused = { kind: 'refused'; fault: DecisionFault }
export type Deliberated = Moved | Stale | Refused

const refused = (fault: DecisionFault): Refused => ({ kind: 'refused', fault })

const outcomes = {
  approve: 'approved',
  edit: 'edited',
  retry: 'retry',
  research: 'research',
  reject: 'rejected',
} as const satisfies Record<Decision['action'], string>

const takeEffect = (run: Run, { decision, who, now }: Deciding): Moved | Stale => {
  const { action, taskId, undoMs: _, ...fields } = decision
  const result = { outcome: outcomes[action], by: who, ...fields } as Report<'review'>['result']
  return advance(run, { kind: 'review', taskId, at: now, result })
}

/** Replaces the list of open tasks, because a run has no other open task during its review. */
const changeReview = (run: Run, task: Review, fields: Partial<Review>, events: LedgerEvent[] = []): Moved => ({
  kind: 'moved',
  run: { ...run, open: [{ ...task, ...fields }] },
  events,
  evidence: [],
})

export const withCurrentActors = (run: Run, currentActor: (actor: string) => string): Run => {
  const task = reviewTask(run)
  const { approvals, pending } = task ?? {}
  const current = <T extends { by: string }>(one: T): T => ({ ...one, by: currentActor(one.by) })
  const open = run.open.map((one) =>
    one.id === task?.id
      ? {
          ...task,
          ...(approvals && { approvals: approvals.map(current) }),
          ...(pending && { pending: current(pending) }),
        }
      : one,
  )
  return { ...run, open, ...(run.askedBy !== undefined && { askedBy: currentActor(run.askedBy) }) }
}

const withoutAssignee = ({ assignee: _, autoAssigned: __, ...run }: Run): Run => run

const count = (run: Run, deciding: Deciding): Moved | Stale => {
  const { decision, who, now, fourEyes } = deciding
  const task = reviewTask(run)
  const moved = takeEffect(run, deciding)
  if (moved.kind === 'stale' || !task || !fourEyes || !isRelease(decision)) return moved
  if (approvalsOfRelease(task, decision).some(({ by }) => !isSamePerson(by, who))) return moved
  const { action, decisionId, note } = decision
  const approved: LedgerEvent = {
    type: 'approved',
    audience: 'desk',
    at: now,
    task: task.id,
    ...{ action, by: who, decisionId },
    ...(note && { note }),
  }
  const next = run.assignee === who ? withoutAssignee(run) : run
  return changeReview(next, task, { pending: undefined, approvals: [approvalOf(decision, who)] }, [approved])
}

/** Returns whether the review already contains this decision of this person, as an approval or as pending. */
export const isStored = ({ pending, approvals = [] }: Review, { decisionId, action }: Decision, who: string): boolean =>
  [...approvals, ...(pending ? [{ ...pending.decision, by: pending.by }] : [])].some(
    (one) => one.decisionId === decisionId && one.action === action && one.by === who,
  )

const faultOf = (run: Run, task: Review, { decision, who, now, fourEyes }: Deciding): DecisionFault | undefined => {
  if (task.undone?.includes(decision.decisionId)) return { why: 'undone' }
  if (task.pending && now < task.dueAt) return { why: 'pending', pending: task.pending }
  if (fourEyes && isRelease(decision) && approvalsOfRelease(task, decision).some(({ by }) => isSamePerson(by, who)))
    return { why: 'second-approval-needed' }
  if (decision.action === 'approve' && !decision.note?.trim() && hasContradiction(run)) return { why: 'reason-needed' }
  if (decision.action !== 'edit') return undefined
  const known = new Set(reviewPassages(run))
  const unknown = decision.citations?.find(({ passageId }) => !known.has(passageId))
  return unknown && { why: 'unknown-passage', citation: unknown.n }
}

/** Stores the decision, which takes effect at `countsAt`. Without `countsAt`, the decision takes effect at once. */
export const acceptDecision = (run: Run, deciding: Deciding & { countsAt: number | undefined }): Deliberated => {
  const { decision, who, countsAt } = deciding
  const task = reviewTask(run)
  if (task?.id !== decision.taskId || isStored(task, decision, who)) return stale
  const fault = faultOf(run, task, deciding)
  if (fault) return refused(fault)
  const counted = count(run, deciding)
  if (countsAt === undefined || counted.kind === 'stale') return counted
  return changeReview(run, task, { pending: { decision, by: who, at: countsAt } })
}

/** Lets the pending decision take effect if its time `at` has come. */
export const settleDecision = (
  run: Run,
  { at, now, fourEyes }: { at: number; now: number; fourEyes: boolean },
): Moved | Stale => {
  const task = reviewTask(run)
  if (task?.pending?.at !== at || now < at) return stale
  const { decision, by } = task.pending
  const counted = count(run, { decision, who: by, now, fourEyes })
  return counted.kind === 'stale' ? changeReview(run, task, { pending: undefined }) : counted
}

const remembered = 20
const latest = (all: string[] = [], one: string): string[] => [...all, one].slice(-remembered)

export const undoDecision = (
  run: Run,
  { decisionId, who, now }: { decisionId: string; who: string; now: number },
): Deliberated => {
  const task = reviewTask(run)
  if (task?.undone?.includes(decisionId)) return stale
  const pending = task?.pending
  if (!task || pending?.decision.decisionId !== decisionId || now >= pending.at)
    return refused({ why: 'nothing-pending' })
  if (pending.by !== who) return refused({ why: 'not-yours', by: pending.by })
  return changeReview(run, task, { pending: undefined, undone: latest(task.undone, decisionId) })
}

export const addNote = (run: Run, { text, who, now }: { text: string; who: string; now: number }): Moved | Stale => {
  const task = reviewTask(run)
  if (!task) return stale
  const { autoAssigned: _, ...kept } = run
  return changeReview(run.assignee === who ? kept : run, task, {}, [
    { type: 'review-noted', audience: 'desk', at: now, task: task.id, by: who, text },
  ])
}

export const assignRun = (run: Run, to: string | null): Moved | Stale => {
  const task = reviewTask(run)
  const { assignee } = run
  if (!task) return stale
  if (to !== null)
    return assignee === to && !run.autoAssigned
      ? stale
      : changeReview({ ...withoutAssignee(run), assignee: to }, task, {})
  if (assignee === undefined) return stale
  return changeReview(withoutAssignee(run), task, { declined: latest(task.declined, assignee) })
}

const canGo = (run: Run, to: string): boolean => {
  const task = reviewTask(run)
  return task !== undefined && !task.pending && run.assignee === undefined && !task.declined?.includes(to)
}

/** Returns whether the review may be assigned to this reviewer. The caller must check that they may read the run. */
export const mayBeAssigned = (run: Run, to: string, fourEyes: boolean): boolean => {
  if (!canGo(run, to)) return false
  const others = [run.askedBy, ...(reviewTask(run)?.approvals ?? []).map(({ by }) => by)]
  return !fourEyes || !others.some((other) => other !== undefined && isSamePerson(other, to))
}

export const assignAutomatically = (run: Run, to: string): Moved | Stale => {
  const task = reviewTask(run)
  return task && canGo(run, to) ? changeReview({ ...run, assignee: to, autoAssigned: true }, task, {}) : stale
}

/** Removes the assignment to an unavailable reviewer, unless a person made it or a decision is pending. */
export const returnToPool = (run: Run, isAvailable: (name: string) => boolean): Moved | Stale => {
  const task = reviewTask(run)
  const { assignee = '', autoAssigned } = run
  if (!task || task.pending || !autoAssigned || isAvailable(assignee)) return stale
  return changeReview(withoutAssignee(run), task, {})
}
