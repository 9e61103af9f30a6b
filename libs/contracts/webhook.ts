import { z } from 'zod'
import { name } from './ask'
import { Cursor } from './text'

/** The events that a webhook can report. `run.answered`: the asker gets a text. `run.failed`: the asker gets none. */
export const WebhookEvent = z.enum([
  'run.parked',
  'run.escalated',
  'run.decided',
  'run.answered',
  'run.failed',
  'document.indexed',
  'batch.finished',
  'schedule.changed',
  'schedule.stopped',
])
export type WebhookEvent = z.infer<typeof WebhookEvent>

export const NewWebhook = z.strictObject({
  url: z.string().min(1).max(2_000),
  events: z
    .array(WebhookEvent)
    .min(1, 'choose at least one event')
    .max(WebhookEvent.options.length)
    .refine((events) => new Set(events).size === events.length, 'name each event once'),
})
export type NewWebhook = z.infer<typeof NewWebhook>

export const WebhookView = z.object({
  name,
  url: z.string(),
  events: z.array(WebhookEvent),
  createdAt: z.string(),
  /** The time until which messages are also signed with the previous secret. */
  oldSecretUntil: z.string().optional(),
})
export type WebhookView = z.infer<typeof WebhookView>

export const WebhookList = z.object({ items: z.array(WebhookView) })
export type WebhookList = z.infer<typeof WebhookList>

/** A webhook with its secret. Only the response that creates the webhook or a new secret contains the secret. */
export const WebhookWithSecret = WebhookView.extend({ secret: z.string().optional() })
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>

export const WebhookDelivery = z.object({
  id: z.string(),
  webhook: z.string(),
  event: WebhookEvent,
  runId: z.string().optional(),
  documentId: z.string().optional(),
  batchId: z.string().optional(),
  scheduleId: z.string().optional(),
  /** `failed` means that all retries of a whole day failed, or that no retry can succeed. */
  status: z.enum(['waiting', 'delivered', 'failed']),
  at: z.string(),
  tries: z.number().int(),
  lastTryAt: z.string().optional(),
  nextTryAt: z.string().optional(),
  answered: z.number().int().optional(),
  problem: z.string().optional(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const WebhookDeliveries = z.object({ items: z.array(WebhookDelivery), next: Cursor })
export type WebhookDeliveries = z.infer<typeof WebhookDeliveries>

/** The message to a webhook, signed as standardwebhooks.com describes. It has no draft, answer or passage. */
export const WebhookMessage = z.object({
  type: WebhookEvent,
  timestamp: z.string(),
  data: z.object({
    runId: z.string().optional(),
    documentId: z.string().optional(),
    batchId: z.string().optional(),
    scheduleId: z.string().optional(),
    status: z.string(),
    reason: z.string().optional(),
    taskId: z.string().optional(),
    action: z.string().optional(),
    dueAt: z.string().optional(),
    /** A link to the object of the event. Absent if the operator has not set PUBLIC_URL. */
    link: z.string().optional(),
  }),
})
export type WebhookMessage = z.infer<typeof WebhookMessage>
