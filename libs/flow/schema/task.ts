import type { ModelCall } from '@plumbline/contracts'
import { z } from 'zod'
import { taskMap, type Result, type TaskKind } from './task-table'

const { admit, ...others } = taskMap
export const Task = z.discriminatedUnion('kind', [admit.task, ...Object.values(others).map(({ task }) => task)])
export type Task = z.infer<typeof Task>
export type TaskOf<K extends TaskKind> = Extract<Task, { kind: K }>

/** `at`: the end of the task, by the store's clock. `beganAt`: the start of the task, without the time in the queue. */
export type Report<K extends TaskKind = TaskKind> = {
  [P in K]: { taskId: string; kind: P; beganAt?: number; at: number; calls?: ModelCall[]; result: Result<P> }
}[K]
