import { z } from 'zod'
import { name } from './ask'
import { Cursor } from './text'

/** `run.answered`: it ended with words for its asker. `run.failed`: it ended without any. `schedule.changed`: its answer differs from the last one. */
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
    .min(1, 'name one event at least')
    .max(WebhookEvent.options.length)
    .refine((events) => new Set(events).size === events.length, 'name each event once'),
})
export type NewWebhook = z.infer<typeof NewWebhook>

export const WebhookView = z.object({
  name,
  url: z.string(),
  events: z.array(WebhookEvent),
  createdAt: z.string(),
  /** Until then what is sent is signed with the secret before this one too. */
  oldSecretUntil: z.string().optional(),
})
export type WebhookView = z.infer<typeof WebhookView>

export const WebhookList = z.object({ items: z.array(WebhookView) })
export type WebhookList = z.infer<typeof WebhookList>

/** The secret is shown here and never again. */
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
  /** `failed`: it was given up after a day of tries, or can never succeed. */
  status: z.enum(['waiting', 'delivered', 'failed']),
  at: z.string(),
  tries: z.number().int(),
  lastTryAt: z.string().optional(),
  nextTryAt: z.string().optional(),
  /** What the receiver answered last. */
  answered: z.number().int().optional(),
  problem: z.string().optional(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const WebhookDeliveries = z.object({ items: z.array(WebhookDelivery), next: Cursor })
export type WebhookDeliveries = z.infer<typeof WebhookDeliveries>

/** What a receiver gets, signed as standardwebhooks.com says: ids, never a byte of a draft, an answer or a passage. */
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
    /** When a held answer is due. */
    dueAt: z.string().optional(),
    /** Where a person goes on from here; absent where the operator has not set PUBLIC_URL. */
    link: z.string().optional(),
  }),
})
export type WebhookMessage = z.infer<typeof WebhookMessage>
