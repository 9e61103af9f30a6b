import type { Claim, Evidence, Grade, ModelCall, PlannedStep, Usage } from '@plumbline/contracts'
import { advance, type Moved, type Stale, start, type StartAsk } from '..'
import type { Result, TaskKind } from '../schema/task-table'
import type { Run } from '../schema/run'
import type { Report, TaskOf } from '../schema/task'
import type { Policy } from '../policy/policy'
import { standard } from '../policy/standard'

export const t0 = 1_800_000_000_000

export const asked: StartAsk = {
  id: 'r000000000000000000000001',
  tenant: 'default',
  lane: 'main',
  question: 'How heavy is Mars?',
  collections: ['planets', 'memory'],
  webOn: false,
  at: t0,
}

/** Returns the default policy, but with grading before the draft, because most specs test the effect of grades. */
export const policy = (fields: Partial<Policy> = {}): Policy => ({ ...standard, gradeEvidence: 'first', ...fields })

/** The run after some reports, one second apart, with all events so far. */
export type RunState = { run: Run; events: Moved['events']; evidence: Evidence[] }

export const asking = (fields: Partial<Policy> = {}, ask: Partial<StartAsk> = {}): RunState =>
  start({ ...asked, ...ask }, policy(fields))

export const movedBy = (answer: Moved | Stale): Moved => {
  if (answer.kind === 'stale') throw new Error('The report was stale.')
  return answer
}

type ReportFields<K extends TaskKind> = { taskId: string; kind: K; result: Result<K>; calls?: ModelCall[] }
/** Returns the report field for one model call with this usage. */
export const costing = (usage: Usage): { calls: ModelCall[] } => ({
  calls: [{ skill: 'plan', model: 'a model', usage }],
})

type AnyReportFields = { [K in TaskKind]: ReportFields<K> }[TaskKind]

export const reportOf = (
  run: Run,
  said: AnyReportFields,
  at = Math.max(run.createdAt, run.movedAt ?? 0) + 1_000,
): Report => ({ ...said, at }) as Report

export const after = (given: RunState, ...reports: AnyReportFields[]): RunState =>
  reports.reduce((before, said) => {
    const next = movedBy(advance(before.run, reportOf(before.run, said)))
    return { run: next.run, events: [...before.events, ...next.events], evidence: next.evidence }
  }, given)

export const openIds = ({ run }: RunState): string[] => run.open.map(({ id }) => id)
export const openTask = <K extends TaskKind>({ run }: RunState, kind: K): TaskOf<K> => {
  const task = run.open.find((candidate) => candidate.kind === kind)
  if (!task) throw new Error(`No ${kind} is open; open: ${run.open.map(({ id }) => id).join(', ')}`)
  return task as TaskOf<K>
}

export const admitted: AnyReportFields = { taskId: 'admit', kind: 'admit', result: { outcome: 'admitted' } }
export const refused: AnyReportFields = {
  taskId: 'admit',
  kind: 'admit',
  result: { outcome: 'refused', reason: 'The queue is full.' },
}

export const routed = (result: Result<'route'>): AnyReportFields => ({ taskId: 'route', kind: 'route', result })
export const toResearch = routed({ outcome: 'research', logic: 'About planets.', collections: ['planets'] })

export const planned = (...steps: (string | [string, number])[]): AnyReportFields => ({
  taskId: 'plan',
  kind: 'plan',
  result: {
    outcome: 'planned',
    logic: 'One step each.',
    steps: steps.map((step): PlannedStep =>
      typeof step === 'string' ? { question: step, waitsFor: null } : { question: step[0], waitsFor: step[1] },
    ),
  },
})

export const passage = (id: string): Evidence => ({
  id,
  documentId: `d-${id}`,
  collection: 'planets',
  title: `Title ${id}`,
  text: `Text of ${id}.`,
  headingPath: [],
  position: 0,
  scores: { fused: 0.5 },
})

export const found = (at: string, ids: string[], more: Partial<Result<'research'>> = {}): AnyReportFields => ({
  taskId: `research.${at}`,
  kind: 'research',
  result: {
    outcome: 'found',
    source: 'index',
    queries: [`query ${at}`],
    passages: ids.map(passage),
    ...more,
  } as Result<'research'>,
})
export const nothing = (at: string, more: Partial<Result<'research'>> = {}): AnyReportFields => ({
  taskId: `research.${at}`,
  kind: 'research',
  result: { outcome: 'nothing', source: 'index', queries: [`query ${at}`], ...more } as Result<'research'>,
})

export const good: Grade = { relevant: true, level: 'high', confidence: 0.9, reason: 'It says so.' }
export const bad: Grade = { relevant: false, level: 'low', confidence: 0.9, reason: 'It is about something else.' }

