import type { Job } from '@plumbline/flow'

/** The queues of runs, and those for documents to index and webhooks to send. */
export type QueueName = Job['queue'] | 'ingest' | 'webhook'
/** `waiting`: with or without a priority. `due`: delayed jobs that a worker would take now. */
export type Depth = {
  waiting: number
  active: number
  delayed: number
  due: number
  paused: boolean
  /** The longest wait among the next jobs that could be taken now. Null if there is none. */
  oldestMs: number | null
}

/**
 * Returns the work in a queue, for scaling: waiting, due and active jobs, because active ones still need their
 * workers. Zero if paused.
 */
export const workIn = ({ waiting, active, due, paused }: Omit<Depth, 'delayed' | 'oldestMs'>): number =>
  paused ? 0 : waiting + active + due

export type Waiting = { runId: string; waitedMs: number }

export interface JobQueue {
  /**
   * Adds jobs, and ignores ids that are already queued. Jobs without a turn go first, the others in the order of
   * their turns.
   */
  add(lane: string, jobs: Job[]): Promise<void>
  /**
   * Removes and adds each job that is absent, unknown, failed or completed, and leaves live ones alone. Returns the
   * number added.
   */
  heal(lane: string, jobs: Job[]): Promise<number>
  remove(lane: string, jobs: Job[]): Promise<void>
  depth(lane: string, queue: QueueName): Promise<Depth>
  /** Returns up to `most` of the jobs that are taken next, with their waiting times. */
  next(lane: string, queue: QueueName, most: number): Promise<Waiting[]>
  /** Returns how many jobs are taken before this one, or null if it does not wait. */
  ahead(lane: string, job: Job): Promise<number | null>
  /** Pauses or resumes a queue, until the next call. A paused queue accepts jobs, but its workers take none. */
  setPaused(lane: string, queue: QueueName, paused: boolean): Promise<void>
  close(): Promise<void>
}
