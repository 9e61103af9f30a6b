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

/** One arrival of a job at a worker. */
export type Delivery = { runId: string; taskId: string }

/**
 * What becomes of the delivery: `done` is acknowledged, `later` comes again after the pause, `back` is for another
 * worker at once.
 */
export type Disposition = { kind: 'done' } | { kind: 'later'; inMs: number } | { kind: 'back' }

/** What became of a delivery, for metrics: an outcome of the task, or why there was none. `redelivered`: the task had started before without a report. */
export type Observed = { stage: Stage; kind: TaskKind | 'unknown'; outcome: string; ms: number; redelivered: boolean }

/** What is spent, and whether there is more to spend; `at` is the store's time. */
export type Budget = {
  charge(run: Pick<Run, 'id' | 'tenant'>, usage: Usage, at: number): void
  isSpent(tenant: string, at: number): boolean | Promise<boolean>
}

/** What all loops of one process share; documents have an isolation of their own. `draining`: take nothing more; `ending`: wait for nothing more. */
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

/** A handler that was typed by its task's kind, under a type that all of them have. */
type AnyHandler = (work: Work<TaskKind>) => Promise<Result<TaskKind>>

/** `retried`: calls the store or the queue until it answers. */
export type LoopContext = Omit<LoopPorts<Stage>, 'handlers'> & {
  handlers: Partial<Record<TaskKind, AnyHandler>>
  retried: StoreRetry
  retryingStore: MovingStore
}
