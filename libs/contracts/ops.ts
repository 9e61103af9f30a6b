import { z } from 'zod'
import { RunStatus, Strategy } from './run-view'
import { givenId } from './text'

export const OpsStage = z.enum(['router', 'planner', 'researcher', 'generator', 'grader', 'ingest'])
export type OpsStage = z.infer<typeof OpsStage>

const count = z.number().int()
const ms = z.number()
const took = { p50Ms: ms.nullable(), p95Ms: ms.nullable() }
const byName = z.record(z.string(), count)

export const StageNow = z.object({
  stage: OpsStage,
  waiting: count,
  active: count,
  delayed: count,
  /** The number of tasks that were abandoned in the last hour. */
  failed: count,
  oldestMs: ms.nullable(),
  paused: z.boolean(),
  slots: count,
  tasksPerMinute: z.number(),
  ...took,
})
export type StageNow = z.infer<typeof StageNow>

/** Statistics about the calls of one model in the last hour. */
export const ModelNow = z.object({
  name: z.string(),
  calls: count,
  failed: count,
  ...took,
  failingSince: z.string().optional(),
  lastError: z.string().optional(),
})
export type ModelNow = z.infer<typeof ModelNow>

/** The review desk of all tenants together. `escalated`, `arrived` and `decided` count events of the last hour. */
export const DeskNow = z.object({
  overdue: count,
  dueWithinHour: count,
  escalated: count,
  arrived: count,
  decided: count,
  /** The number of reviewers to whom drafts that wait for review are currently assigned automatically. */
  takingWork: count.optional(),
})
export type DeskNow = z.infer<typeof DeskNow>

/** The state of the installation. Rates and durations refer to the last hour. */
export const OpsOverview = z.object({
  at: z.string(),
  accepting: z.boolean(),
  refusing: z.string().optional(),
  stages: z.array(StageNow),
  held: z.object({ waiting: count, oldestMs: ms.nullable() }),
  /** The number of runs by status: currently for an unfinished status, and in the last hour for an end status. */
  runs: z.partialRecord(RunStatus, count),
  runsPerHour: count,
  ...took,
  oldestMs: ms.nullable(),
  /** This field and the following fields are optional, because gateways of earlier versions do not send them. */
  models: z.array(ModelNow).optional(),
  /** The number of runs of the last hour during which a model or another service was unavailable. */
  degraded: count.optional(),
  memory: z.object({ usedBytes: count, mostBytes: count }).optional(),
  webhooks: z.object({ waiting: count, retrying: count, oldestMs: ms.nullable() }).optional(),
  sourcesFailing: z
    .array(
      z.object({ tenant: z.string(), name: z.string(), collection: z.string(), since: z.string(), error: z.string() }),
    )
    .optional(),
  desk: DeskNow.optional(),
})
export type OpsOverview = z.infer<typeof OpsOverview>

export const RunCounts = z.object({
  asked: count,
  ended: byName,
  reasons: byName,
  parked: byName,
  decided: byName,
  withRewrite: count,
  rewritesOfAnswered: count,
  heldFirst: count.optional(),
  degraded: count.optional(),
  escalated: count.optional(),
  strategies: byName,
  groundingFailures: count,
  calls: count,
  tokensIn: count,
  tokensOut: count,
  cents: z.number(),
  /** The durations from the question to the end of the run. */
  ...took,
})
export type RunCounts = z.infer<typeof RunCounts>

export const StageCounts = z.object({
  stage: OpsStage,
  done: count,
  failed: count,
  ...took,
})
export type StageCounts = z.infer<typeof StageCounts>

/** The ingestor works on the queues `ingest` and `webhook`. */
export const ScaledQueue = z.enum([...OpsStage.options, 'webhook'])
export type ScaledQueue = z.infer<typeof ScaledQueue>

/** The load of one queue. If the queue is divided into lanes, all numbers are sums over the lanes. */
export const ScalerView = z.object({
  queue: ScaledQueue,
  /** The number of waiting, due and active jobs. It is 0 while the queue is paused. */
  jobs: count,
  waiting: count,
  active: count,
  due: count,
  paused: z.boolean(),
  /** The age of the oldest job that a worker could take now. */
  oldestSeconds: z.number(),
  /** The number of jobs finished per second, averaged over the last two to three minutes. */
  drainPerSecond: z.number(),
})
export type ScalerView = z.infer<typeof ScalerView>

