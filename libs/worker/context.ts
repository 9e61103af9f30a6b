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

export type Delivery = { runId: string; taskId: string }

/**
 * How a delivered job continues. `done`: it is removed from the queue. `later`: it is delivered again after `inMs`.
 * `back`: it goes back to the queue, and another worker can take it at once.
 */
export type Disposition = { kind: 'done' } | { kind: 'later'; inMs: number } | { kind: 'back' }

/** `redelivered`: an earlier delivery started the task but reported no result. */
export type Observed = { stage: Stage; kind: TaskKind | 'unknown'; outcome: string; ms: number; redelivered: boolean }

/** `at`: the time by the store's clock. */
export type Budget = {
  charge(run: Pick<Run, 'id' | 'tenant'>, usage: Usage, at: number): void
  isSpent(tenant: string, at: number): boolean | Promise<boolean>
}

/** `draining`: the process takes no more jobs. `ending`: the process no longer repeats failed store calls. */
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

type AnyHandler = (work: Work<TaskKind>) => Promise<Result<TaskKind>>

/** `retried` repeats a failed call to the store or the queue for a limited time. */
export type LoopContext = Omit<LoopPorts<Stage>, 'handlers'> & {
  handlers: Partial<Record<TaskKind, AnyHandler>>
  retried: StoreRetry
  retryingStore: MovingStore
}
