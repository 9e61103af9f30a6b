import type { Evidence, Lease, LedgerEvent, ReviewRow, ReviewView } from '@plumbline/contracts'
import { decisionsFor, type Draft, type Run, type TaskOf } from '@plumbline/flow'
import { iso, reviewTask } from './audience'
import { cited, quoted, withQuotes } from './hydrate'
import { isQuoted, runView } from './run-view'

const parked = (run: Run, task: TaskOf<'review'>, lease: Lease | null) => ({
  taskId: task.id,
  decider: task.decider,
  reason: run.reason ?? 'parked',
  parkedAt: iso(task.openedAt),
  dueAt: iso(task.dueAt),
  actions: decisionsFor(run),
  lease,
})

const scoreOf = (run: Run): number | null =>
  run.grading && run.grading.draft === run.draft?.draft && !isQuoted(run) ? run.grading.score : null

/** One line of the desk's list, or null where the run is no longer parked. */
export const reviewRow = (run: Run, lease: Lease | null): ReviewRow | null => {
  const task = reviewTask(run)
  return task
    ? {
        runId: run.id,
        question: run.question,
        policy: run.policy.name,
        score: scoreOf(run),
        ...parked(run, task, lease),
      }
    : null
}

/** Every passage the run holds: a reviewer judges the draft against all of it. */
export const reviewPassages = (run: Run): string[] => [
  ...new Set([
    ...(run.draft?.citations.map((citation) => citation.passageId) ?? []),
    ...run.steps.flatMap((step) => step.evidence.map((row) => row.id)),
    ...run.steps.flatMap((step) => step.failed?.passageIds ?? []),
  ]),
]

type Desk = { run: Run; evidence: Evidence[]; trace: { id: string; event: LedgerEvent }[]; lease: Lease | null }

/** All a reviewer needs to decide, or null where the run is no longer parked. */
export const reviewView = ({ run, evidence, trace, lease }: Desk): ReviewView | null => {
  const task = reviewTask(run)
  if (!task) return null
  const held: Draft = run.draft ?? { draft: task.draft, text: '', citations: [] }
  const { draft, text, citations, editedBy } = held
  const places = held.quotes ?? held.rows
  const quotes = places && quoted(places, evidence)
  const graded = run.grading?.draft === draft ? run.grading : undefined
  return {
    ...parked(run, task, lease),
    run: runView(run, evidence, 'desk'),
    draft: {
      draft,
      text: held.quotes ? withQuotes('', quotes) : text,
      citations: cited(citations, evidence),
      ...(quotes && { quotes }),
      ...(editedBy !== undefined && { editedBy }),
    },
    score: scoreOf(run),
    claims: graded?.claims ?? [],
    parts: graded?.parts ?? [],
    evidence,
    trace,
  }
}
