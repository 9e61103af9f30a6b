import type { Run } from '../map/run'
import { finish, outOfBudget, release, renumbered } from './endings'
import type { Move, Moved, Stale } from './move'
import { change, close, hasEnded, moved, moving, stale, tell } from './move'

/** `overspent`: the tenant's budget is used up, which only the one who counts it can know. */
export type How = { status: 'cancelled' | 'expired' | 'overspent'; by: string; at: number }

const overdue = (move: Move, by: string): Move =>
  move.run.policy.whenParkedTooLong === 'caveat'
    ? release(move, 'answered.review-overdue', 'overdue')
    : finish(move, 'expired', 'expired.review-overdue', undefined, by)

/** What is open is left undone; a draft that stood before it goes out, one that did not goes where the policy says. */
const overspent = (move: Move): Move => {
  const { open, steps } = move.run
  const writing = open.find((task) => task.kind === 'generate')
  const closed = open.reduce((rest, { id }) => close(rest, id, 'overspent'), move)
  const stopped = change(closed, { status: 'running', steps: steps.map((step) => ({ ...step, status: 'done' })) })
  const held = writing ? change(stopped, renumbered(stopped.run, writing.draft)) : stopped
  return outOfBudget(tell(held, { type: 'noted', audience: 'asker', note: 'The budget is used up: no more is tried.' }))
}

/** The moves that no task reports. */
export const end = (run: Run, { status, by, at }: How): Moved | Stale => {
  if (hasEnded(run)) return stale
  const move = moving(run, at)
  switch (status) {
    case 'cancelled':
      return moved(finish(move, 'cancelled', 'cancelled.asked', undefined, by))
    case 'expired':
      return moved(
        run.status === 'parked' ? overdue(move, by) : finish(move, 'expired', 'expired.deadline', undefined, by),
      )
    case 'overspent':
      return run.status === 'parked' ? stale : moved(overspent(move))
  }
}
