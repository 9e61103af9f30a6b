import type { Decision, LedgerEvent } from '@plumbline/contracts'
import { advance, hasContradiction, type Moved, type Report, reviewTask, type Run, type TaskOf } from '@plumbline/flow'
import { Refusal } from '../http/problem'
import { reviewPassages } from '../present/review-view'
import { approvalOf, approvalsOfRelease, isSamePerson } from './four-eyes'

type Computed = (Moved & { before?: number }) | { kind: 'stale' }
type Review = TaskOf<'review'>
type Deciding = { decision: Decision; who: string; now: number; fourEyes: boolean }

const outcomes = {
  approve: 'approved',
  edit: 'edited',
  retry: 'retry',
  research: 'research',
  reject: 'rejected',
} as const satisfies Record<Decision['action'], string>

const moveBy = (run: Run, { decision, who, now }: Deciding): Computed => {
  const { action, taskId, undoMs: _, ...brought } = decision
  const result = { outcome: outcomes[action], by: who, ...brought } as Report<'review'>['result']
  const moved = advance(run, { kind: 'review', taskId, at: now, result })
  return moved.kind === 'stale' ? moved : { ...moved, before: reviewTask(run)?.dueAt }
}

export const beside = (run: Run, task: Review, fields: Partial<Review>, events: LedgerEvent[] = []): Computed => ({
  kind: 'moved',
  run: { ...run, open: run.open.map((one) => (one.id === task.id ? { ...task, ...fields } : one)) },
  events,
  evidence: [],
  before: task.dueAt,
})

export const isRelease = ({ action }: Pick<Decision, 'action'>): boolean => action === 'approve' || action === 'edit'

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

export const withoutAssignee = ({ assignee: _, autoAssigned: __, ...run }: Run): Run => run

const count = (run: Run, deciding: Deciding): Computed => {
  const { decision, who, now, fourEyes } = deciding
  const task = reviewTask(run)
  const moved = moveBy(run, deciding)
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
  return beside(next, task, { pending: undefined, approvals: [approvalOf(decision, who)] }, [approved])
}

export const isStored = ({ pending, approvals = [] }: Review, { decisionId, action }: Decision, who: string): boolean =>
  [...approvals, ...(pending ? [{ ...pending.decision, by: pending.by }] : [])].some(
    (one) => one.decisionId === decisionId && one.action === action && one.by === who,
  )

const checkCitations = (run: Run, citations: { n: number; passageId: string }[]): void => {
  const known = new Set(reviewPassages(run))
  const unknown = citations.find(({ passageId }) => !known.has(passageId))
  if (unknown)
    throw new Refusal(
      'unknown-passage',
      `Citation ${unknown.n} names a passage that this run did not find. Cite a passage of the review's evidence.`,
    )
}

export const acceptDecision = (run: Run, deciding: Deciding & { countsAt: number | undefined }): Computed => {
  const { decision, who, now, countsAt, fourEyes } = deciding
  const task = reviewTask(run)
  if (task?.id !== decision.taskId || isStored(task, decision, who)) return { kind: 'stale' }
  if (task.undone?.includes(decision.decisionId))
    throw new Refusal('review-stale', 'This decision was undone. Decide again with another decisionId.')
  if (task.pending && now < task.dueAt)
    throw new Refusal(
      'decision-pending',
      `${task.pending.by} has already decided this draft: ${task.pending.decision.action}. The decision takes effect in ${Math.ceil((task.pending.at - now) / 1_000)} s.`,
    )
  if (fourEyes && isRelease(decision) && approvalsOfRelease(task, decision).some(({ by }) => isSamePerson(by, who)))
    throw new Refusal(
      'second-approval-needed',
      'You have already approved this draft. Another person has to approve it too.',
    )
  if (decision.action === 'approve' && !decision.note?.trim() && hasContradiction(run))
    throw new Refusal(
      'reason-needed',
      'The documents contradict a claim of this draft. To approve it, send the reason in one line as `note`.',
    )
  if (decision.action === 'edit') checkCitations(run, decision.citations ?? [])
  const counted = count(run, deciding)
  if (countsAt === undefined || counted.kind === 'stale') return counted
  return beside(run, task, { pending: { decision, by: who, at: countsAt } })
}

export const settleDecision = (
  run: Run,
  { at, now, fourEyes }: { at: number; now: number; fourEyes: boolean },
): Computed => {
  const task = reviewTask(run)
  const pending = task?.pending
  if (pending?.at !== at || now < at) return { kind: 'stale' }
  const counted = count(run, { decision: pending.decision, who: pending.by, now, fourEyes })
  return counted.kind === 'stale' && task ? beside(run, task, { pending: undefined }) : counted
}

const remembered = 20
const latest = (all: string[] = [], one: string): string[] => [...all, one].slice(-remembered)

export const undoDecision = (
  run: Run,
  { decisionId, who, now }: { decisionId: string; who: string; now: number },
): Computed => {
  const task = reviewTask(run)
  if (task?.undone?.includes(decisionId)) return { kind: 'stale' }
  const pending = task?.pending
  if (!task || pending?.decision.decisionId !== decisionId || now >= pending.at)
    throw new Refusal(
      'review-stale',
      'There is no such pending decision: it has already taken effect, or it was never made.',
    )
  if (pending.by !== who) throw new Refusal('forbidden', `Only ${pending.by} may undo this decision.`)
  return beside(run, task, { pending: undefined, undone: latest(task.undone, decisionId) })
}

export const addNote = (run: Run, { text, who, now }: { text: string; who: string; now: number }): Computed => {
  const task = reviewTask(run)
  if (!task) return { kind: 'stale' }
  const { autoAssigned: _, ...kept } = run
  return beside(run.assignee === who ? kept : run, task, {}, [
    { type: 'review-noted', audience: 'desk', at: now, task: task.id, by: who, text },
  ])
}

export const assignRun = (run: Run, to: string | null): Computed => {
  const task = reviewTask(run)
  const { assignee } = run
  if (!task || (assignee === (to ?? undefined) && !run.autoAssigned)) return { kind: 'stale' }
  if (to !== null) return beside({ ...withoutAssignee(run), assignee: to }, task, {})
  return beside(withoutAssignee(run), task, assignee === undefined ? {} : { declined: latest(task.declined, assignee) })
}
