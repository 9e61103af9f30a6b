import type { Run } from '../map/run'
import { finish, release } from './endings'
import type { Move, Moved, Stale } from './move'
import { hasEnded, moved, moving, stale } from './move'

export type How = { status: 'cancelled' | 'expired'; by: string; at: number }

const overdue = (move: Move, by: string): Move =>
  move.run.policy.whenParkedTooLong === 'caveat'
    ? release(move, 'answered.review-overdue', 'overdue')
    : finish(move, 'expired', 'expired.review-overdue', undefined, by)

/** The moves that no task reports. */
export const end = (run: Run, { status, by, at }: How): Moved | Stale => {
  if (hasEnded(run)) return stale
  const move = moving(run, at)
  if (status === 'cancelled') return moved(finish(move, 'cancelled', 'cancelled.asked', undefined, by))
  return moved(run.status === 'parked' ? overdue(move, by) : finish(move, 'expired', 'expired.deadline', undefined, by))
}
