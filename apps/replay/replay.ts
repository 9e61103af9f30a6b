import type { Case, Claim, Evidence, Overall } from '@plumbline/contracts'
import {
  advance,
  evidenceFor,
  type Policy,
  type Report,
  type Result,
  type Run,
  start,
  type Task,
  type TaskOf,
  withGrades,
} from '@plumbline/flow'
import type { Skills } from '@plumbline/skills/skill/skill'
import { generate } from '@plumbline/stages/generator/generate'
import { gradeAnswer } from '@plumbline/stages/grader/grade-answer'
import type { Work } from '@plumbline/worker'

/** `drafts: 'stored'` checks the stored draft of the case again. `written` writes and checks a new draft. */
export type ReplayOptions = { policy: Policy; skills: Skills; drafts: 'stored' | 'written'; signal: AbortSignal }
export type ReplayResult = {
  status: Run['status']
  reason: string
  score: number | null
  claims: Claim[]
  text: string
}

/** No policy allows a run this many state changes. If a replay reaches the limit, it is in an endless loop. */
const mostMoves = 300

const passagesOf = ({ evidence }: Case, ids: string[]): Evidence[] => evidence.filter(({ id }) => ids.includes(id))

/** Returns the stored passages for a step. If the number of steps has changed, the first step gets all passages. */
const foundBy = (kept: Case, run: Run, step: number): Evidence[] =>
  run.steps.length === kept.steps.length
    ? passagesOf(
        kept,
        kept.steps.filter((one) => one.step === step).flatMap(({ passageIds }) => passageIds),
      )
    : step === 1
      ? kept.evidence
      : []

const resolvedIn = (kept: Case, run: Run, step: number) => {
  const resolved = kept.steps.find((one) => one.step === step)?.resolved
  return run.steps.length === kept.steps.length && resolved !== undefined ? { resolved } : {}
}

/** Searches the stored passages, because the documents may have changed. Only the first try finds something. */
const research = (kept: Case, run: Run, { step, try: attempt, source }: TaskOf<'research'>): Result<'research'> => {
  const passages = attempt === 1 ? foundBy(kept, run, step) : []
  return passages.length > 0
    ? { outcome: 'found', source, passages, queries: [kept.question], ...resolvedIn(kept, run, step) }
    : { outcome: 'nothing', source, queries: [] }
}

const ungraded = { relevant: true, level: 'high', confidence: 1, reason: 'It was not graded.' } as const
const overallOf = (relevant: number, all: number): Overall => {
  if (relevant === all) return 'correct'
  return relevant > 0 ? 'ambiguous' : 'incorrect'
}

const grades = (kept: Case, { passageIds }: TaskOf<'grade-evidence'>): Result<'grade-evidence'> => {
  const graded = passagesOf(kept, passageIds).map(({ id, grade }) => ({ passageId: id, ...(grade ?? ungraded) }))
  const relevant = graded.filter((grade) => grade.relevant).length
  return { outcome: 'graded', grades: graded, overall: overallOf(relevant, graded.length) }
}

const route = ({ route, collections, steps, standalone }: Case): Result<'route'> => {
  const understood = {
    logic: 'The route of the stored case.',
    collections,
    ...(standalone !== undefined && { question: standalone }),
  }
  return route === 'summarise'
    ? { outcome: 'summarise', title: '', ...understood }
    : { outcome: 'research', simple: steps.length <= 1, ...understood }
}

const stored = ({ draft: { text, citations, workings, quotes } }: Case): Result<'generate'> =>
  quotes ? { outcome: 'quoted', quotes } : { outcome: 'drafted', text, citations, ...(workings && { workings }) }

const plan = ({ question, standalone, steps }: Case): Result<'plan'> => ({
  outcome: 'planned',
  logic: 'The plan of the stored case.',
  steps:
    steps.length > 0
      ? steps.map(({ question, waitsFor }) => ({ question, waitsFor }))
      : [{ question: standalone ?? question, waitsFor: null }],
})

const workOn = <Kind extends Task['kind']>(kept: Case, run: Run, task: TaskOf<Kind>, signal: AbortSignal) => {
  const work: Omit<Work<never>, 'task'> = {
    run,
    evidence: withGrades(run, passagesOf(kept, evidenceFor(run, task))),
    signal,
    onCall: () => undefined,
    onDelta: () => undefined,
  }
  return { ...work, task }
}

/** Performs a task of a replay. Search results come from the case. Checks are new, and with `written` also drafts. */
const resultOf = async (
  kept: Case,
  run: Run,
  task: Task,
  { skills, drafts, signal }: ReplayOptions,
): Promise<unknown> => {
  switch (task.kind) {
    case 'admit':
      return { outcome: 'admitted' }
    case 'route':
      return route(kept)
    case 'plan':
      return plan(kept)
    case 'research':
      return research(kept, run, task)
    case 'grade-evidence':
      return grades(kept, task)
    case 'generate':
      return drafts === 'stored' ? stored(kept) : generate({ skills })(workOn(kept, run, task, signal))
    case 'grade-answer':
      return gradeAnswer({ skills })(workOn(kept, run, task, signal))
    case 'reply':
      return { outcome: 'replied', text: 'A clarifying question.' }
    case 'review':
      throw new Error('a replay makes no decision for a reviewer')
  }
}

const begun = (kept: Case, policy: Policy): Run =>
  start(
    {
      id: kept.runId,
      tenant: 'replay',
      lane: 'main',
      question: kept.standalone ?? kept.question,
      collections: kept.collections,
      webOn: false,
      at: Date.parse(kept.askedAt),
      ...(kept.filters && { filters: kept.filters }),
    },
    policy,
  ).run

/** Replays a case until the run ends or a person would have to decide. */
export const replayCase = async (kept: Case, replaying: ReplayOptions): Promise<ReplayResult> => {
  let run = begun(kept, replaying.policy)
  for (let moves = 0; ; moves += 1) {
    const task = run.open.find(({ kind }) => kind !== 'review')
    if (!task) break
    if (moves === mostMoves) throw new Error(`the run did not end within ${mostMoves} moves`)
    const result = await resultOf(kept, run, task, replaying)
    const report = { kind: task.kind, taskId: task.id, at: (run.movedAt ?? run.createdAt) + 1, result } as Report
    const moved = advance(run, report)
    if (moved.kind === 'stale') throw new Error(`the current flow rejects the result of the task ${task.id}`)
    run = moved.run
  }
  const grading = run.draft && !run.draft.quotes && run.grading?.draft === run.draft.draft ? run.grading : undefined
  return {
    status: run.status,
    reason: run.reason ?? run.status,
    score: grading?.score ?? null,
    claims: grading?.claims ?? [],
    text: run.draft?.text ?? '',
  }
}
