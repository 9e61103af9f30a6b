import type { Job } from '@plumbline/flow'

export type QueueName = Job['queue'] | 'ingest' | 'webhook'
/** The numbers of jobs in a queue. `waiting` jobs are ready to run. `due` jobs were delayed, and the delay is over. */
export type Depth = {
  waiting: number
  active: number
  delayed: number
  due: number
  paused: boolean
  /** The age of the oldest ready job. Null if no job is ready. */
  oldestMs: number | null
}

/** Returns the number of jobs that need a worker. Active jobs count too, because each of them occupies a worker. */
export const workIn = ({ waiting, active, due, paused }: Omit<Depth, 'delayed' | 'oldestMs'>): number =>
  paused ? 0 : waiting + active + due

export type WaitingRun = { runId: string; waitedMs: number }

export interface JobQueue {
  /** Adds jobs that are not queued yet. Workers get jobs without `turn` first, then the others by ascending `turn`. */
  add(lane: string, jobs: Job[]): Promise<void>
  /** Adds the jobs that are missing, failed or completed, and returns their number. Other jobs stay unchanged. */
  heal(lane: string, jobs: Job[]): Promise<number>
  remove(lane: string, jobs: Job[]): Promise<void>
  depth(lane: string, queue: QueueName): Promise<Depth>
  next(lane: string, queue: QueueName, most: number): Promise<WaitingRun[]>
  /** Returns how many jobs run before this job, or null if this job is not waiting. */
  ahead(lane: string, job: Job): Promise<number | null>
  /** Pauses or resumes a queue. A paused queue accepts new jobs but gives none to workers. */
  setPaused(lane: string, queue: QueueName, paused: boolean): Promise<void>
  close(): Promise<void>
}
