import type { Cluster, Redis } from 'ioredis'
import type { Depth } from '@plumbline/ports/job-queue'
import type { IngestJob } from '../redis'
import { depthOf } from './depth'
import { openQueue } from './queues'

/** BullMQ's own bound. */
const lowestPriority = 2_097_152
const live = new Set(['waiting', 'active', 'delayed', 'prioritized'])

/** Documents to index. The client stays its owner's. */
export const openIngestQueue = (connection: Redis | Cluster, lane: string) => {
  const queue = openQueue(connection, lane, 'ingest')
  const jobIdOf = ({ documentId, revision }: IngestJob): string => `${documentId}.${revision}`
  /** Who has `waiting` documents in line already is served behind who has fewer: tenants take turns. */
  const add = async (job: IngestJob, waiting: number): Promise<void> =>
    void (await queue.add('ingest', job, {
      jobId: jobIdOf(job),
      priority: Math.min(Math.max(waiting, 1), lowestPriority),
    }))
  return {
    add,
    /** A job that was lost, or whose hash blocks its id, is added again; returns whether it was. */
    heal: async (job: IngestJob): Promise<boolean> => {
      if (live.has(await queue.getJobState(jobIdOf(job)))) return false
      await queue.remove(jobIdOf(job))
      await add(job, 1)
      return true
    },
    depth: (): Promise<Depth> => depthOf(queue),
    close: (): Promise<void> => queue.close(),
  }
}
export type IngestQueue = ReturnType<typeof openIngestQueue>
