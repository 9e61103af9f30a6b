import { Queue, type ConnectionOptions, type WorkerOptions } from 'bullmq'
import type { Cluster, Redis } from 'ioredis'
import { stages } from '@plumbline/flow'
import type { Depth } from '@plumbline/ports/job-queue'
import { withScripts } from '../redis/client/client'
import queueDepthScript from './queue-depth.lua'

/** The jobs that are taken next: those without a priority, the oldest first, then the others by priority. One whose hash was lost is left out. */
export const nextJobs = async (
  redis: Redis | Cluster,
  queue: Queue,
  most: number,
): Promise<{ jobId: string; waitedMs: number }[]> => {
  const { wait = '', prioritized = '' } = queue.keys
  const [first, ordered] = await Promise.all([
    redis.lrange(wait, -most, -1),
    redis.zrange(prioritized, '0', `${most - 1}`),
  ])
  const ids = [...first.reverse(), ...ordered].slice(0, most)
  const times = await Promise.all(ids.map((id) => redis.hget(queue.toKey(id), 'timestamp')))
  const now = Date.now()
  return ids.flatMap((jobId, i) => (times[i] ? [{ jobId, waitedMs: Math.max(0, now - Number(times[i])) }] : []))
}

/** Tenants take turns, so that each has its oldest job near the head of the line: among so many is the oldest of all. */
const nearHead = 100

/** Says how much stands in a queue, in one call. */
export const depthReader = (redis: Redis | Cluster): ((queue: Queue) => Promise<Depth>) => {
  const { queueDepth } = withScripts(redis, { queueDepth: { lua: queueDepthScript, numberOfKeys: 5 } })
  return async ({ keys }) => {
    const { wait = '', prioritized = '', active = '', delayed = '', meta = '', ['']: prefix = '' } = keys
    const told = (await queueDepth(wait, prioritized, active, delayed, meta, prefix, nearHead)) as number[]
    const [waits = 0, works = 0, later = 0, due = 0, paused = 0, oldestMs = -1] = told
    return {
      waiting: waits,
      active: works,
      delayed: later,
      due,
      paused: paused === 1,
      oldestMs: oldestMs < 0 ? null : oldestMs,
    }
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

/** Where the jobs with a turn of a lane's stages stand. */
export const stageKeys = (lane: string): string[] => stages.map((stage) => `${queuePrefix(lane)}:${stage}:prioritized`)

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
