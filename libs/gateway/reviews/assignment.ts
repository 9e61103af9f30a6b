import type { AvailableReviewer } from '@plumbline/adapters/redis/runs/reviewers'
import { reviewTask, type Run } from '@plumbline/flow'
import { coversAccess } from '../http/caller'
import { isSamePerson } from './four-eyes'
import { beside, withoutAssignee } from './review-decision'

type Computed = ReturnType<typeof beside>
type Reviewer = Pick<AvailableReviewer, 'name' | 'access'>

export const mayBeAssigned = (run: Run, { name, access }: Reviewer, fourEyes: boolean): boolean => {
  const task = reviewTask(run)
  if (!task || task.pending || run.assignee !== undefined || task.declined?.includes(name)) return false
  const others = [...(task.approvals ?? []).map(({ by }) => by), ...(run.askedBy === undefined ? [] : [run.askedBy])]
  return coversAccess(access, run.access) && (!fourEyes || !others.some((other) => isSamePerson(other, name)))
}

export const assignAutomatically = (run: Run, to: string): Computed => {
  const task = reviewTask(run)
  if (!task || run.assignee !== undefined || task.pending || task.declined?.includes(to)) return { kind: 'stale' }
  return beside({ ...run, assignee: to, autoAssigned: true }, task, {})
}

/** Keeps an assignment that a person made, and one with a pending decision. */
export const returnToPool = (run: Run, isAvailable: (name: string) => boolean): Computed => {
  const task = reviewTask(run)
  if (!task || task.pending || !run.autoAssigned || isAvailable(run.assignee ?? '')) return { kind: 'stale' }
  return beside(withoutAssignee(run), task, {})
}
