import { LRUCache } from 'lru-cache'
import { keys } from './keys'
import type { RedisClient } from './client'
import { openDueQueue } from './due-queue'

/** The delay is longer than any write takes, so that the scheduled check always finds the written state. */
const laterMs = 5_000
const knownMs = 2_000
const tenantsKnown = 1_000

/** Before a write, schedules a check for webhook events that is due after the write. A crash thus loses no event. */
export const recordNotices = (redis: RedisClient) => {
  const known = new LRUCache<string, Promise<boolean>>({ max: tenantsKnown, ttl: knownMs })
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
    // A failure is ignored. The change is stored, and the check that was scheduled before the write will find it.
    await look(id, 0).catch(() => undefined)
    return done
  }
}

/** Opens the list of the runs, documents, batches and schedules that need a check for webhook events. */
export const openOutbox = (redis: RedisClient) => openDueQueue(redis, 'notices')
export type Outbox = ReturnType<typeof openOutbox>
