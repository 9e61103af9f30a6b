import { createRequire } from 'node:module'
import type { Queue } from 'bullmq'
import type { Cluster, Redis } from 'ioredis'
import type { Job } from '@plumbline/flow'
import { keys as redisKeys } from '../redis/client/keys'
import { lowestPriority, turnsPerPriority } from '../redis/limits/fair-share'
import lua from './add-jobs.lua'

export type AddJobs = (lane: string, queue: Queue, jobs: Job[]) => Promise<void>

/** add-jobs.lua writes the Redis keys of exactly this BullMQ version. Other versions may use another layout. */
const writtenFor = '6.7.0'
const installed = createRequire(import.meta.url)('bullmq/package.json') as { version: string }
export const checkBullMqVersion = ({ version }: { version: string } = installed): void => {
  if (version !== writtenFor)
    throw new Error(
      `add-jobs.lua was written for BullMQ ${writtenFor}, but ${version} is installed. Run add-jobs.int.spec.ts, which compares the two, and name the new version in add-jobs.ts.`,
    )
}

type Batch = { jobs: Job[]; added: PromiseWithResolvers<void> }

const jobName = 'task'
/** The maximum number of jobs per script call. A script blocks all of Redis while it runs. */
const jobsPerScript = 50

const keysOf = ({ keys }: Queue, lane: string): (string | undefined)[] => [
  keys.wait,
  keys.meta,
  keys.id,
  keys.active,
  keys.marker,
  keys.prioritized,
  keys.pc,
  redisKeys.turns(lane),
]
/** The script add-jobs.lua replaces `%s` by the id of a job and `%d` by its priority. */
const optionsOf = ({ defaultJobOptions }: Queue): string[] => {
  const options = JSON.stringify({ jobId: '%s', ...defaultJobOptions, attempts: 0 })
  return [options, `${options.slice(0, -1)},"priority":%d}`]
}

/** BullMQ's own `addBulk` sends one call per job. One script call needs about a fifth less processor time. */
export const jobAdder = (redis: Redis | Cluster): AddJobs => {
  checkBullMqVersion()
  redis.defineCommand('jobsAdd', { lua, numberOfKeys: 8 })
  const { jobsAdd } = redis as unknown as { jobsAdd(...keysAndArgs: unknown[]): Promise<unknown> }
  const send = (lane: string, queue: Queue, jobs: Job[]): Promise<unknown> =>
    jobsAdd.call(
      redis,
      ...keysOf(queue, lane),
      queue.keys[''],
      jobName,
      Date.now(),
      ...optionsOf(queue),
      turnsPerPriority,
      lowestPriority,
      ...jobs.flatMap(({ jobId, data, turn = '' }) => [jobId, JSON.stringify(data), turn]),
    )
  const batches = new Map<Queue, Batch>()
  const sendBatch = async (lane: string, queue: Queue, jobs: Job[]): Promise<void> => {
    await queue.waitUntilReady()
    for (let from = 0; from < jobs.length; from += jobsPerScript)
      await send(lane, queue, jobs.slice(from, from + jobsPerScript))
  }
  const openBatch = (lane: string, queue: Queue): Batch => {
    const batch: Batch = { jobs: [], added: Promise.withResolvers() }
    batches.set(queue, batch)
    process.nextTick(() => {
      batches.delete(queue)
      batch.added.resolve(sendBatch(lane, queue, batch.jobs))
    })
    return batch
  }
  return async (lane, queue, jobs) => {
    if (jobs.length === 0) return
    const batch = batches.get(queue) ?? openBatch(lane, queue)
    batch.jobs.push(...jobs)
    await batch.added.promise
  }
}
