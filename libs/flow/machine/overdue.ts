import type { HoldDeadline } from '../schema/hold'
import type { TaskOf } from '../schema/task'
import { finish, release } from './endings'
import { hasGroundedDraft } from './grounding'
import { addEvent, change, type Move } from './move'
import { dueAfter } from './working-hours'

/** Starts the second deadline of a review. The task keeps its id, so that a reviewer who opened it can still decide. */
const escalate = (move: Move, task: TaskOf<'review'>, { waitMs, escalatedMs = waitMs, hours }: HoldDeadline): Move => {
  const dueAt = dueAfter(move.at, escalatedMs, hours)
  // A decision that was still pending at the deadline does not count, so the draft can be decided again.
  const waiting = { ...task, pending: undefined, dueAt, escalatedAt: move.at }
  return addEvent(change(move, { open: [waiting], deadlineAt: dueAt }), 'escalated', { task: task.id, dueAt })
}

export const overdue = (move: Move, by: string): Move => {
  const { policy, deadline, open } = move.run
  const task = open.find((one) => one.kind === 'review')
  const then = deadline?.then ?? policy.whenParkedTooLong
  if (deadline?.then === 'escalate' && task && task.escalatedAt === undefined) return escalate(move, task, deadline)
  if (then === 'caveat')
    return release(move, 'answered.review-overdue', hasGroundedDraft(move.run) ? 'unreviewed' : 'overdue')
  return finish(move, 'expired', 'expired.review-overdue', undefined, by)
}
