import type { Job } from 'bullmq'
import type { Cluster, Redis } from 'ioredis'
import type { IngestJob } from '../redis/documents/open-documents'
import { openQueue } from './queues'

/** The largest priority number that BullMQ accepts. Jobs with a smaller number run earlier. */
const lowestPriority = 2_097_152
const lookedAt = 10
const live = new Set(['waiting', 'active', 'delayed', 'prioritized'])

export const openIngestQueue = (connection: Redis | Cluster, lane: string) => {
  const queue = openQueue(connection, lane, 'ingest')
  const jobIdOf = ({ documentId, revision }: IngestJob): string => `${documentId}.${revision}`
  const firstInLine = (count: number): Promise<(Job<Partial<IngestJob>> | undefined)[]> =>
    queue.getPrioritized(0, count - 1)
  /**
   * `waiting`: how many documents of the tenant wait. The more documents wait, the further back the job is queued, so
   * that tenants take turns.
   */
  const add = async (job: IngestJob, waiting: number): Promise<void> => {
    const [head] = await firstInLine(1)
    const priority = (head?.priority ?? 1) + Math.max(waiting, 1) - 1
    await queue.add('ingest', job, { jobId: jobIdOf(job), priority: Math.min(priority, lowestPriority) })
  }
  return {
    add,
    heal: async (job: IngestJob): Promise<boolean> => {
      if (live.has(await queue.getJobState(jobIdOf(job)))) return false
      await queue.remove(jobIdOf(job))
      await add(job, 1)
      return true
    },
    /** Reads only the first ten jobs. Tenants take turns in the queue, so these jobs show most waiting tenants. */
    waitingTenants: async (): Promise<string[]> =>
      (await firstInLine(lookedAt)).flatMap((job) => job?.data.tenant ?? []),
    close: (): Promise<void> => queue.close(),
  }
}
export type IngestQueue = ReturnType<typeof openIngestQueue>