export const graded = (
  at: string,
  grades: Record<string, Grade>,
  overall: Result<'grade-evidence'>['overall'] = 'correct',
): AnyReportFields => ({
  taskId: `grade-evidence.${at}`,
  kind: 'grade-evidence',
  result: {
    outcome: 'graded',
    grades: Object.entries(grades).map(([passageId, grade]) => ({ passageId, ...grade })),
    overall,
  },
})

/** Reports the grades of passages that were graded only after a draft had used them. */
export const gradedLate = (step: number, draft: number, grades: Record<string, Grade>): AnyReportFields => ({
  ...graded('', grades),
  taskId: `grade-evidence.${step}.draft-${draft}`,
})

export const drafted = (draft: number, text = `Draft ${draft} [1].`, passageId = 'p1'): AnyReportFields => ({
  taskId: `generate.${draft}`,
  kind: 'generate',
  result: { outcome: 'drafted', text, citations: [{ n: 1, passageId }] },
})

/** Reports a draft that quotes passages word for word and was written without a model. */
export const quoted = (draft: number, ids: string[], degraded?: true, missing?: string[]): AnyReportFields => ({
  taskId: `generate.${draft}`,
  kind: 'generate',
  result: {
    outcome: 'quoted',
    quotes: ids.map((passageId, n) => ({ n: n + 1, passageId, text: `Text of ${passageId}.`, marks: [[0, 4]] })),
    ...(missing && { missing }),
    ...(degraded && { degraded }),
  },
})

export const replied = (text: string, written?: true): AnyReportFields => ({
  taskId: 'reply.1',
  kind: 'reply',
  result: { outcome: 'replied', text, ...(written && { written }) },
})

export const claim = (verdict: Claim['verdict'], fields: Partial<Claim> = {}): Claim => ({
  text: `A ${verdict} claim.`,
  kind: 'fact',
  verdict,
  reason: 'Compared.',
  passageId: verdict === 'supported' ? 'p1' : null,
  ...fields,
})

type AnswerGraded = Omit<Result<'grade-answer'>, 'outcome'>
export const checked = (draft: number, fields: Partial<AnswerGraded> = {}): AnyReportFields => ({
  taskId: `grade-answer.${draft}`,
  kind: 'grade-answer',
  result: {
    outcome: 'graded',
    claims: [claim('supported')],
    parts: [{ what: 'How heavy is Mars?', outcome: 'answered' }],
    support: 'full',
    usefulness: 5,
    confidence: 0.9,
    tooBroad: false,
    evidence: { sensitive: false, outdated: [], lowAuthority: [] },
    ...fields,
  },
})
export const ungrounded = (draft: number, ...claims: Claim[]): AnyReportFields =>
  checked(draft, {
    claims: claims.length > 0 ? claims : [claim('supported'), claim('unsupported')],
    support: 'partial',
  })

type Undecided<R> = R extends { outcome: string } ? Omit<R, 'by' | 'decisionId'> : never
export const decided = (draft: number, result: Undecided<Result<'review'>>): AnyReportFields => ({
  taskId: `review.${draft}`,
  kind: 'review',
  result: { by: 'rita', decisionId: `decision-${draft}`, ...result } as Result<'review'>,
})

/** Returns a run of one step with its evidence found and its first draft written. */
export const writing = (fields: Partial<Policy> = {}, ask: Partial<StartAsk> = {}): RunState =>
  after(
    asking(fields, ask),
    admitted,
    toResearch,
    planned('How heavy is Mars?'),
    found('1.1', ['p1']),
    graded('1.1', { p1: good }),
  )
export const checking = (fields: Partial<Policy> = {}, ask: Partial<StartAsk> = {}): RunState =>
  after(writing(fields, ask), drafted(1))

/** Returns a run parked with draft 1, with no retries left. */
export const parked = (fields: Partial<Policy> = {}): RunState =>
  after(checking({ maxRegenerations: 0, maxAugments: 0, ...fields }), ungrounded(1))

/** Returns the first try under a policy that uses the question as its only step. */
export const taken = (fields: Policy, ask: Partial<StartAsk> = {}): RunState => {
  const at = after(asking(fields, ask), admitted)
  return fields.entry === 'route' ? after(at, toResearch) : at
}
/** Reports passages with these grades as the first try of a step. */
export const triedWith = (at: string, grades: Record<string, Grade>): AnyReportFields[] => [
  found(at, Object.keys(grades)),
  graded(at, grades),
]

export const notes = ({ events }: RunState): string[] =>
  events.flatMap((event) => (event.type === 'noted' ? [event.note] : []))
