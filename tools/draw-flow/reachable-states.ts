import type { Moved, Policy, Report, Run, Stale, StartAsk, Task } from '@plumbline/flow'
import { abandon, advance, end, start } from '@plumbline/flow'
import { captionsOf } from './captions'

/** `says`: the outcome of the task `from`. `to`: the kind of the next task, or the final status. */
export type Arrow = { from: string; says: string; to: string; reason?: string }

type NextState = { says: string; next: Moved | Stale }

const nextStates = (run: Run, task: Task): NextState[] => [
  ...captionsOf(run, task).map(([says, result]) => ({
    says,
    next: advance(run, { taskId: task.id, kind: task.kind, at: run.createdAt, result } as Report),
  })),
  { says: 'abandoned', next: abandon(run, task.id, '', run.createdAt) },
  { says: 'expired', next: end(run, { status: 'expired', by: '', at: run.createdAt }) },
  { says: 'cancelled', next: end(run, { status: 'cancelled', by: '', at: run.createdAt }) },
  { says: 'overspent', next: end(run, { status: 'overspent', by: '', at: run.createdAt }) },
]

const which = (from: string, task: Task): string => {
  if (task.kind !== 'research' || (from !== 'research' && from !== 'grade-evidence')) return ''
  return task.try > 1 ? ', next try' : ', next step'
}

const arrowsOf = (before: Run, { kind }: Task, says: string, after: Run): Arrow[] => {
  if (after.endedAt !== undefined)
    return [{ from: kind, says, to: after.status, ...(after.reason && { reason: after.reason }) }]
  const known = new Set(before.open.map(({ id }) => id))
  return after.open
    .filter(({ id }) => !known.has(id))
    .map((task) => ({
      from: kind,
      says: `${says}${which(kind, task)}`,
      to: task.kind,
      ...(after.reason && { reason: after.reason }),
    }))
}

/** Runs with equal keys have the same transitions. Their ids, times, texts and counts may differ. */
const likeness = ({ open, steps, spent, draft, grading, status, simple, inThread }: Run): string =>
  JSON.stringify([
    status,
    open.map((task) => [task.kind, 'to' in task && task.to, 'source' in task && task.source]),
    // A thread matters only before admission, because it decides which task follows admission.
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

const exploreFrom = (firsts: Run[], arrows: Map<string, Arrow>): void => {
  const seen = new Set<string>()
  const ahead = [...firsts]
  for (let run = ahead.pop(); run; run = ahead.pop()) {
    if (seen.has(likeness(run))) continue
    seen.add(likeness(run))
    for (const task of run.open)
      for (const { says, next } of nextStates(run, task)) {
        if (next.kind === 'stale') continue
        arrowsOf(run, task, says, next.run).forEach((arrow) => arrows.set(JSON.stringify(arrow), arrow))
        ahead.push(next.run)
      }
  }
}

/** Limits each counter to one, which is enough to show every path. */
export const explore = (policy: Policy): Arrow[] => {
  const arrows = new Map<string, Arrow>()
  const once = (count: number): number => Math.min(count, 1)
  const counters = {
    maxRewrites: once(policy.maxRewrites),
    maxWebSearches: once(policy.maxWebSearches),
    maxRegenerations: once(policy.maxRegenerations),
    maxAugments: once(policy.maxAugments),
  }
  const first = (more: Partial<StartAsk>): Run =>
    start({ ...ask, webOn: true, ...more }, { ...policy, ...counters, maxMoves: 1_000_000 }).run
  for (const webOn of [true, false]) exploreFrom([first({ webOn }), first({ webOn, inThread })], arrows)
  return [...arrows.values()]
}
