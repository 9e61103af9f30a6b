import { openWebhookQueue } from '@plumbline/adapters/bullmq/webhook-queue'
import { type Feature, provide } from '@plumbline/gateway/feature'
import { openDeliveries } from './store/deliveries'
import { openWebhooks } from './store/webhooks'
import { WebhookPorts } from './webhook-ports'
import { WebhooksController } from './webhooks.controller'

/** Lets tenants set up webhooks for runs, documents, batches and schedules. The worker in `worker.ts` calls them. */
export const webhooks: Feature = {
  name: 'webhooks',
  controllers: [WebhooksController],
  services: [],
  open: ({ redis, settings, stop }) => {
    const webhookQueue = openWebhookQueue(redis, settings.lanes[0] ?? 'main')
    stop.add('webhook queue', () => webhookQueue.close())
    return {
      ports: [
        provide(WebhookPorts, { webhooks: openWebhooks(redis), deliveries: openDeliveries(redis), webhookQueue }),
      ],
    }
  },
}
