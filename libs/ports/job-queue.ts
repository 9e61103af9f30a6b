import type { Job } from '@plumbline/flow'

/** The names of all queues: `ingest` for documents, `webhook` for webhook calls, and the queues of runs. */
export type QueueName = Job['queue'] | 'ingest' | 'webhook'
/** The number of jobs by state. `waiting`: ready to run. `due`: delayed jobs whose delay has ended. */
export type Depth = {
  waiting: number
  active: number
  delayed: number
  due: number
  paused: boolean
  /** The age of the oldest ready job in milliseconds. Null if no job is ready. */
  oldestMs: number | null
}

/** Returns how many jobs need a worker now. Active jobs count, because each occupies a worker. */
export const workIn = ({ waiting, active, due, paused }: Omit<Depth, 'delayed' | 'oldestMs'>): number =>
  paused ? 0 : waiting + active + due

export type WaitingRun = { runId: string; waitedMs: number }

export interface JobQueue {
  /**
   * Adds jobs and skips ids that are already queued. Workers first receive jobs without a `turn`, then others by
   * ascending `turn`.
   */
  add(lane: string, jobs: Job[]): Promise<void>
  /**
   * Adds each job that is missing, failed or completed, and returns their number. Leaves waiting and active jobs
   * unchanged.
   */
  heal(lane: string, jobs: Job[]): Promise<number>
  remove(lane: string, jobs: Job[]): Promise<void>
  depth(lane: string, queue: QueueName): Promise<Depth>
  next(lane: string, queue: QueueName, most: number): Promise<WaitingRun[]>
  /** Returns the number of jobs ahead of this job in the queue. Returns null if this job is not waiting. */
  ahead(lane: string, job: Job): Promise<number | null>
  /** A paused queue accepts new jobs, but workers receive none of them. */
  setPaused(lane: string, queue: QueueName, paused: boolean): Promise<void>
  close(): Promise<void>
}
