import type { Job } from 'bullmq'
import type { Cluster, Redis } from 'ioredis'
import type { IngestJob } from '../redis'
import { openQueue } from './queues'

/** The largest priority number that BullMQ accepts. */
const lowestPriority = 2_097_152
const lookedAt = 10
const live = new Set(['waiting', 'active', 'delayed', 'prioritized'])

/** Opens the queue of documents to index. The client's owner closes it. */
export const openIngestQueue = (connection: Redis | Cluster, lane: string) => {
  const queue = openQueue(connection, lane, 'ingest')
  const jobIdOf = ({ documentId, revision }: IngestJob): string => `${documentId}.${revision}`
  const firstInLine = (count: number): Promise<(Job<Partial<IngestJob>> | undefined)[]> =>
    queue.getPrioritized(0, count - 1)
  /**
   * Adds a document so that tenants take turns. The first waiting document of a tenant gets the priority of the next
   * job, and each further one comes one step later.
   */
  const add = async (job: IngestJob, waiting: number): Promise<void> => {
    const [head] = await firstInLine(1)
    const priority = (head?.priority ?? 1) + Math.max(waiting, 1) - 1
    await queue.add('ingest', job, { jobId: jobIdOf(job), priority: Math.min(priority, lowestPriority) })
  }
  return {
    add,
    /** Adds a job again if it was lost, or if a leftover of it blocks its id. Returns whether the job was added. */
    heal: async (job: IngestJob): Promise<boolean> => {
      if (live.has(await queue.getJobState(jobIdOf(job)))) return false
      await queue.remove(jobIdOf(job))
      await add(job, 1)
      return true
    },
    /**
     * Returns the tenants of the next ten documents. Each waiting tenant has a document near the start of the queue.
     */
    waitingTenants: async (): Promise<string[]> =>
      (await firstInLine(lookedAt)).flatMap((job) => job?.data.tenant ?? []),
    close: (): Promise<void> => queue.close(),
  }
}
export type IngestQueue = ReturnType<typeof openIngestQueue>
