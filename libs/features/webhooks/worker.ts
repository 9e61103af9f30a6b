import { Counter, type Registry } from 'prom-client'
import { openWebhookQueue } from '@plumbline/adapters/bullmq/webhook-queue'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { openDeliveries } from './store/deliveries'
import { openOutbox } from '@plumbline/adapters/redis/client/webhook-outbox'
import { openWebhooks } from './store/webhooks'
import type { NewsSource } from '@plumbline/gateway/feature'
import { defineConsumer, type Shared } from '@plumbline/hosting/define-stage'
import { settleJob } from '@plumbline/hosting/queue-processor'
import { startAnnouncing } from './announce'
import { createDelivering, type DeliverPorts } from './deliver'
import { WebhooksEnv } from './webhooks.env'

/** The maximum number of concurrent deliveries. A slow receiver occupies one slot for up to ten seconds. */
export const webhooksAtOnce = 8

const measureTries = (registry: Registry, done: Shared['done']): DeliverPorts['measure'] => {
  const tries = new Counter({
    name: 'plumbline_webhook_tries_total',
    help: 'Delivery tries of webhooks, by outcome: delivered, to be retried later, or failed for good.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of ['delivered', 'later', 'failed']) tries.inc({ outcome }, 0)
  return (outcome, ms) => {
    tries.inc({ outcome })
    done({ stage: 'webhook', outcome, ms })
  }
}

/** Sends webhook messages. Each of the `sources` finds the events of one kind, such as the events of batches. */
export const webhooksWorker = (sources: NewsSource[]) =>
  defineConsumer({
    queue: 'webhook',
    env: WebhooksEnv,
    open: ({ env, redis, store, log, process, stop, registry, done }, own) => {
      const queue = openWebhookQueue(redis, env.LANES[0] ?? 'main')
      stop.add('the webhook queue', () => queue.close())
      const ports = { webhooks: openWebhooks(redis), deliveries: openDeliveries(redis), log }
      const announcing = startAnnouncing({
        ...ports,
        store,
        queue,
        outbox: openOutbox(redis),
        documents: openCatalog(redis),
        sources: Object.fromEntries(sources.map(({ kind, open }) => [kind, open(redis)])),
        publicUrl: own.PUBLIC_URL,
      })
      stop.add('the webhook announcements', () => announcing.stop())
      const deliver = createDelivering({
        ...ports,
        guard: { allowed: own.ALLOW_PRIVATE_ADDRESSES },
        signal: process.ending,
        measure: measureTries(registry, done),
      })
      return {
        concurrency: webhooksAtOnce,
        handle: async (job, token) => {
          const { deliveryId = job.id ?? '' } = job.data as { deliveryId?: string }
          await settleJob(job, token, await deliver(deliveryId))
        },
      }
    },
  })
