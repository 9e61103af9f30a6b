import type { AvailableReviewer } from '@plumbline/adapters/redis/runs/reviewers'
import { reviewTask, type Run } from '@plumbline/flow'
import { coversAccess } from '../http/caller'
import { isSamePerson } from './four-eyes'
import { beside, withoutAssignee } from './review-decision'

type Computed = ReturnType<typeof beside>
type Reviewer = Pick<AvailableReviewer, 'name' | 'access'>

const canGo = (run: Run, to: string): boolean => {
  const task = reviewTask(run)
  return task !== undefined && !task.pending && run.assignee === undefined && !task.declined?.includes(to)
}

export const mayBeAssigned = (run: Run, { name, access }: Reviewer, fourEyes: boolean): boolean => {
  if (!canGo(run, name) || !coversAccess(access, run.access)) return false
  const others = [run.askedBy, ...(reviewTask(run)?.approvals ?? []).map(({ by }) => by)]
  return !fourEyes || !others.some((other) => other !== undefined && isSamePerson(other, name))
}

export const assignAutomatically = (run: Run, to: string): Computed => {
  const task = reviewTask(run)
  return task && canGo(run, to) ? beside({ ...run, assignee: to, autoAssigned: true }, task, {}) : { kind: 'stale' }
}

/** Removes the automatic assignment to an absent reviewer, unless a decision is pending. */
export const returnToPool = (run: Run, isAvailable: (name: string) => boolean): Computed => {
  const task = reviewTask(run)
  if (!task || task.pending || !run.autoAssigned || isAvailable(run.assignee ?? '')) return { kind: 'stale' }
  return beside(withoutAssignee(run), task, {})
}
