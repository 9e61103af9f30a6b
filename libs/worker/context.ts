import type { Usage } from '@plumbline/contracts'
import type { Result, Run, Stage, TaskKind } from '@plumbline/flow'
import type { Log } from '@plumbline/platform'
import type { JobQueue } from '@plumbline/ports/job-queue'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import type { Clock } from './clock'
import type { StageHandlers, StageLimits, Work } from './handler'
import type { InFlight } from './in-flight'
import type { Isolation } from './isolation'
import type { MovingStore } from './move'
import type { RunMutex } from './run-mutex'
import type { StoreRetry } from './store-retry'

/** One delivery of a job to a worker. */
export type Delivery = { runId: string; taskId: string }

/**
 * The end of a delivery: `done` is acknowledged, `later` is delivered again after the pause, `back` goes to another
 * worker at once.
 */
export type Disposition = { kind: 'done' } | { kind: 'later'; inMs: number } | { kind: 'back' }

/**
 * The result of a delivery, for metrics: the task's outcome, or the reason for none. `redelivered`: the task started
 * before without a report.
 */
export type Observed = { stage: Stage; kind: TaskKind | 'unknown'; outcome: string; ms: number; redelivered: boolean }

/** Charges usage and checks the rest of the budget. `at` is the store's time. */
export type Budget = {
  charge(run: Pick<Run, 'id' | 'tenant'>, usage: Usage, at: number): void
  isSpent(tenant: string, at: number): boolean | Promise<boolean>
}

/**
 * State shared by all loops of one process; documents have their own isolation. `draining`: take no more jobs.
 * `ending`: stop waiting.
 */
export type Process = {
  isolation: Isolation
  inFlight: InFlight
  runMutex: RunMutex
  clock: Clock
  draining: AbortSignal
  ending: AbortSignal
  storeRetryMs: number
}

export type LoopPorts<S extends Stage> = {
  stage: S
  handlers: StageHandlers<S>
  limits: StageLimits
  store: RunStore
  queue: JobQueue
  budget?: Budget
  log: Pick<Log, 'debug' | 'info' | 'warn' | 'error'>
  process: Process
  observe?: (observed: Observed) => void
}

/** A typed handler, under a common type for all task kinds. */
type AnyHandler = (work: Work<TaskKind>) => Promise<Result<TaskKind>>

/** `retried`: repeats calls of the store or the queue until they succeed. */
export type LoopContext = Omit<LoopPorts<Stage>, 'handlers'> & {
  handlers: Partial<Record<TaskKind, AnyHandler>>
  retried: StoreRetry
  retryingStore: MovingStore
}
