import type { Job } from '@plumbline/flow'

/** Besides the queues of runs, that of documents to index and that of webhooks to be told. */
export type QueueName = Job['queue'] | 'ingest' | 'webhook'
export type Depth = { waiting: number; active: number; delayed: number; paused: boolean; oldestMs: number | null }

export type Waiting = { runId: string; waitedMs: number }

export interface JobQueue {
  /** Adding a job whose id is already queued changes nothing. A job without a turn goes first, the others in the order of their turns. */
  add(lane: string, jobs: Job[]): Promise<void>
  /** For the sweeper: a job that is absent, unknown, failed or completed is removed and added; a live one is left alone. Returns how many were added. */
  heal(lane: string, jobs: Job[]): Promise<number>
  remove(lane: string, jobs: Job[]): Promise<void>
  depth(lane: string, queue: QueueName): Promise<Depth>
  /** The jobs that are taken next, up to `most` of them, and how long each has waited. */
  next(lane: string, queue: QueueName, most: number): Promise<Waiting[]>
  /** How many jobs are taken before this one; null where it does not wait. */
  ahead(lane: string, job: Job): Promise<number | null>
  /** While a queue is paused its workers take no job of it; jobs are added as ever, and it stays so until it is resumed. */
  setPaused(lane: string, queue: QueueName, paused: boolean): Promise<void>
  close(): Promise<void>
}
