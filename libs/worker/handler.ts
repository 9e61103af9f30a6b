import type { Evidence, ModelCall } from '@plumbline/contracts'
import type { Result, Run, Stage, TaskKind, TaskOf, TasksOf } from '@plumbline/flow'

/** One task of one run, as the input of a stage's handler. */
export type Work<K extends TaskKind> = {
  run: Run
  task: TaskOf<K>
  /** The passages this task needs (see `evidenceFor` in the core), with their grades in this run. */
  evidence: Evidence[]
  signal: AbortSignal
  /** Reports a model call. It is charged at once, whatever happens to the task. */
  onCall: (call: ModelCall) => void
  /** Sends a piece of a draft to the run's draft stream. A new start of the task voids it. */
  onDelta: (text: string) => void
}
/** A stage is a function: ports in, report out. */
export type StageHandler<K extends TaskKind> = (work: Work<K>) => Promise<Result<K>>
export type StageHandlers<S extends Stage> = { [K in TasksOf<S>]: StageHandler<K> }

export type StageLimits = { concurrency: number; attempts: number; backoffMs: number; timeoutMs: number }

/**
 * Every setting of every stage, without defaults. Errors use up attempts, crashes use up starts, `later` uses up
 * neither.
 */
export const stageLimits: Record<Stage, StageLimits> = {
  router: { concurrency: 16, attempts: 3, backoffMs: 1_000, timeoutMs: 30_000 },
  planner: { concurrency: 16, attempts: 3, backoffMs: 1_000, timeoutMs: 30_000 },
  researcher: { concurrency: 16, attempts: 3, backoffMs: 1_000, timeoutMs: 30_000 },
  generator: { concurrency: 8, attempts: 3, backoffMs: 1_000, timeoutMs: 60_000 },
  grader: { concurrency: 16, attempts: 3, backoffMs: 1_000, timeoutMs: 30_000 },
}

/** A task that crashed its process this often is abandoned. */
export const maxStarts = 3
