import { LRUCache } from 'lru-cache'
import { keys } from '../client/keys'
import type { RedisClient } from '../client/client'
import { openDueQueue } from '../client/due-queue'

/** Longer than a write may take, so that a check that comes first finds the written state. */
const laterMs = 5_000
const knownMs = 2_000
const tenantsKnown = 1_000

/**
 * Records possible webhook events. The check is scheduled before the write, in case the writer dies, and moved
 * forward after it. The event itself is read from the run or document.
 */
export const recordNotices = (redis: RedisClient) => {
  const known = new LRUCache<string, Promise<boolean>>({ max: tenantsKnown, ttl: knownMs })
  /** Tenants without webhooks cost one read every two seconds. */
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
    // The write is stored. If this fails, the scheduled check comes in time.
    await look(id, 0).catch(() => undefined)
    return done
  }
}

/** Events that were not checked yet: ids of runs and documents. */
export const openOutbox = (redis: RedisClient) => openDueQueue(redis, 'notices')
export type Outbox = ReturnType<typeof openOutbox>
