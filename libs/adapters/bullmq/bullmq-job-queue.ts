import type { Queue } from 'bullmq'
import type { Cluster, Redis } from 'ioredis'
import type { Job } from '@plumbline/flow'
import type { JobQueue, QueueName } from '@plumbline/ports/job-queue'
import { jobAdder, type AddJobs } from './add-jobs'
import { depthReader, nextJobs, openQueue } from './queues'

const live = new Set(['waiting', 'active', 'delayed', 'prioritized', 'waiting-children'])

/**
 * Adds the job again unless it is waiting or running. Removes the stored job first, because BullMQ ignores a new job
 * whose id is already stored.
 */
const healed = async (add: AddJobs, lane: string, queue: Queue, job: Job): Promise<boolean> => {
  if (live.has(await queue.getJobState(job.jobId))) return false
  await queue.remove(job.jobId)
  await add(lane, queue, [job])
  return true
}

/**
 * Counts the jobs that run before this job, or returns null if this job does not wait. Jobs without a priority run
 * before all other jobs. They start from the end of the list `wait`.
 */
const aheadOf = async (redis: Redis | Cluster, { keys }: Queue, jobId: string): Promise<number | null> => {
  const { wait = '', prioritized = '' } = keys
  const [place, unordered, fromEnd] = await Promise.all([
    redis.zrank(prioritized, jobId),
    redis.llen(wait),
    redis.lpos(wait, jobId),
  ])
  if (fromEnd !== null) return unordered - 1 - fromEnd
  return place === null ? null : unordered + place
}

/** Commands on `connection` must fail at once while Redis is unavailable. Otherwise callers would wait for Redis. */
export const openBullMqJobQueue = ({ connection }: { connection: Redis | Cluster }): JobQueue => {
  const addJobs = jobAdder(connection)
  const depthOf = depthReader(connection)
  const queues = new Map<string, Queue>()
  const queueOf = (lane: string, name: QueueName): Queue => {
    const key = `${lane}:${name}`
    const queue = queues.get(key) ?? openQueue(connection, lane, name)
    queues.set(key, queue)
    return queue
  }
  const perQueue = async <T>(
    lane: string,
    jobs: Job[],
    each: (queue: Queue, jobs: Job[]) => Promise<T>,
  ): Promise<T[]> =>
    Promise.all([...Map.groupBy(jobs, ({ queue }) => queue)].map(([name, group]) => each(queueOf(lane, name), group)))

  return {
    add: async (lane, jobs) => void (await perQueue(lane, jobs, (queue, group) => addJobs(lane, queue, group))),
    heal: async (lane, jobs) => {
      const answers = await perQueue(lane, jobs, (queue, group) =>
        Promise.all(group.map((job) => healed(addJobs, lane, queue, job))),
      )
      return answers.flat().filter(Boolean).length
    },
    remove: async (lane, jobs) =>
      void (await perQueue(lane, jobs, (queue, group) => Promise.all(group.map(({ jobId }) => queue.remove(jobId))))),
    depth: (lane, name) => depthOf(queueOf(lane, name)),
    next: async (lane, name, most) => {
      const jobs = await nextJobs(connection, queueOf(lane, name), most)
      return jobs.map(({ jobId, waitedMs }) => ({ runId: jobId.slice(0, jobId.indexOf('.')), waitedMs }))
    },
    ahead: (lane, { queue, jobId }) => aheadOf(connection, queueOf(lane, queue), jobId),
    setPaused: async (lane, name, paused) => {
      const queue = queueOf(lane, name)
      await (paused ? queue.pause() : queue.resume())
    },
    close: async () => {
      await Promise.all([...queues.values()].map((queue) => queue.close()))
      queues.clear()
    },
  }
}
