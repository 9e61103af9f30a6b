import type { Job } from '@plumbline/flow'

/** The names of the queues: those of runs, `ingest` for documents and `webhook` for webhook calls. */
export type QueueName = Job['queue'] | 'ingest' | 'webhook'
/**
 * The numbers of jobs in a queue. `waiting`: jobs that are ready, with or without a priority. `due`: delayed jobs whose
 * delay has ended.
 */
export type Depth = {
  waiting: number
  active: number
  delayed: number
  due: number
  paused: boolean
  /** The longest waiting time among the jobs at the head of the queue. Null if no job is ready. */
  oldestMs: number | null
}

/**
 * Returns the number of jobs that need a worker now, to scale workers by. Includes active jobs, because each of them
 * occupies a worker. Returns 0 for a paused queue.
 */
export const workIn = ({ waiting, active, due, paused }: Omit<Depth, 'delayed' | 'oldestMs'>): number =>
  paused ? 0 : waiting + active + due

export type WaitingRun = { runId: string; waitedMs: number }

export interface JobQueue {
  /**
   * Adds jobs. Skips each job whose id is already queued. Workers first receive the jobs without a `turn`, then the
   * others by ascending `turn`.
   */
  add(lane: string, jobs: Job[]): Promise<void>
  /**
   * Adds each job that is missing from the queue, failed or completed. Leaves waiting and active jobs unchanged.
   * Returns the number of added jobs.
   */
  heal(lane: string, jobs: Job[]): Promise<number>
  remove(lane: string, jobs: Job[]): Promise<void>
  depth(lane: string, queue: QueueName): Promise<Depth>
  /** Returns the first `most` jobs in the queue and their waiting times. */
  next(lane: string, queue: QueueName, most: number): Promise<WaitingRun[]>
  /** Returns the number of jobs ahead of this job in the queue. Returns null if this job is not waiting. */
  ahead(lane: string, job: Job): Promise<number | null>
  /** Pauses or resumes a queue. A paused queue accepts new jobs, but workers receive none of them. */
  setPaused(lane: string, queue: QueueName, paused: boolean): Promise<void>
  close(): Promise<void>
}