const Named = RunCounts.extend({ name: z.string() })

/** The history of runs. Only operators get entries in `stages`, because a stage processes the runs of all tenants. */
export const OpsHistory = z.object({
  from: z.string(),
  to: z.string(),
  stepMs: ms,
  points: z.array(z.object({ at: z.string(), runs: RunCounts, stages: z.array(StageCounts) })),
  total: RunCounts,
  stages: z.array(StageCounts),
  tenants: z.array(Named),
  policies: z.array(Named),
})
export type OpsHistory = z.infer<typeof OpsHistory>

export const FindingKind = z.enum(['too-broad', 'too-narrow', 'other-vocabulary', 'missing-documents'])
export type FindingKind = z.infer<typeof FindingKind>

/** The figures behind a finding. With `count` 3 and `of` 10, three of ten events were of the kind `what`. */
export const FindingEvidence = z.object({
  what: z.enum(['helpful-rewrites', 'empty-searches', 'rejected-grades', 'runs-without-documents']),
  strategy: Strategy.optional(),
  count,
  of: count,
})
export type FindingEvidence = z.infer<typeof FindingEvidence>

export const Finding = z.object({ kind: FindingKind, words: z.string(), evidence: z.array(FindingEvidence) })
export type Finding = z.infer<typeof Finding>

/**
 * Findings about the quality of each collection. A run that searches several collections counts for each of them. A run
 * that searches more than 10 collections counts for none.
 */
export const Diagnosis = z.object({
  from: z.string(),
  to: z.string(),
  collections: z.array(
    z.object({
      tenant: z.string(),
      collection: z.string(),
      runs: count,
      findings: z.array(Finding).max(4),
    }),
  ),
})
export type Diagnosis = z.infer<typeof Diagnosis>

export const HistoryStep = z.enum(['minute', 'quarter', 'hour', 'day'])
export type HistoryStep = z.infer<typeof HistoryStep>

export const ProcessView = z.object({
  id: z.string(),
  app: z.string(),
  version: z.string(),
  host: z.string(),
  pid: z.number().int(),
  startedAt: z.string(),
  seenAt: z.string(),
  stages: z.array(z.string()),
  /** The 99th percentile of the event loop delay during the last seconds. */
  lagMs: ms,
  memoryBytes: count,
  active: count,
  slots: z.record(z.string(), count),
  /** Set if the gateway identifies the keys in its settings by salted ids. */
  keyIds: z.literal('salted').optional(),
})
export type ProcessView = z.infer<typeof ProcessView>
export const ProcessList = z.object({ items: z.array(ProcessView) })
export type ProcessList = z.infer<typeof ProcessList>

/** `question` is present if the run is still stored and the caller may read that run. */
export const AbandonedTask = z.object({
  runId: z.string(),
  taskId: z.string(),
  tenant: z.string(),
  policy: z.string(),
  reason: z.string(),
  at: z.string(),
  question: z.string().optional(),
  status: RunStatus.optional(),
})
export type AbandonedTask = z.infer<typeof AbandonedTask>
export const AbandonedList = z.object({ items: z.array(AbandonedTask) })
export type AbandonedList = z.infer<typeof AbandonedList>

export const Replayed = z.object({ runId: z.string(), tenant: z.string() })
export type Replayed = z.infer<typeof Replayed>

const moment = z.iso.datetime({ offset: true, error: 'send a time in ISO format, such as 2026-11-22T20:00:00Z' })
/** The runs to replay: `runIds`, or abandoned runs without an answer from `from` (inclusive) to `to` (exclusive). */
export const BulkReplay = z
  .strictObject({
    runIds: z.array(givenId).min(1, 'name at least one run').max(1_000, 'name at most 1,000 runs').optional(),
    from: moment.optional(),
    to: moment.optional(),
  })
  .refine(({ runIds, from, to }) => (runIds ? !from && !to : from !== undefined), {
    message: 'send either `runIds`, or `from` and, if you like, `to`',
    path: ['runIds'],
  })
export type BulkReplay = z.infer<typeof BulkReplay>

export const BulkReplayed = z.object({
  items: z.array(z.object({ runId: z.string(), replayed: Replayed.optional(), problem: z.string().optional() })),
})
export type BulkReplayed = z.infer<typeof BulkReplayed>
