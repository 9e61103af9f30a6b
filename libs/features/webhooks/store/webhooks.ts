import { randomBytes } from 'node:crypto'
import type { NewWebhook, WebhookEvent } from '@plumbline/contracts'
import { throughCall, withStoreErrors } from '@plumbline/adapters/redis/client/errors'
import { keys } from '@plumbline/adapters/redis/client/keys'
import type { RedisClient } from '@plumbline/adapters/redis/client/client'

/** `id` is random. Otherwise, a new webhook would receive the old events of a removed webhook with the same name. */
export type Webhook = {
  id: string
  name: string
  url: string
  events: WebhookEvent[]
  secret: string
  old?: { secret: string; until: number }
  createdAt: number
}
type StoredWebhook = Omit<Webhook, 'name'>

const overlapMs = 24 * 3_600_000
const mostWebhooks = 10

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
const webhookOf = (name: string, text: string): Webhook => ({ name, ...(JSON.parse(text) as StoredWebhook) })

export const openWebhooks = (redis: RedisClient) => {
  const one = async (tenant: string, name: string): Promise<Webhook | null> => {
    const text = await redis.hget(keys.webhooks(tenant), name)
    return text === null ? null : webhookOf(name, text)
  }
  const keep = async (tenant: string, { name, ...kept }: Webhook): Promise<void> =>
    void (await redis.hset(keys.webhooks(tenant), name, JSON.stringify(kept)))

  return throughCall(withStoreErrors, {
    all: async (tenant: string): Promise<Webhook[]> =>
      Object.entries(await redis.hgetall(keys.webhooks(tenant)))
        .map(([name, text]) => webhookOf(name, text))
        .sort((a, b) => a.createdAt - b.createdAt),
    /**
     * Stores a webhook. `isNew` is true if its secret is new and must be shown. Returns null if the tenant already has
     * the maximum number of webhooks.
     */
    put: async (
      tenant: string,
      name: string,
      told: NewWebhook,
    ): Promise<{ webhook: Webhook; isNew: boolean } | null> => {
      const made: StoredWebhook = {
        id: randomBytes(6).toString('hex'),
        ...told,
        secret: newSecret(),
        createdAt: Date.now(),
      }
      if ((await redis.hlen(keys.webhooks(tenant))) >= mostWebhooks && !(await one(tenant, name))) return null
      if ((await redis.hsetnx(keys.webhooks(tenant), name, JSON.stringify(made))) === 1)
        return { webhook: { name, ...made }, isNew: true }
      const webhook: Webhook = { ...((await one(tenant, name)) ?? { name, ...made }), ...told }
      await keep(tenant, webhook)
      return { webhook, isNew: false }
    },
    /** Replaces the secret. For one day, both secrets sign the messages, so that receivers can change in time. */
    rotate: async (tenant: string, name: string): Promise<Webhook | null> => {
      const held = await one(tenant, name)
      if (!held) return null
      const webhook = {
        ...held,
        secret: newSecret(),
        old: { secret: held.secret, until: Date.now() + overlapMs },
      }
      await keep(tenant, webhook)
      return webhook
    },
    remove: async (tenant: string, name: string): Promise<boolean> =>
      (await redis.hdel(keys.webhooks(tenant), name)) === 1,
  })
}
export type WebhookStore = ReturnType<typeof openWebhooks>
