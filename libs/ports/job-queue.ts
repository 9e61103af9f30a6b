import type { Job } from '@plumbline/flow'

export type QueueName = Job['queue'] | 'ingest' | 'webhook'
/** `waiting`: ready to run. `due`: delayed jobs whose delay has ended. */
export type Depth = {
  waiting: number
  active: number
  delayed: number
  due: number
  paused: boolean
  /** The age of the oldest ready job. Null if no job is ready. */
  oldestMs: number | null
}

/** Includes active jobs, because each active job occupies a worker. */
export const workIn = ({ waiting, active, due, paused }: Omit<Depth, 'delayed' | 'oldestMs'>): number =>
  paused ? 0 : waiting + active + due

export type WaitingRun = { runId: string; waitedMs: number }

export interface JobQueue {
  /** Skips jobs that are already queued. Workers first get jobs without `turn`, then the others by ascending `turn`. */
  add(lane: string, jobs: Job[]): Promise<void>
  /** Adds missing, failed and completed jobs, and returns their number. Leaves waiting and active jobs. */
  heal(lane: string, jobs: Job[]): Promise<number>
  remove(lane: string, jobs: Job[]): Promise<void>
  depth(lane: string, queue: QueueName): Promise<Depth>
  next(lane: string, queue: QueueName, most: number): Promise<WaitingRun[]>
  /** Returns how many jobs run before this job, or null if this job is not waiting. */
  ahead(lane: string, job: Job): Promise<number | null>
  /** A paused queue accepts new jobs, but workers receive none of them. */
  setPaused(lane: string, queue: QueueName, paused: boolean): Promise<void>
  close(): Promise<void>
}
