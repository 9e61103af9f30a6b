import type { Moved, Policy, Report, Run, Stale, Task } from '@plumbline/flow'
import { advance, end, start } from '@plumbline/flow'
import { reportsOf } from './reports'

/** An arrow of the drawing. `says`: what the task `from` reports. `to`: the kind of the next task, or an end status. */
export type Arrow = { from: string; says: string; to: string }

type NextState = { says: string; next: Moved | Stale }

const nextStates = (run: Run, task: Task): NextState[] => {
  const { kind, id: taskId } = task
  const at = run.createdAt
  const states: NextState[] = reportsOf(run, task).map(([says, result]) => ({
    says,
    next: advance(run, { taskId, kind, at, result } as Report),
  }))
  if (kind === 'review') states.push({ says: 'expired', next: end(run, { status: 'expired', by: '', at }) })
  return states
}

const which = (from: string, task: Task): string => {
  if (task.kind !== 'research' || (from !== 'research' && from !== 'grade-evidence')) return ''
  return task.try > 1 ? ', next try' : ', next step'
}

const arrowsOf = (before: Run, { kind: from }: Task, says: string, after: Run): Arrow[] => {
  if (after.endedAt !== undefined) return [{ from, says, to: after.status }]
  const known = new Set(before.open.map(({ id }) => id))
  const opened = after.open.filter(({ id }) => !known.has(id))
  return opened.map((task) => ({ from, says: `${says}${which(from, task)}`, to: task.kind }))
}

/** Returns a key for the state of a run. Runs with equal keys have the same transitions, whatever their ids are. */
const likeness = ({ open, steps, spent, draft, grading, status, simple, inThread }: Run): string =>
  JSON.stringify([
    status,
    open.map((task) => [task.kind, 'to' in task && task.to, 'source' in task && task.source]),
    // Whether the run belongs to a thread matters only before admission, because it decides which task follows.
    inThread !== undefined && open.some(({ kind }) => kind === 'admit'),
    steps.map((step) => {
      const relevant = step.evidence.filter((row) => row.grade?.relevant !== false).length
      const any = (is: 'sensitive' | 'outdated') => step.evidence.some(({ grade, mark }) => grade?.[is] ?? mark?.[is])
      return [step.status, step.source, Math.min(relevant, 2), any('sensitive'), any('outdated')]
    }),
    simple,
    { ...spent, moves: 0 },
    draft && [draft.editedBy !== undefined, draft.quotes !== undefined],
    grading && [grading.score, grading.parts, grading.degraded],
  ])

const inThread = { runId: 'r0', status: 'answered' as const, question: 'q', text: '', passageIds: ['p'] }
const ask = { id: 'r', tenant: 't', lane: 'l', question: 'q', collections: ['c'], at: 0 }
const counters = ['maxRewrites', 'maxWebSearches', 'maxRegenerations', 'maxAugments'] as const

/** Returns all transitions of a policy. Each kind of retry is limited to one, which is enough to reach every state. */
export const explore = (policy: Policy): Arrow[] => {
  const once = Object.fromEntries(counters.map((name) => [name, Math.min(policy[name], 1)]))
  const arrows = new Map<string, Arrow>()
  for (const webOn of [true, false]) {
    const seen = new Set<string>()
    const firsts = [{ webOn }, { webOn, inThread }]
    const ahead = firsts.map((more) => start({ ...ask, ...more }, { ...policy, ...once, maxMoves: 1_000_000 }).run)
    for (let run = ahead.pop(); run; run = ahead.pop()) {
      if (seen.size === seen.add(likeness(run)).size) continue
      for (const task of run.open)
        for (const { says, next } of nextStates(run, task)) {
          if (next.kind === 'stale') continue
          for (const arrow of arrowsOf(run, task, says, next.run)) arrows.set(JSON.stringify(arrow), arrow)
          ahead.push(next.run)
        }
    }
  }
  return [...arrows.values()]
}
