import { z } from 'zod'
import { RunStatus } from './run-view'

/** The queues that can be paused: the five stages, and ingestion. */
export const OpsStage = z.enum(['router', 'planner', 'researcher', 'generator', 'grader', 'ingest'])
export type OpsStage = z.infer<typeof OpsStage>

const count = z.number().int()
const ms = z.number()
/** The median and the 95th percentile of the durations. Null if there are no durations. */
const took = { p50Ms: ms.nullable(), p95Ms: ms.nullable() }
/** Counts by name. A name with a count of zero is absent. */
const byName = z.record(z.string(), count)

export const StageNow = z.object({
  stage: OpsStage,
  waiting: count,
  active: count,
  delayed: count,
  /** Tasks abandoned in the last hour. */
  failed: count,
  /** Age of the oldest waiting job. Null if no job waits. */
  oldestMs: ms.nullable(),
  paused: z.boolean(),
  /** How many tasks the live workers can run at once. */
  slots: count,
  tasksPerMinute: z.number(),
  ...took,
})
export type StageNow = z.infer<typeof StageNow>

/** The calls to a model at one host in the last hour. */
export const ModelNow = z.object({
  name: z.string(),
  calls: count,
  failed: count,
  ...took,
  /** The time since which every call has failed. Absent if the latest calls did not all fail. */
  failingSince: z.string().optional(),
  lastError: z.string().optional(),
})
export type ModelNow = z.infer<typeof ModelNow>

/** The held answers of all tenants. The last three fields cover the last hour. */
export const DeskNow = z.object({
  overdue: count,
  dueWithinHour: count,
  escalated: count,
  arrived: count,
  decided: count,
})
export type DeskNow = z.infer<typeof DeskNow>

/** The current state of the shared system. Rates and durations cover the last hour. */
export const OpsOverview = z.object({
  at: z.string(),
  accepting: z.boolean(),
  /** Why questions are not accepted. Absent if they are. */
  refusing: z.string().optional(),
  stages: z.array(StageNow),
  held: z.object({ waiting: count, oldestMs: ms.nullable() }),
  /** The number of unfinished runs by status now, and of ended runs by result in the last hour. */
  runs: z.partialRecord(RunStatus, count),
  runsPerHour: count,
  ...took,
  /** The age of the oldest waiting job in any queue. */
  oldestMs: ms.nullable(),
  /** Optional, like the fields below, because gateways of older versions do not send them. */
  models: z.array(ModelNow).optional(),
  /** Runs that ended in the last hour although a model or another service was unavailable. */
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

/** Counts of run events within a time span. */
export const RunCounts = z.object({
  asked: count,
  /** Ended runs by status. */
  ended: byName,
  /** Ended runs by reason. */
  reasons: byName,
  /** Held drafts, by reason. */
  parked: byName,
  /** Decisions, by action. */
  decided: byName,
  /** The number of ended runs with a rewritten query, and the number of rewrites in answered runs. */
  withRewrite: count,
  rewritesOfAnswered: count,
  /** Ended runs that were held at least once. */
  heldFirst: count.optional(),
  /** Ended runs for which a model or another service was unavailable. */
  degraded: count.optional(),
  escalated: count.optional(),
  strategies: byName,
  groundingFailures: count,
  calls: count,
  tokensIn: count,
  tokensOut: count,
  cents: z.number(),
  /** Durations from question to end. */
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

/** The queues with their own workers: stages, ingestion and webhooks. The ingestor sends webhooks. */
export const ScaledQueue = z.enum([...OpsStage.options, 'webhook'])
export type ScaledQueue = z.infer<typeof ScaledQueue>

/** The jobs of a queue, summed over all its lanes. */
export const ScalerView = z.object({
  queue: ScaledQueue,
  /** The number for scaling workers: waiting, due and active jobs. 0 while the queue is paused. */
  jobs: count,
  /**
   * All waiting jobs, whether their queue position comes from a turn (fair order among tenants) or from their arrival.
   */
  waiting: count,
  active: count,
  /** Delayed jobs whose delay has ended. */
  due: count,
  paused: z.boolean(),
  /** Age of the oldest job that a worker could take now. */
  oldestSeconds: z.number(),
  /** Jobs finished per second, averaged over the last two to three minutes. */
  drainPerSecond: z.number(),
})
export type ScalerView = z.infer<typeof ScalerView>

const Named = RunCounts.extend({ name: z.string() })

/** `stages` covers all tenants, so only operators get it. */
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

/** A live process of Plumbline. */
export const ProcessView = z.object({
  id: z.string(),
  app: z.string(),
  version: z.string(),
  host: z.string(),
  pid: z.number().int(),
  startedAt: z.string(),
  seenAt: z.string(),
  /** The queues that the process takes jobs from. Empty for a gateway. */
  stages: z.array(z.string()),
  /** 99th percentile of the event loop delay in the last seconds. */
  lagMs: ms,
  memoryBytes: count,
  active: count,
  slots: z.record(z.string(), count),
  /** Set by a gateway that identifies the keys in its settings by salted ids. */
  keyIds: z.literal('salted').optional(),
})
export type ProcessView = z.infer<typeof ProcessView>
export const ProcessList = z.object({ items: z.array(ProcessView) })
export type ProcessList = z.infer<typeof ProcessList>

/** An abandoned task. `question` is set while its run is stored, for readers with access to the run. */
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

/** The new run that asks the question again. */
export const Replayed = z.object({ runId: z.string(), tenant: z.string() })
export type Replayed = z.infer<typeof Replayed>
