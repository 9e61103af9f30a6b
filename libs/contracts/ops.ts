import { z } from 'zod'
import { RunStatus } from './run-view'

/** The queues that can be paused: the queues of the five stages, and the queue of ingestion. */
export const OpsStage = z.enum(['router', 'planner', 'researcher', 'generator', 'grader', 'ingest'])
export type OpsStage = z.infer<typeof OpsStage>

const count = z.number().int()
const ms = z.number()
/** The median and the 95th percentile of the durations, in ms. Null if nothing finished. */
const took = { p50Ms: ms.nullable(), p95Ms: ms.nullable() }
/** Counts by name. A name without an entry has the count zero. */
const byName = z.record(z.string(), count)

export const StageNow = z.object({
  stage: OpsStage,
  waiting: count,
  active: count,
  delayed: count,
  /** The number of tasks that were abandoned in the last hour. */
  failed: count,
  /** The age of the oldest waiting job. Null if no job waits. */
  oldestMs: ms.nullable(),
  paused: z.boolean(),
  /** The number of tasks that all live workers together can run at once. */
  slots: count,
  tasksPerMinute: z.number(),
  ...took,
})
export type StageNow = z.infer<typeof StageNow>

/** The calls to one model at one host in the last hour. */
export const ModelNow = z.object({
  name: z.string(),
  calls: count,
  failed: count,
  ...took,
  /** The time since which all calls have failed. Absent if the latest call succeeded. */
  failingSince: z.string().optional(),
  lastError: z.string().optional(),
})
export type ModelNow = z.infer<typeof ModelNow>

/** The held answers of all tenants. The last three fields count events of the last hour. */
export const DeskNow = z.object({
  overdue: count,
  dueWithinHour: count,
  escalated: count,
  arrived: count,
  decided: count,
})
export type DeskNow = z.infer<typeof DeskNow>

/** The current state of the whole system. Rates and durations are those of the last hour. */
export const OpsOverview = z.object({
  at: z.string(),
  accepting: z.boolean(),
  /** The reason why new questions are refused. Absent if they are accepted. */
  refusing: z.string().optional(),
  stages: z.array(StageNow),
  held: z.object({ waiting: count, oldestMs: ms.nullable() }),
  /**
   * For each unfinished status, the current number of runs. For each end status, the number of runs in the last hour.
   */
  runs: z.partialRecord(RunStatus, count),
  runsPerHour: count,
  ...took,
  /** The age of the oldest waiting job in all queues. */
  oldestMs: ms.nullable(),
  /** This field and the following fields are optional, because gateways of earlier versions do not send them. */
  models: z.array(ModelNow).optional(),
  /** The number of runs that ended in the last hour and during which a model or another service was unavailable. */
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

/** The number of run events in a time span. */
export const RunCounts = z.object({
  asked: count,
  /** The number of ended runs by status. */
  ended: byName,
  /** The number of ended runs by reason. */
  reasons: byName,
  /** The number of held drafts by reason. */
  parked: byName,
  /** The number of decisions by action. */
  decided: byName,
  /** The number of ended runs in which a query was rewritten. */
  withRewrite: count,
  /** The number of query rewrites in all answered runs. */
  rewritesOfAnswered: count,
  /** The number of ended runs that were first held for review. */
  heldFirst: count.optional(),
  /** The number of ended runs during which a model or another service was unavailable. */
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

/** The queues that have workers: the stages, ingestion, and webhooks. The ingestor sends the webhook messages. */
export const ScaledQueue = z.enum([...OpsStage.options, 'webhook'])
export type ScaledQueue = z.infer<typeof ScaledQueue>

/** The number of jobs in a queue. All numbers are sums over the lanes of the queue. */
export const ScalerView = z.object({
  queue: ScaledQueue,
  /** The number by which to scale workers: the sum of waiting, due and active jobs. 0 while the queue is paused. */
  jobs: count,
  /**
   * The number of all waiting jobs. Includes jobs that wait in the fair order among tenants, and jobs that wait in the
   * order of arrival.
   */
  waiting: count,
  active: count,
  /** The number of delayed jobs whose delay is over. */
  due: count,
  paused: z.boolean(),
  /** The age of the oldest job that a worker could take now. */
  oldestSeconds: z.number(),
  /** The number of jobs finished per second: the average of the last two to three minutes. */
  drainPerSecond: z.number(),
})
export type ScalerView = z.infer<typeof ScalerView>

const Named = RunCounts.extend({ name: z.string() })

/** The history of runs in a time span. Only operators get `stages`, because stages serve all tenants. */
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

/** A running process of Plumbline. */
export const ProcessView = z.object({
  id: z.string(),
  app: z.string(),
  version: z.string(),
  host: z.string(),
  pid: z.number().int(),
  startedAt: z.string(),
  seenAt: z.string(),
  /** The queues from which the process takes jobs. Empty for a gateway. */
  stages: z.array(z.string()),
  /** The 99th percentile of the event loop delay in the last seconds. */
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

/** An abandoned task. `question` is present if the run is still stored and the reader may read it. */
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

/** The new run in which the question is asked again. */
export const Replayed = z.object({ runId: z.string(), tenant: z.string() })
export type Replayed = z.infer<typeof Replayed>
