import type { Job } from '@plumbline/flow'

/** Besides the queues of runs, that of documents to index and that of webhooks to be told. */
export type QueueName = Job['queue'] | 'ingest' | 'webhook'
export type Depth = { waiting: number; active: number; delayed: number; paused: boolean; oldestMs: number | null }

export interface JobQueue {
  /** Adding a job whose id is already queued changes nothing. */
  add(lane: string, jobs: Job[]): Promise<void>
  /** For the sweeper: a job that is absent, unknown, failed or completed is removed and added; a live one is left alone. Returns how many were added. */
  heal(lane: string, jobs: Job[]): Promise<number>
  remove(lane: string, jobs: Job[]): Promise<void>
  depth(lane: string, queue: QueueName): Promise<Depth>
  /** While a queue is paused its workers take no job of it; jobs are added as ever, and it stays so until it is resumed. */
  setPaused(lane: string, queue: QueueName, paused: boolean): Promise<void>
  close(): Promise<void>
}
