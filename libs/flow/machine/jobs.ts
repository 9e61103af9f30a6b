import { type Stage, taskMap } from '../schema/task-table'
import type { Run } from '../schema/run'
import type { Task } from '../schema/task'

/**
 * Job data is a run id and a task id, and must never grow. The queue is ordered by `turn`; a job without one goes
 * first.
 */
export type Job = { queue: Stage | 'review'; jobId: string; data: { runId: string; taskId: string }; turn?: number }

const queueOf = ({ kind }: Task): Job['queue'] | null => {
  const { stage } = taskMap[kind]
  if (stage === 'door') return null
  return stage === 'desk' ? 'review' : stage
}

/** Lists the jobs of a run's open tasks. The same run always has the same jobs. */
export const openJobs = (run: Run): Job[] =>
  run.open.flatMap((task) => {
    const queue = queueOf(task)
    if (!queue) return []
    const job: Job = { queue, jobId: `${run.id}.${task.id}`, data: { runId: run.id, taskId: task.id } }
    // No worker takes jobs of `review`. Tools count how many wait there.
    return [queue === 'review' || run.turn === undefined ? job : { ...job, turn: run.turn }]
  })

export const newJobs = (before: Run | null, after: Run): Job[] => {
  const known = new Set(before?.open.map(({ id }) => id))
  return openJobs(after).filter(({ data }) => !known.has(data.taskId))
}
