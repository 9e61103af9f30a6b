import type { Stage } from './outcomes'

/** Job data is a run and a task, and nothing else, for ever. */
export type Job = { queue: Stage | 'review'; jobId: string; data: { runId: string; taskId: string } }
