import { type Stage, taskMap } from '../schema/task-table'
import type { Run } from '../schema/run'
import type { Task } from '../schema/task'

/** The queue first delivers the jobs without a `turn`, and then the jobs with a `turn`, lowest first. */
export type Job = { queue: Stage | 'review'; jobId: string; data: { runId: string; taskId: string }; turn?: number }

const queueOf = ({ kind }: Task): Job['queue'] | null => {
  const { stage } = taskMap[kind]
  if (stage === 'door') return null
  return stage === 'desk' ? 'review' : stage
}

/** The part of a run on which its jobs depend. */
export type RunWithJobs = Pick<Run, 'id' | 'open' | 'turn'>

/** Returns the jobs of the open tasks. Repeated calls return the same job ids, so that no job is queued twice. */
export const openJobs = ({ id, open, turn }: RunWithJobs): Job[] =>
  open.flatMap((task) => {
    const queue = queueOf(task)
    if (!queue) return []
    const job: Job = { queue, jobId: `${id}.${task.id}`, data: { runId: id, taskId: task.id } }
    // Review jobs need no `turn`, because no worker takes review jobs.
    return [queue === 'review' || turn === undefined ? job : { ...job, turn }]
  })

export const newJobs = (before: Run | null, after: Run): Job[] => {
  const known = new Set(before?.open.map(({ id }) => id))
  return openJobs(after).filter(({ data }) => !known.has(data.taskId))
}
