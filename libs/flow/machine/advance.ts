import type { ModelCall } from '@plumbline/contracts'
import type { Result, TaskKind } from '../schema/task-table'
import type { Run } from '../schema/run'
import type { Report, TaskOf } from '../schema/task'
import { withUsage } from './budgets'
import { draftFailed, finish, outOfBudget, renumberDraft } from './endings'
import { dropAhead, generateAhead, giveUpAhead, researchAhead, routeAhead } from './ahead'
import { gradeAnswer } from './grade-answer'
import { afterLateGrade, openLateGrades, withoutCheck } from './late-grades'
import type { Move, Moved, Stale, Transition } from './move'
import { addEvent, change, close, closeTask, hasEnded, moved, moving, stale } from './move'
import { askNarrower, decline, reply } from './reply'
import { fanIn, gradeEvidence } from './research'
import { overdue } from './overdue'
import { review } from './review'
import { addRouted } from './route'
import { admit } from './start'
import { changeStep, plan, takeQuestion, toResearch } from './steps'

/** `giveUp` continues a run after the task failed for good. For example, a draft stays unchecked if its check failed. */
type Transitions<K extends TaskKind> = { report: Transition<K>; giveUp: (move: Move, task: TaskOf<K>) => Move | null }

const transitions: { [K in TaskKind]: Transitions<K> } = {
  admit: { report: admit, giveUp: () => null },
  route: {
    report: routeAhead,
    giveUp: (move) => {
      const logic = 'The router returned no result, so the documents are searched.'
      return toResearch(addRouted(dropAhead(move), 'research', logic, move.run.collections))
    },
  },
  plan: { report: plan, giveUp: (move) => takeQuestion(move) },
  research: {
    report: researchAhead,
    giveUp: (move, { step }) => fanIn(changeStep(move, step, { status: 'done' })),
  },
  'grade-evidence': {
    report: gradeEvidence,
    giveUp: (move, { late, step }) => (late ? afterLateGrade(move) : fanIn(changeStep(move, step, { status: 'done' }))),
  },
  generate: { report: generateAhead, giveUp: (move, { draft }) => draftFailed(move, draft, 'failed.not-written') },
  reply: {
    report: reply,
    giveUp: (move, { to }) => {
      if (to === 'narrow') return askNarrower(move)
      return to === 'decline' ? decline(move) : finish(move, 'failed', 'failed.no-reply')
    },
  },
  'grade-answer': { report: gradeAnswer, giveUp: (move) => openLateGrades(move) ?? withoutCheck(move) },
  review: { report: review, giveUp: () => null },
}

const apply = <K extends TaskKind>(kind: K, move: Move, task: TaskOf<K>, result: Result<K>): Move | null =>
  transitions[kind].report(move, task, result)

const giveUp = <K extends TaskKind>(kind: K, move: Move, task: TaskOf<K>): Move | null =>
  transitions[kind].giveUp(move, task)

const pay = (move: Move, calls: ModelCall[]): Move =>
  addEvent(change(move, { usage: calls.map(({ usage }) => usage).reduce(withUsage, move.run.usage) }), 'called', {
    calls,
  })

export const advance = (run: Run, report: Report): Moved | Stale => {
  const task = run.open.find(({ id }) => id === report.taskId)
  if (task?.kind !== report.kind) return stale
  const closed = closeTask(run, task, report.result.outcome, report.at)
  const move = report.beganAt === undefined ? closed : { ...closed, beganAt: report.beganAt }
  const paid = report.calls ? pay(move, report.calls) : move
  // The cast is safe, because the kinds of task and report were compared above. The compiler cannot see this.
  const next = apply(report.kind, paid, task as never, report.result as never)
  return next ? moved(next) : stale
}

export const abandon = (run: Run, taskId: string, reason: string, at: number): Moved | Stale => {
  const task = run.open.find(({ id }) => id === taskId)
  if (!task) return stale
  const closed = addEvent(closeTask(run, task, 'abandoned', at), 'abandoned', { reason })
  const next = giveUpAhead(closed, task) ?? giveUp(task.kind, closed, task)
  return next ? moved(next) : stale
}

/** Why the caller ends a run early. `overspent`: the tenant's budget is used up, which the run itself does not know. */
export type RunEnd = { status: 'cancelled' | 'expired' | 'overspent'; by: string; at: number }

const overspent = (move: Move): Move => {
  const { open, steps } = move.run
  const writing = open.find((task) => task.kind === 'generate')
  const closed = open.reduce((rest, { id }) => close(rest, id, 'overspent'), move)
  const stopped = change(closed, { status: 'running', steps: steps.map((step) => ({ ...step, status: 'done' })) })
  const held = writing ? change(stopped, renumberDraft(stopped.run, writing.draft)) : stopped
  return outOfBudget(addEvent(held, 'noted', { note: 'The budget is used up, so there are no further tries.' }))
}

export const end = (run: Run, { status, by, at }: RunEnd): Moved | Stale => {
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
