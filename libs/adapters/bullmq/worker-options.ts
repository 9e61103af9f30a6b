import type { WorkerOptions } from 'bullmq'

/**
 * A killed worker's jobs come back after the lock and at most two checks: 18 s. Stalling never fails a job, because
 * our own count of starts decides when a task is given up. A job that lost its options is not kept either.
 */
export const workerOptions = {
  autorun: false,
  lockDuration: 12_000,
  stalledInterval: 3_000,
  maxStalledCount: 1_000_000,
  drainDelay: 5,
  runRetryDelay: 1_000,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
} as const satisfies Partial<WorkerOptions>
