import type { Run } from '../map/run'
import type { Task } from '../map/task'
import { closing } from './closing'
import { finish, releaseQuotes, spent, unwritten } from './endings'
import { settle } from './fan-in'
import type { Move, Moved, Stale } from './move'
import { moved, stale, tell } from './move'
import { askNarrower, decline } from './reply'
import { routed, toResearch } from './route'
import { changeStep, takeQuestion } from './steps'

/** A task that cannot report moves its run by the mildest thing it could have said; what is unchecked stays unchecked. */
const without = (move: Move, task: Task): Move | null => {
  switch (task.kind) {
    case 'route':
      return toResearch(
        routed(move, 'research', 'The router could not say: the documents are searched.', move.run.collections),
      )
    case 'plan':
      return takeQuestion(move)
    case 'research':
    case 'grade-evidence':
      return settle(changeStep(move, task.step, { status: 'done' }))
    case 'generate':
      return unwritten(move, task.draft, 'failed.not-written')
    case 'grade-answer':
      return move.run.draft?.quotes ? releaseQuotes(move) : spent(move, 'unchecked')
    case 'reply':
      if (task.to === 'narrow') return askNarrower(move)
      return task.to === 'decline' ? decline(move) : finish(move, 'failed', 'failed.no-reply')
    case 'admit':
    case 'review':
      return null
  }
}

export const abandon = (run: Run, taskId: string, reason: string, at: number): Moved | Stale => {
  const task = run.open.find(({ id }) => id === taskId)
  if (!task) return stale
  const next = without(tell(closing(run, task, 'abandoned', at), { type: 'abandoned', audience: 'desk', reason }), task)
  return next ? moved(next) : stale
}
