import { type Stage, taskMap } from '../map/outcomes'
import type { Run } from '../map/run'
import type { Task } from '../map/task'

/** Job data is a run and a task, and nothing else, for ever. */
export type Job = { queue: Stage | 'review'; jobId: string; data: { runId: string; taskId: string } }

const queueOf = ({ kind }: Task): Job['queue'] | null => {
  const { stage } = taskMap[kind]
  if (stage === 'door') return null
  return stage === 'desk' ? 'review' : stage
}

/** Same run, same jobs. */
export const openJobs = (run: Run): Job[] =>
  run.open.flatMap((task) => {
    const queue = queueOf(task)
    return queue ? [{ queue, jobId: `${run.id}.${task.id}`, data: { runId: run.id, taskId: task.id } }] : []
  })

export const newJobs = (before: Run | null, after: Run): Job[] => {
  const known = new Set(before?.open.map(({ id }) => id))
  return openJobs(after).filter(({ data }) => !known.has(data.taskId))
}
