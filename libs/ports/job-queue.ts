import type { Job } from '@plumbline/flow'

/** The names of the queues: those of runs, `ingest` for documents and `webhook` for webhook calls. */
export type QueueName = Job['queue'] | 'ingest' | 'webhook'
/** `waiting`: jobs that are ready, with or without a priority. `due`: delayed jobs whose delay has ended. */
export type Depth = {
  waiting: number
  active: number
  delayed: number
  due: number
  paused: boolean
  /** Null if no job is ready. */
  oldestMs: number | null
}

/** The jobs that need a worker now. Includes active jobs, because each of them occupies a worker. */
export const workIn = ({ waiting, active, due, paused }: Omit<Depth, 'delayed' | 'oldestMs'>): number =>
  paused ? 0 : waiting + active + due

export type WaitingRun = { runId: string; waitedMs: number }

export interface JobQueue {
  /** Skips queued ids. Workers first receive the jobs without a `turn`, then the others by ascending `turn`. */
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
