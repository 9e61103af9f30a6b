import { Queue, type ConnectionOptions, type WorkerOptions } from 'bullmq'
import type { Cluster, Redis } from 'ioredis'
import { stages } from '@plumbline/flow'
import type { Depth } from '@plumbline/ports/job-queue'
import { withScripts } from '../redis/client/client'
import queueDepthScript from './queue-depth.lua'

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

/**
 * The number of jobs at the front of the queue that are checked for the oldest job. Tenants take turns in the queue, so
 * the oldest job is near the front.
 */
const nearHead = 100

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
 * Jobs of a crashed worker restart within 18 s. `maxStalledCount` is very high, because Plumbline itself limits how
 * often a job restarts.
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

/** The braces mark a Redis hash tag, so that a Redis Cluster stores all queues of a lane in the same slot. */
export const queuePrefix = (lane: string): string => `plumbline:{${lane}}`

export const stageKeys = (lane: string): string[] => stages.map((stage) => `${queuePrefix(lane)}:${stage}:prioritized`)

/**
 * BullMQ removes every job that has ended, because it ignores new jobs with the id of a stored job. The run store keeps
 * the result.
 */
const jobOptions = { removeOnComplete: true, removeOnFail: true } as const

/** The caller must close the connection, because BullMQ closes only connections that it opened itself. */
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
