import { openWebhookQueue } from '@plumbline/adapters/bullmq/webhook-queue'
import { openDeliveries, openNotices, openWebhooks } from '@plumbline/adapters/redis'
import { defineConsumer } from '@plumbline/hosting/define-stage'
import { settleJob } from '@plumbline/hosting/queue-processor'
import { startAnnouncing } from './announce'
import { createDelivering } from './deliver'
import { WebhooksEnv } from './webhooks.env'

/** A receiver that is slow holds one of these for ten seconds. */
const concurrency = 8

/** Tells the tenants' own programs what happened. */
export const webhooks = defineConsumer({
  queue: 'webhook',
  env: WebhooksEnv,
  open: ({ env, redis, store, log, process, stop }, own) => {
    const queue = openWebhookQueue(redis, env.LANES[0] ?? 'main')
    stop.add('the webhook queue', () => queue.close())
    const ports = { webhooks: openWebhooks(redis), deliveries: openDeliveries(redis), log }
    const announcing = startAnnouncing({
      ...ports,
      store,
      queue,
      notices: openNotices(redis),
      publicUrl: own.PUBLIC_URL,
    })
    stop.add('the announcing of webhooks', () => announcing.stop())
    const deliver = createDelivering({
      ...ports,
      guard: { allowed: own.ALLOW_PRIVATE_ADDRESSES },
      signal: process.ending,
    })
    return {
      concurrency,
      handle: async (job, token) => {
        const { deliveryId = job.id ?? '' } = job.data as { deliveryId?: string }
        await settleJob(job, token, await deliver(deliveryId))
      },
    }
  },
})
