import type { Job } from '@plumbline/flow'
import type { JobQueue, QueueName } from './job-queue'

export type MemoryJobQueue = JobQueue & {
  take(lane: string, queue: QueueName): Job | null
  waiting(lane: string): Job[]
}

export const createMemoryJobQueue = (): MemoryJobQueue => {
  const lanes = new Map<string, Map<string, Job>>()
  const laneOf = (lane: string): Map<string, Job> => {
    const jobs = lanes.get(lane) ?? new Map<string, Job>()
    lanes.set(lane, jobs)
    return jobs
  }
  const paused = new Set<string>()
  const keyOf = ({ queue, jobId }: Job): string => `${queue}:${jobId}`
  const addNew = (lane: string, jobs: Job[]): number => {
    const held = laneOf(lane)
    const missing = jobs.filter((job) => !held.has(keyOf(job)))
    for (const job of missing) held.set(keyOf(job), job)
    return missing.length
  }
  const waiting = (lane: string): Job[] => [...laneOf(lane).values()]
  const line = (lane: string, queue: QueueName): Job[] =>
    waiting(lane)
      .filter((job) => job.queue === queue)
      .sort((one, other) => (one.turn ?? -Infinity) - (other.turn ?? -Infinity) || 0)
  return {
    waiting,
    take: (lane, queue) => {
      if (paused.has(`${lane}:${queue}`)) return null
      const [job] = line(lane, queue)
      if (job) laneOf(lane).delete(keyOf(job))
      return job ?? null
    },
    add: async (lane, jobs) => void addNew(lane, jobs),
    heal: async (lane, jobs) => addNew(lane, jobs),
    remove: async (lane, jobs) => {
      for (const job of jobs) laneOf(lane).delete(keyOf(job))
    },
    depth: async (lane, queue) => {
      const count = waiting(lane).filter((job) => job.queue === queue).length
      return {
        waiting: count,
        active: 0,
        delayed: 0,
        due: 0,
        paused: paused.has(`${lane}:${queue}`),
        oldestMs: count > 0 ? 0 : null,
      }
    },
    next: async (lane, queue, most) =>
      line(lane, queue)
        .slice(0, most)
        .map(({ data: { runId } }) => ({ runId, waitedMs: 0 })),
    ahead: async (lane, { queue, jobId }) => {
      const place = line(lane, queue).findIndex((job) => job.jobId === jobId)
      return place < 0 ? null : place
    },
    setPaused: async (lane, queue, isPaused) =>
      void (isPaused ? paused.add(`${lane}:${queue}`) : paused.delete(`${lane}:${queue}`)),
    close: async () => lanes.clear(),
  }
}
