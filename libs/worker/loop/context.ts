import type { Usage } from '@plumbline/contracts'
import type { Run, Stage, TaskKind } from '@plumbline/flow'
import type { Log } from '@plumbline/platform'
import type { JobQueue } from '@plumbline/ports/job-queue'
import type { RunStore } from '@plumbline/ports/run-store'
import type { Clock } from '../clock/clock'
import type { Gate } from '../gate/gate'
import type { StageHandlers } from '../handler'
import type { Held } from '../held/held'
import type { StageLimits } from '../limits'
import type { Turns } from '../move/turns'
import type { Patience } from '../patience/patience'
import type { AnyHandler } from './work'

/** What became of a delivery, for metrics: an outcome of the task, or why there was none. */
export type Observed = { stage: Stage; kind: TaskKind | 'unknown'; outcome: string; ms: number; redelivered: boolean }

/** What is spent, and whether there is more to spend; `at` is the store's time. */
export type Budget = {
  charge(run: Pick<Run, 'id' | 'tenant'>, usage: Usage, at: number): void
  isSpent(tenant: string, at: number): Promise<boolean>
}

/** What all loops of one process share. `draining`: take nothing more; `ending`: wait for nothing more. */
export type Process = {
  gate: Gate
  held: Held
  turns: Turns
  clock: Clock
  draining: AbortSignal
  ending: AbortSignal
  patienceMs: number
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

export type LoopContext = Omit<LoopPorts<Stage>, 'handlers'> & {
  handlers: Partial<Record<TaskKind, AnyHandler>>
  patiently: Patience
  patientStore: Pick<RunStore, 'commit' | 'load'>
}
