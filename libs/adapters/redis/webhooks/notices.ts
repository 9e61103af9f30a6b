import { LRUCache } from 'lru-cache'
import { keys } from '../client/keys'
import type { RedisClient } from '../client/client'
import { openLooks } from '../client/sorted-sets'

/** Longer than a write may take, so that a look that comes first finds what was written. */
const laterMs = 5_000
const knownMs = 2_000
const tenantsKnown = 1_000

/**
 * Notes that something happened which webhooks may be told of. The look is set before the write, for a writer that dies behind it, and
 * brought forward after it. What happened is read from the run or the document itself.
 */
export const noticer = (redis: RedisClient) => {
  const known = new LRUCache<string, Promise<boolean>>({ max: tenantsKnown, ttl: knownMs })
  /** Tenants without webhooks cost a read every two seconds. */
  const hasWebhooks = (tenant: string): Promise<boolean> => {
    const held = known.get(tenant)
    if (held) return held
    const asked = redis.exists(keys.webhooks(tenant)).then((count) => count === 1)
    known.set(tenant, asked)
    asked.catch(() => known.delete(tenant))
    return asked
  }
  const look = (id: string, inMs: number): Promise<unknown> => redis.zadd(keys.notices, Date.now() + inMs, id)
  return async <Done>(tenant: string, id: string, write: () => Promise<Done>): Promise<Done> => {
    if (!(await hasWebhooks(tenant))) return write()
    await look(id, laterMs)
    const done = await write()
    // The write stands: where this fails, the look before it comes in time.
    await look(id, 0).catch(() => undefined)
    return done
  }
}

/** What happened and was not looked at yet: ids of runs and documents. */
export const openNotices = (redis: RedisClient) => openLooks(redis, 'notices')
export type Notices = ReturnType<typeof openNotices>
