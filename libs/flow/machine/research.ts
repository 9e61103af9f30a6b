import type { Evidence, Overall } from '@plumbline/contracts'
import type { Result } from '../map/outcomes'
import type { EvidenceRow, Run, Step } from '../map/run'
import type { TaskOf } from '../map/task'
import { passes, passing, poverty, whatFailed } from './evidence'
import { settle } from './fan-in'
import { stands } from './grounding'
import type { Move } from './move'
import { open, tell } from './move'
import { remedyFor } from './remedies'
import { changeStep } from './steps'
import type { Transition } from './transition'

const rowOf = ({ id, documentId, title, scores }: Evidence): EvidenceRow => ({ id, documentId, title, scores })

/** All of a document that is to be summed up is needed, whatever it is about. */
const isGraded = ({ policy, route }: Run, { source }: TaskOf<'research'>): boolean =>
  route?.to !== 'summarise' && policy.gradeEvidence === 'on' && (source === 'index' || policy.gradeWeb === 'on')

/** A try replaces what did not pass before it. After a draft, evidence is only added to: what its supported sentences cite must stay. */
const keptRows = ({ policy, draft }: Run, step: Step): EvidenceRow[] =>
  policy.keepEvidence === 'replace' && !draft ? passing(policy, step) : step.evidence

const isFoundBefore = (passages: Evidence[], { evidence }: Step): boolean =>
  passages.length > 0 && passages.every((passage) => evidence.some(({ id }) => id === passage.id))

const news = (rows: EvidenceRow[], kept: EvidenceRow[]): EvidenceRow[] => {
  const seen = new Map(rows.map((row) => [row.id, row]))
  kept.forEach(({ id }) => seen.delete(id))
  return [...seen.values()]
}

/** A poor step stays open without a task until the fan-in has a remedy for it. */
const judge = (move: Move, step: Step, tried: EvidenceRow[], overall: Overall): Move => {
  const { policy } = move.run
  const isNew = tried.some((row) => passes(policy, row))
  const poor = stands(move.run) ? (isNew ? null : 'Nothing new was found.') : poverty(policy, step, tried, overall)
  const how = remedyFor(move.run)
  if (poor === null || how === 'go-on' || how === 'release')
    return settle(changeStep(move, step.step, { status: 'done' }))
  return settle(changeStep(move, step.step, { failed: whatFailed(policy, step, poor) }))
}

const tellResearch = (move: Move, task: TaskOf<'research'>, result: Result<'research'>, passages: Evidence[]): Move => {
  const { step, try: attempt } = task
  const { queries, strategy, reason, note, degraded, cached, source } = result
  const found = tell(move, {
    type: 'researched',
    audience: 'asker',
    step,
    try: attempt,
    source,
    found: passages.length,
  })
  const told = note ? tell(found, { type: 'noted', audience: 'asker', note }) : found
  return tell(told, {
    type: 'queried',
    audience: 'desk',
    step,
    try: attempt,
    queries,
    passages: passages.map((passage) => ({ id: passage.id, title: passage.title, scores: passage.scores })),
    ...(strategy && { strategy }),
    ...(reason && { reason }),
    ...(degraded && { degraded }),
    ...(cached && { cached }),
  })
}

export const research: Transition<'research'> = (move, task, result) => {
  const { run } = move
  const before = run.steps.find(({ step }) => step === task.step)
  if (!before) return null
  const passages = result.outcome === 'found' ? result.passages : []
  const kept = passages.length > 0 ? keptRows(run, before) : before.evidence
  const fresh = news(passages.map(rowOf), kept)
  const step: Step = {
    ...before,
    queries: [...before.queries, ...result.queries],
    evidence: [...kept, ...fresh],
    // A try that could not even ask has no better one after it.
    exhausted: isFoundBefore(passages, before) || result.queries.length === 0,
    ...(result.strategy && { strategies: [...(before.strategies ?? []), result.strategy] }),
    ...(result.resolved && { resolved: result.resolved }),
    ...(result.degraded && { degraded: [...(before.degraded ?? []), ...result.degraded] }),
  }
  const found = { ...changeStep(tellResearch(move, task, result, passages), step.step, step), evidence: passages }
  if (passages.length > 0 && !isGraded(run, task)) return settle(changeStep(found, step.step, { status: 'done' }))
  if (fresh.length === 0) return judge(found, step, [], 'correct')
  const passageIds = fresh.map(({ id }) => id)
  const { step: number, try: attempt } = task
  return open(found, {
    id: `grade-evidence.${number}.${attempt}`,
    kind: 'grade-evidence',
    openedAt: move.at,
    step: number,
    try: attempt,
    passageIds,
  })
}

export const gradeEvidence: Transition<'grade-evidence'> = (move, task, result) => {
  const { policy, steps } = move.run
  const before = steps.find(({ step }) => step === task.step)
  if (!before) return null
  const grades = new Map(result.grades.map(({ passageId, ...grade }) => [passageId, grade]))
  const evidence = before.evidence.map((row) => ({ ...row, ...(grades.has(row.id) && { grade: grades.get(row.id) }) }))
  const step = { ...before, evidence }
  const tried = evidence.filter(({ id }) => task.passageIds.includes(id))
  const told = tell(changeStep(move, step.step, { evidence }), {
    type: 'evidence-graded',
    audience: 'desk',
    step: task.step,
    try: task.try,
    overall: result.overall,
    relevant: tried.filter((row) => passes(policy, row)).length,
    grades: result.grades,
  })
  return judge(told, step, tried, result.overall)
}
