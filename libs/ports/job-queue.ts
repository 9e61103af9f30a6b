import type { Job } from '@plumbline/flow'

/** Besides the queues of runs, that of documents to index and that of webhooks to be told. */
export type QueueName = Job['queue'] | 'ingest' | 'webhook'
/** `waiting`: with a priority or without one. `due`: those of the delayed that a worker would take now. */
export type Depth = {
  waiting: number
  active: number
  delayed: number
  due: number
  paused: boolean
  /** How long the oldest has waited that could be taken now, of those that are next; null where there is none. */
  oldestMs: number | null
}

/**
 * What there is to do in a queue: what waits, what is due and what is under way, so that workers are never fewer than what they work on
 * needs. Nothing in one that is paused, as its workers take nothing.
 */
export const workIn = ({ waiting, active, due, paused }: Omit<Depth, 'delayed' | 'oldestMs'>): number =>
  paused ? 0 : waiting + active + due

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
