import type { Queue } from 'bullmq'
import type { Cluster, Redis } from 'ioredis'
import type { Job } from '@plumbline/flow'
import { keys as redisKeys } from '../redis/client/keys'
import { lowestPriority, turnsPerPriority } from '../redis/limits/fair-share'
import lua from './add-jobs.lua'

export type AddJobs = (lane: string, queue: Queue, jobs: Job[]) => Promise<void>

const jobName = 'task'
/** The maximum number of jobs per script call. It is small, because Redis does nothing else while a script runs. */
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
/** The script add-jobs.lua replaces `%s` with the id of a job and `%d` with its priority. */
const optionsOf = ({ defaultJobOptions }: Queue): string[] => {
  const options = JSON.stringify({ jobId: '%s', ...defaultJobOptions, attempts: 0 })
  return [options, `${options.slice(0, -1)},"priority":%d}`]
}

/** Plumbline uses this instead of BullMQ's `addBulk`, which cannot order jobs of the same priority by their `turn`. */
export const jobAdder = (redis: Redis | Cluster): AddJobs => {
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
  return async (lane, queue, jobs) => {
    if (jobs.length === 0) return
    await queue.waitUntilReady()
    for (let from = 0; from < jobs.length; from += jobsPerScript)
      await send(lane, queue, jobs.slice(from, from + jobsPerScript))
  }
}
