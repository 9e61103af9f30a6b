import type { WebhookQueue } from '@plumbline/adapters/bullmq/webhook-queue'
import type { Deliveries } from './store/deliveries'
import type { WebhookStore } from './store/webhooks'

export abstract class WebhookPorts {
  abstract readonly webhooks: WebhookStore
  abstract readonly deliveries: Deliveries
  abstract readonly webhookQueue: WebhookQueue
}
