import type { Evidence, ModelCall } from '@plumbline/contracts'
import type { Result, Run, TaskKind, TaskOf, TasksOf, Stage } from '@plumbline/flow'

/** One task of one run, as a stage's function sees it. */
export type Work<K extends TaskKind> = {
  run: Run
  task: TaskOf<K>
  /** The passages this task needs (`evidenceFor` in the core says which), with their grades in this run. */
  evidence: Evidence[]
  signal: AbortSignal
  /** What a model was had to do: counted at once, whatever becomes of the task. */
  onCall: (call: ModelCall) => void
  /** Sends a piece of a draft to the run's draft stream; a new start of the task voids it. */
  onDelta: (text: string) => void
}
/** A stage is a function: ports in, report out. */
export type StageHandler<K extends TaskKind> = (work: Work<K>) => Promise<Result<K>>
export type StageHandlers<S extends Stage> = { [K in TasksOf<S>]: StageHandler<K> }
