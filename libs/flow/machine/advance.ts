import type { ModelCall } from '@plumbline/contracts'
import type { Result, TaskKind } from '../map/outcomes'
import type { Run } from '../map/run'
import type { Report, TaskOf } from '../map/task'
import { admit } from './admit'
import { withUsage } from './budgets'
import { closing } from './closing'
import { generate } from './generate'
import { gradeAnswer } from './grade-answer'
import type { Move, Moved, Stale } from './move'
import { change, moved, stale, tell } from './move'
import { plan } from './plan'
import { reply } from './reply'
import { gradeEvidence, research } from './research'
import { review } from './review'
import { route } from './route'
import type { Transition } from './transition'

const transitions: { [K in TaskKind]: Transition<K> } = {
  admit,
  route,
  plan,
  research,
  'grade-evidence': gradeEvidence,
  generate,
  reply,
  'grade-answer': gradeAnswer,
  review,
}

const apply = <K extends TaskKind>(kind: K, move: Move, task: TaskOf<K>, result: Result<K>): Move | null =>
  transitions[kind](move, task, result)

const pay = (move: Move, calls: ModelCall[]): Move =>
  tell(change(move, { usage: calls.map(({ usage }) => usage).reduce(withUsage, move.run.usage) }), {
    type: 'called',
    audience: 'desk',
    calls,
  })

export const advance = (run: Run, report: Report): Moved | Stale => {
  const task = run.open.find(({ id }) => id === report.taskId)
  if (task?.kind !== report.kind) return stale
  const move = closing(run, task, report.result.outcome, report.at)
  const paid = report.calls ? pay(move, report.calls) : move
  // Task and report are of one kind: compared above, where the compiler cannot follow.
  const next = apply(report.kind, paid, task as never, report.result as never)
  return next ? moved(next) : stale
}
