import { keys } from '../client/keys'
import { throughCall, withStoreErrors } from '../client/errors'
import { withScripts, type RedisClient } from '../client/client'
import { openDueQueue } from '../client/due-queue'
import requeueDocument from './lua/requeue-document.lua'

/** A document to queue for the ingestor. `short`: a short text, which needs no place of a large document. */
export type IngestJob = { documentId: string; revision: string; tenant: string; short?: true }

/** The first check of an unfinished document, in case its job is lost. */
const firstDueMs = 30_000

/** Unfinished documents. They are checked until they finish, whatever happens to their jobs. */
export const openDocuments = (redis: RedisClient) => {
  const scripts = withScripts(redis, { documentRequeue: { lua: requeueDocument, numberOfKeys: 1 } })
  const dueQueue = openDueQueue(redis, 'documentsOpen')
  const list = async (tenant: string, id: string): Promise<void> => {
    const now = Date.now()
    await Promise.all([dueQueue.schedule(id, now + firstDueMs), redis.zadd(keys.waiting(tenant), now, id)])
  }
  const read = async (id: string): Promise<{ tenant: string | null; job: IngestJob | null }> => {
    const [status, tenant = null, revision] = await redis.hmget(keys.document(id), 'status', 'tenant', 'revision')
    const isOpen = tenant && revision && (status === 'queued' || status === 'processing')
    return { tenant, job: isOpen ? { documentId: id, revision, tenant } : null }
  }
  /** Unlists a finished document. If it was reopened meanwhile, it remains listed and its job is returned. */
  const forget = async (id: string, tenant: string | null): Promise<IngestJob | null> => {
    await Promise.all([dueQueue.forget(id), tenant && redis.zrem(keys.waiting(tenant), id)])
    const { job } = await read(id)
    if (job) await list(job.tenant, id)
    return job
  }
  /**
   * Listed before, so that an interruption loses nothing. Listed again after, because the end of an earlier revision
   * may unlist it meanwhile.
   */
  const listed = async <Done>(tenant: string, id: string, open: () => Promise<Done>): Promise<Done> => {
    await list(tenant, id)
    const done = await open()
    await list(tenant, id)
    return done
  }
  return {
    dueQueue,
    listed,
    forget,
    ...throughCall(withStoreErrors, {
      /** Queues a document again: from the failed step, if indexed, or in any status with the given version. */
      requeue: async (
        tenant: string,
        id: string,
        only: 'failed' | 'indexed' | '',
        version = '',
      ): Promise<IngestJob | null> => {
        const revision = await listed(tenant, id, () =>
          scripts.documentRequeue(keys.document(id), only, version, Date.now()),
        )
        if (revision !== null) return { documentId: id, revision: String(revision), tenant }
        await forget(id, tenant)
        return null
      },
      /** Returns the job of a due document, and unlists it if it has finished. */
      jobOf: async (id: string): Promise<IngestJob | null> => {
        const { tenant, job } = await read(id)
        return job ?? forget(id, tenant)
      },
    }),
  }
}
