import {
  AbandonedList,
  type BulkReplay,
  BulkReplayed,
  Diagnosis,
  type HistoryStep,
  type RulesInput,
  type NewWebhook,
  OpsHistory,
  OpsOverview,
  type OpsStage,
  ProcessList,
  Replayed,
  type ScaledQueue,
  ScalerView,
  RulesView,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookList,
  WebhookWithSecret,
} from '@plumbline/contracts'
import type { Calls, Page, Signalled } from './request'

/** `from` and `to` are times in ISO form. Without them, the range is the last day. */
type HistoryAsked = { from?: string; to?: string; step?: HistoryStep; tenant?: string; policy?: string }

/** An operator may call all these functions. An admin may call some of them, for the admin's own tenant only. */
export const operationsOf = ({ read, done }: Calls) => ({
  overview: (options?: Signalled) => read(OpsOverview, ['ops', 'overview'], options),
  history: ({ signal, ...query }: HistoryAsked & Signalled = {}) =>
    read(OpsHistory, ['ops', 'history'], { query, signal }),
  /** Returns the probable causes of failed searches. Without `from` and `to`, the range is the last 7 days. */
  diagnosis: ({ signal, ...query }: Pick<HistoryAsked, 'from' | 'to' | 'tenant'> & Signalled = {}) =>
    read(Diagnosis, ['ops', 'diagnosis'], { query, signal }),
  scaler: (queue: ScaledQueue, options?: Signalled) => read(ScalerView, ['scaler', queue], options),
  processes: (options?: Signalled) => read(ProcessList, ['ops', 'processes'], options),
  pauseStage: (stage: OpsStage, options?: Signalled) =>
    done(['ops', 'stages', stage, 'pause'], { method: 'POST', ...options }),
  resumeStage: (stage: OpsStage, options?: Signalled) =>
    done(['ops', 'stages', stage, 'resume'], { method: 'POST', ...options }),
  abandoned: (options?: Signalled) => read(AbandonedList, ['ops', 'abandoned'], options),
  replay: (runId: string, options?: Signalled) =>
    read(Replayed, ['ops', 'abandoned', runId, 'replay'], { method: 'POST', ...options }),
  /** Asks the questions of abandoned runs again. If the call is repeated, no question is asked twice. */
  replayMany: (asked: BulkReplay, options?: Signalled) =>
    read(BulkReplayed, ['ops', 'abandoned', 'replay'], { method: 'POST', json: asked, ...options }),
})

export const rulesOf = ({ read, done }: Calls) => ({
  rules: (options?: Signalled) => read(RulesView, ['rules'], options),
  putRules: (rules: RulesInput, options?: Signalled) =>
    read(RulesView, ['rules'], { method: 'PUT', json: rules, ...options }),
  webhooks: (options?: Signalled) => read(WebhookList, ['webhooks'], options),
  /** Creates or changes a webhook. The response contains the secret only if the webhook is new. */
  putWebhook: (name: string, told: NewWebhook, options?: Signalled) =>
    read(WebhookWithSecret, ['webhooks', name], { method: 'PUT', json: told, ...options }),
  rotateSecret: (name: string, options?: Signalled) =>
    read(WebhookWithSecret, ['webhooks', name, 'secret'], { method: 'POST', ...options }),
  removeWebhook: (name: string, options?: Signalled) => done(['webhooks', name], { method: 'DELETE', ...options }),
  deliveries: ({ signal, ...query }: Page & { status?: WebhookDelivery['status'] } = {}) =>
    read(WebhookDeliveries, ['webhooks', 'deliveries'], { query, signal }),
  replayDelivery: (id: string, options?: Signalled) =>
    read(WebhookDelivery, ['webhooks', 'deliveries', id, 'replay'], { method: 'POST', ...options }),
})
