import type { Job } from '@plumbline/flow'

/** The queues of runs, and those for documents to index and webhooks to send. */
export type QueueName = Job['queue'] | 'ingest' | 'webhook'
/**
 * The number of jobs in a queue. `waiting`: ready, with or without a priority. `due`: delayed, but ready to be taken
 * now.
 */
export type Depth = {
  waiting: number
  active: number
  delayed: number
  due: number
  paused: boolean
  /** The longest waiting time among the next jobs to be taken. Null if no job is ready. */
  oldestMs: number | null
}

/**
 * Returns the number of jobs that need workers now, for scaling. Active jobs count too, because they still occupy
 * workers. Zero if the queue is paused.
 */
export const workIn = ({ waiting, active, due, paused }: Omit<Depth, 'delayed' | 'oldestMs'>): number =>
  paused ? 0 : waiting + active + due

export type Waiting = { runId: string; waitedMs: number }

export interface JobQueue {
  /**
   * Adds jobs. Skips jobs whose id is already queued. Jobs without a turn are taken first, and the others in the order
   * of their turns.
   */
  add(lane: string, jobs: Job[]): Promise<void>
  /**
   * Adds each job again that is absent, unknown, failed or completed. Does not change waiting and active jobs. Returns
   * the number of added jobs.
   */
  heal(lane: string, jobs: Job[]): Promise<number>
  remove(lane: string, jobs: Job[]): Promise<void>
  depth(lane: string, queue: QueueName): Promise<Depth>
  /** Returns up to `most` of the jobs that are taken next, with their waiting times. */
  next(lane: string, queue: QueueName, most: number): Promise<Waiting[]>
  /** Returns the number of jobs that are taken before this job, or null if this job is not waiting. */
  ahead(lane: string, job: Job): Promise<number | null>
  /** Pauses or resumes a queue. A paused queue accepts jobs, but workers take none until it is resumed. */
  setPaused(lane: string, queue: QueueName, paused: boolean): Promise<void>
  close(): Promise<void>
}
