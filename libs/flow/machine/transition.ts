import type { Result, TaskKind } from '../map/outcomes'
import type { TaskOf } from '../map/task'
import type { Move } from './move'

/** What a report does to its run; null where the run has no place for it any more. The task is closed already. */
export type Transition<K extends TaskKind> = (move: Move, task: TaskOf<K>, result: Result<K>) => Move | null
