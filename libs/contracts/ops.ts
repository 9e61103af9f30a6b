import { z } from 'zod'
import { RunStatus } from './run-view'

/** The pausable queues: the five stages, and the ingestor. */
export const OpsStage = z.enum(['router', 'planner', 'researcher', 'generator', 'grader', 'ingest'])
export type OpsStage = z.infer<typeof OpsStage>

const count = z.number().int()
const ms = z.number()
/** Half of them and 95 of 100 took no longer. Null if there were none. */
const took = { p50Ms: ms.nullable(), p95Ms: ms.nullable() }
/** Counts by name. Names without a count are missing. */
const byName = z.record(z.string(), count)

export const StageNow = z.object({
  stage: OpsStage,
  waiting: count,
  active: count,
  delayed: count,
  /** Tasks abandoned in the last hour. */
  failed: count,
  /** Age of the oldest waiting job. Null if none waits. */
  oldestMs: ms.nullable(),
  paused: z.boolean(),
  /** How many tasks its live workers can do at once. */
  slots: count,
  tasksPerMinute: z.number(),
  ...took,
})
export type StageNow = z.infer<typeof StageNow>

/** A model at its host: its calls of the last hour. */
export const ModelNow = z.object({
  name: z.string(),
  calls: count,
  failed: count,
  ...took,
  /** Start of the minutes in which every call has failed, up to now. */
  failingSince: z.string().optional(),
  lastError: z.string().optional(),
})
export type ModelNow = z.infer<typeof ModelNow>

/** The held answers of all tenants; the last three are of the last hour. */
export const DeskNow = z.object({
  overdue: count,
  dueWithinHour: count,
  escalated: count,
  arrived: count,
  decided: count,
})
export type DeskNow = z.infer<typeof DeskNow>

/** The current state of the shared system. Rates and times cover the last hour. */
export const OpsOverview = z.object({
  at: z.string(),
  accepting: z.boolean(),
  /** Why no question is accepted. */
  refusing: z.string().optional(),
  stages: z.array(StageNow),
  held: z.object({ waiting: count, oldestMs: ms.nullable() }),
  /** Unfinished runs by status, and those that ended in the last hour by result. */
  runs: z.partialRecord(RunStatus, count),
  runsPerHour: count,
  ...took,
  /** The longest wait in any queue. */
  oldestMs: ms.nullable(),
  /** A gateway of an older version sends none of these. */
  models: z.array(ModelNow).optional(),
  /** Runs that ended in the last hour without a model or another service. */
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

/** Events of runs within a time span. */
export const RunCounts = z.object({
  asked: count,
  /** By status. */
  ended: byName,
  /** Ends by reason. */
  reasons: byName,
  /** Held drafts, by reason. */
  parked: byName,
  /** Decisions, by action. */
  decided: byName,
  /** Ended runs with a rewritten query, and the number of rewrites in those that were answered. */
  withRewrite: count,
  rewritesOfAnswered: count,
  /** Ended runs that were held at least once. */
  heldFirst: count.optional(),
  /** Ended runs without a model or another service. */
  degraded: count.optional(),
  escalated: count.optional(),
  strategies: byName,
  groundingFailures: count,
  calls: count,
  tokensIn: count,
  tokensOut: count,
  cents: z.number(),
  /** From question to end. */
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

/** Queues with their own workers: the stages, documents, and webhooks, which the ingestor sends. */
export const ScaledQueue = z.enum([...OpsStage.options, 'webhook'])
export type ScaledQueue = z.infer<typeof ScaledQueue>

/** The work in a queue, over all lanes. */
export const ScalerView = z.object({
  queue: ScaledQueue,
  /** The number to scale workers by: waiting, due and active jobs; 0 while the queue is paused. */
  jobs: count,
  /** With or without a turn. */
  waiting: count,
  active: count,
  /** Delayed jobs that are due. */
  due: count,
  paused: z.boolean(),
  /** Age of the oldest job that could be taken now. */
  oldestSeconds: z.number(),
  /** Jobs finished per second in the last two to three minutes. */
  drainPerSecond: z.number(),
})
export type ScalerView = z.infer<typeof ScalerView>

const Named = RunCounts.extend({ name: z.string() })

/** `stages` cover all tenants and are shown only to operators. */
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

export const HistoryStep = z.enum(['minute', 'quarter', 'hour', 'day'])
export type HistoryStep = z.infer<typeof HistoryStep>

/** One live process. */
export const ProcessView = z.object({
  id: z.string(),
  app: z.string(),
  version: z.string(),
  host: z.string(),
  pid: z.number().int(),
  startedAt: z.string(),
  seenAt: z.string(),
  /** The queues it takes jobs from. Empty for a gateway. */
  stages: z.array(z.string()),
  /** Event loop delay of the last seconds (99th percentile). */
  lagMs: ms,
  memoryBytes: count,
  active: count,
  slots: z.record(z.string(), count),
  /** A gateway that identifies keys of its settings by salted ids. */
  keyIds: z.literal('salted').optional(),
})
export type ProcessView = z.infer<typeof ProcessView>
export const ProcessList = z.object({ items: z.array(ProcessView) })
export type ProcessList = z.infer<typeof ProcessList>

/** An abandoned task. The question is included while its run is retained, for readers with access. */
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

/** The run that repeats the question. */
export const Replayed = z.object({ runId: z.string(), tenant: z.string() })
export type Replayed = z.infer<typeof Replayed>
