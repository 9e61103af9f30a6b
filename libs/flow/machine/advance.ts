import type { Result, TaskKind } from '../map/outcomes'
import type { Run } from '../map/run'
import type { Report, TaskOf } from '../map/task'
import { admit } from './admit'
import { withUsage } from './budgets'
import { generate } from './generate'
import { gradeAnswer } from './grade-answer'
import type { Move, Moved, Stale } from './move'
import { change, close, moved, moving, stale } from './move'
import { plan } from './plan'
import { reply } from './reply'
import { gradeEvidence, research } from './research'
import { review } from './review'
import { route } from './route'
import type { Transition } from './transition'

const transitions: { [K in TaskKind]: Transition<K> } = {
  admit, route, plan, research, 'grade-evidence': gradeEvidence, generate, reply, 'grade-answer': gradeAnswer, review,
}

const apply = <K extends TaskKind>(kind: K, move: Move, task: TaskOf<K>, result: Result<K>): Move | null =>
  transitions[kind](move, task, result)

/** The door and the desk wait; every other task is a move of the machine. */
export const takesMove = (kind: TaskKind): boolean => kind !== 'admit' && kind !== 'review'

/** The run as a closed task leaves it, before anything follows. */
export const closing = (run: Run, taskId: string, kind: TaskKind, how: string, at: number): Move => {
  const move = close(moving(run, at), taskId, how)
  const { status, spent } = move.run
  const moves = spent.moves + (takesMove(kind) ? 1 : 0)
  return change(move, { status: kind === 'admit' ? status : 'running', spent: { ...spent, moves } })
}

export const advance = (run: Run, report: Report): Moved | Stale => {
  const task = run.open.find(({ id }) => id === report.taskId)
  if (task?.kind !== report.kind) return stale
  const move = closing(run, task.id, task.kind, report.result.outcome, report.at)
  const paid = report.usage ? change(move, { usage: withUsage(run.usage, report.usage) }) : move
  // Task and report are of one kind: compared above, where the compiler cannot follow.
  const next = apply(report.kind, paid, task as never, report.result as never)
  return next ? moved(next) : stale
}
