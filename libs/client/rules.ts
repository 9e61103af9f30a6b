import {
  type NewRules,
  type NewWebhook,
  RulesView,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookList,
  WebhookWithSecret,
} from '@plumbline/contracts'
import { type Connection, type Page, path, read, send, type Signalled, withSignal } from './request'

/** What is held for reviewers, for how long, and who is told of it. */
export const rulesOf = (connection: Connection) => {
  const webhook = (...rest: string[]): string => path('webhooks', ...rest)
  return {
    rules: (options: Signalled = {}): Promise<RulesView> =>
      read(RulesView, send(connection, path('rules'), withSignal(options))),
    putRules: (rules: NewRules, options: Signalled = {}): Promise<RulesView> =>
      read(RulesView, send(connection, path('rules'), { method: 'PUT', json: rules, ...withSignal(options) })),
    webhooks: (options: Signalled = {}): Promise<WebhookList> =>
      read(WebhookList, send(connection, webhook(), withSignal(options))),
    /** The secret of a new one is in what comes back, and nowhere else again. */
    putWebhook: (name: string, told: NewWebhook, options: Signalled = {}): Promise<WebhookWithSecret> =>
      read(WebhookWithSecret, send(connection, webhook(name), { method: 'PUT', json: told, ...withSignal(options) })),
    rotateSecret: (name: string, options: Signalled = {}): Promise<WebhookWithSecret> =>
      read(WebhookWithSecret, send(connection, webhook(name, 'secret'), { method: 'POST', ...withSignal(options) })),
    removeWebhook: async (name: string, options: Signalled = {}): Promise<void> =>
      void (await send(connection, webhook(name), { method: 'DELETE', ...withSignal(options) })),
    deliveries: ({
      signal,
      ...query
    }: Page & { status?: WebhookDelivery['status'] } = {}): Promise<WebhookDeliveries> =>
      read(WebhookDeliveries, send(connection, webhook('deliveries'), { query, ...withSignal({ signal }) })),
    replayDelivery: (id: string, options: Signalled = {}): Promise<WebhookDelivery> =>
      read(
        WebhookDelivery,
        send(connection, webhook('deliveries', id, 'replay'), { method: 'POST', ...withSignal(options) }),
      ),
  }
}
