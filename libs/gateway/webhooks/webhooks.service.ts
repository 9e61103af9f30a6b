import { Inject, Injectable } from '@nestjs/common'
import type { Webhook } from '@plumbline/adapters/redis'
import { targetOf } from '@plumbline/adapters/fetching/target'
import type {
  NewWebhook,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookList,
  WebhookView,
  WebhookWithSecret,
} from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import { notFound, Refusal, wrongField } from '../http/problem'
import { PORTS, promptly, type GatewayPorts } from '../ports'
import { iso } from '../present/answer'

const viewOf = ({ name, url, events, createdAt, old }: Webhook): WebhookView => ({
  name,
  url,
  events,
  createdAt: iso(createdAt),
  ...(old && old.until > Date.now() && { oldSecretUntil: iso(old.until) }),
})

// Where a name leads is looked up whenever something is sent; here it is taken to be public.
const somewherePublic = (): Promise<{ address: string; family: number }[]> =>
  Promise.resolve([{ address: '1.1.1.1', family: 4 }])

type Page = { cursor?: string | null | undefined; limit: number; status?: WebhookDelivery['status'] | undefined }

/** Where a tenant is told of what happens, and what it was told. */
@Injectable()
export class Webhooks {
  constructor(@Inject(PORTS) private readonly ports: GatewayPorts) {}

  async list(tenant: string): Promise<WebhookList> {
    return { items: (await promptly(() => this.ports.webhooks.all(tenant))).map(viewOf) }
  }

  async put(tenant: string, name: string, told: NewWebhook): Promise<WebhookWithSecret> {
    await this.check(told.url)
    const put = await promptly(() => this.ports.webhooks.put(tenant, name, told))
    if (!put) throw new Refusal('too-many-webhooks', 'There are as many webhooks as there may be. Remove one first.')
    return { ...viewOf(put.webhook), ...(put.isNew && { secret: put.webhook.secret }) }
  }

  async rotate(tenant: string, name: string): Promise<WebhookWithSecret> {
    const webhook = await promptly(() => this.ports.webhooks.rotate(tenant, name))
    if (!webhook) throw notFound('webhook')
    return { ...viewOf(webhook), secret: webhook.secret }
  }

  async remove(tenant: string, name: string): Promise<void> {
    if (!(await promptly(() => this.ports.webhooks.remove(tenant, name)))) throw notFound('webhook')
  }

  deliveries(
    tenant: string,
    { cursor = null, limit, status }: Page & { cursor?: string | null },
  ): Promise<WebhookDeliveries> {
    return promptly(() => this.ports.deliveries.list(tenant, { cursor, limit, ...(status && { status }) }))
  }

  /** Its job is added again by those who look after deliveries, where this cannot. */
  async replay(tenant: string, id: string): Promise<WebhookDelivery> {
    const { deliveries, webhookQueue, log } = this.ports
    const delivery = await promptly(() => deliveries.reopen(tenant, id))
    if (!delivery) throw notFound('delivery')
    await promptly(() => webhookQueue.heal(id)).catch((error: unknown) =>
      log.warn({ err: error }, 'a replay is left to those who look after deliveries'),
    )
    return delivery
  }

  private async check(url: string): Promise<void> {
    try {
      await targetOf(url, {
        resolve: somewherePublic,
        ...(this.ports.settings.allowed && { allowed: this.ports.settings.allowed }),
      })
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      throw wrongField(
        'url',
        'use a public address such as https://host/path, without a password in it; the operator can allow a private one in ALLOW_PRIVATE_ADDRESSES',
      )
    }
  }
}
