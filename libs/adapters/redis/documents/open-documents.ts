import { keys } from '../client/keys'
import { throughCall, withStoreErrors } from '../client/errors'
import { withScripts, type RedisClient } from '../client/client'
import { openDueQueue } from '../client/due-queue'
import requeueDocument from './lua/requeue-document.lua'

/** `short` means that the document is a short text, so its job need not wait for the slot of large documents. */
export type IngestJob = { documentId: string; revision: string; tenant: string; short?: true }

/** The delay until the first check of a new document. If the job of the document was lost, the check adds it again. */
const firstDueMs = 30_000

/** Each unfinished document is checked repeatedly, so that a lost job is added again. */
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
  const forget = async (id: string, tenant: string | null): Promise<IngestJob | null> => {
    await Promise.all([dueQueue.forget(id), tenant && redis.zrem(keys.waiting(tenant), id)])
    const { job } = await read(id)
    if (job) await list(job.tenant, id)
    return job
  }
  /**
   * Adds the document to the list of open documents before the write, so that a crash cannot lose it. Adds it again
   * after the write, because an earlier revision that ends may remove it from the list in between.
   */
  const listed = async <Done>(tenant: string, id: string, open: () => Promise<Done>): Promise<Done> => {
    await list(tenant, id)
    const done = await open()
    await list(tenant, id)
    return done
  }
  return {
    dueQueue,
    list,
    forget,
    ...throughCall(withStoreErrors, {
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
      jobOf: async (id: string): Promise<IngestJob | null> => {
        const { tenant, job } = await read(id)
        return job ?? forget(id, tenant)
      },
    }),
  }
}
