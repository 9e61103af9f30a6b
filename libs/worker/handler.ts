import type { Evidence, ModelCall } from '@plumbline/contracts'
import type { Result, Run, ShowPart, Stage, TaskKind, TaskOf, TasksOf } from '@plumbline/flow'

export type Work<K extends TaskKind> = {
  run: Run
  task: TaskOf<K>
  evidence: Evidence[]
  signal: AbortSignal
  /** The usage of each call is charged at once, even if the task fails later. */
  onCall: (call: ModelCall) => void
  /** Sends new text of the draft to readers. If the task starts again, the text of earlier starts becomes invalid. */
  onDelta: (text: string) => void
  /** Releases a part of the draft. Returns whether the run accepted it. Exists only at the first start of the task. */
  show?: (part: Omit<ShowPart, 'taskId' | 'at'>) => Promise<boolean>
  /** Starts a search while this route task is still open. Exists only at the first start of the task. */
  startAhead?: () => Promise<void>
  /** Reloads the run, which other tasks may have changed, and the passages that this task needs now. */
  latest?: () => Promise<Pick<Work<K>, 'run' | 'evidence'>>
}
export type StageHandler<K extends TaskKind> = (work: Work<K>) => Promise<Result<K>>
export type StageHandlers<S extends Stage> = { [K in TasksOf<S>]: StageHandler<K> }

export type StageLimits = { concurrency: number; attempts: number; backoffMs: number; timeoutMs: number }

/**
 * `attempts` limits how often a task may fail. `maxStarts` limits how often it may start, because a task that crashes
 * its process cannot report a failure. A postponed task counts toward neither limit.
 */
const usualLimits: StageLimits = { concurrency: 16, attempts: 3, backoffMs: 1_000, timeoutMs: 30_000 }
const ownLimits: Partial<Record<Stage, Partial<StageLimits>>> = { generator: { concurrency: 8, timeoutMs: 60_000 } }
export const limitsOf = (stage: Stage): StageLimits => ({ ...usualLimits, ...ownLimits[stage] })

export const maxStarts = 3
