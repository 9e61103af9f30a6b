import { Queue, type ConnectionOptions, type WorkerOptions } from 'bullmq'
import type { Depth } from '@plumbline/ports/job-queue'

export const depthOf = async (queue: Queue): Promise<Depth> => {
  const [counts, paused, [oldest]] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed'),
    queue.isPaused(),
    queue.getJobs(['waiting'], 0, 0, true),
  ])
  const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts
  return {
    waiting: waiting + prioritized,
    active,
    delayed,
    paused,
    oldestMs: oldest?.timestamp ? Math.max(0, Date.now() - oldest.timestamp) : null,
  }
}

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

/** The hash tag keeps all queues of a lane in one slot of a cluster. */
export const queuePrefix = (lane: string): string => `plumbline:{${lane}}`

/** Nothing of a job stays when it is over: a kept job would block its id, and the store already knows how it ended. */
const jobOptions = { removeOnComplete: true, removeOnFail: true } as const

/** The producer's side of one queue. The client stays its owner's: BullMQ does not close a client it was given. */
export const openQueue = (connection: ConnectionOptions, lane: string, name: string): Queue => {
  const queue = new Queue(name, {
    connection,
    prefix: queuePrefix(lane),
    defaultJobOptions: jobOptions,
    streams: { events: { maxLen: 100 } },
  })
  queue.on('error', () => {})
  return queue
}
