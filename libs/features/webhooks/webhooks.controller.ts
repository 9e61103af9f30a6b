import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common'
import { z } from 'zod'
import type { Webhook } from './store/webhooks'
import { targetOf } from '@plumbline/adapters/fetching/target'
import {
  name,
  NewWebhook,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookList,
  type WebhookView,
  WebhookWithSecret,
} from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import { Audited } from '@plumbline/gateway/audit/audited'
import type { Caller } from '@plumbline/gateway/http/authenticate'
import { CurrentCaller, Roles } from '@plumbline/gateway/http/caller'
import { notFound, Refusal, wrongField } from '@plumbline/gateway/http/problem'
import { cursor, limitOfPage } from '@plumbline/gateway/http/validate'
import { Describe } from '@plumbline/gateway/ops/openapi'
import { Common, withGatewayTimeout } from '@plumbline/gateway/ports'
import { WebhookPorts } from './webhook-ports'
import { iso } from '@plumbline/gateway/present/answer'

const DeliveriesQuery = z.strictObject({ cursor, limit: limitOfPage, status: WebhookDelivery.shape.status.optional() })

const viewOf = ({ name, url, events, createdAt, old }: Webhook): WebhookView => ({
  name,
  url,
  events,
  createdAt: iso(createdAt),
  ...(old && old.until > Date.now() && { oldSecretUntil: iso(old.until) }),
})

// Used instead of a DNS lookup, because the host name is resolved and checked each time a message is sent.
const somewherePublic = (): Promise<{ address: string; family: number }[]> =>
  Promise.resolve([{ address: '1.1.1.1', family: 4 }])

@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly common: Common,
    private readonly webhookPorts: WebhookPorts,
  ) {}

  @Get()
  @Roles('admin')
  @Describe({ summary: 'List the webhooks of this tenant', answers: { 200: WebhookList } })
  async list(@CurrentCaller() { tenant }: Caller): Promise<WebhookList> {
    return { items: (await withGatewayTimeout(() => this.webhookPorts.webhooks.all(tenant))).map(viewOf) }
  }

  @Get('deliveries')
  @Roles('admin')
  @Describe({
    summary: 'List the past and pending deliveries of the last eight days, newest first',
    answers: { 200: WebhookDeliveries },
  })
  deliveries(
    @CurrentCaller() { tenant }: Caller,
    @Query({ schema: DeliveriesQuery }) page: z.infer<typeof DeliveriesQuery>,
  ): Promise<WebhookDeliveries> {
    return withGatewayTimeout(() => this.webhookPorts.deliveries.list(tenant, page))
  }

  @Post('deliveries/:id/replay')
  @Audited('webhook.replayed')
  @Roles('admin')
  @Describe({ summary: 'Send a delivery again', answers: { 202: WebhookDelivery } })
  async replay(@CurrentCaller() { tenant }: Caller, @Param('id') id: string): Promise<WebhookDelivery> {
    const { deliveries, webhookQueue } = this.webhookPorts
    const { log } = this.common
    const delivery = await withGatewayTimeout(() => deliveries.reopen(tenant, id))
    if (!delivery) throw notFound('delivery')
    await withGatewayTimeout(() => webhookQueue.resend(id)).catch((error: unknown) =>
      log.warn({ err: error }, 'webhook replay not queued: the periodic check will retry'),
    )
    return delivery
  }

  @Put(':name')
  @Audited('webhook.changed')
  @Roles('admin')
  @Describe({
    summary: 'Create or change a webhook. The secret of a new webhook is shown only in this response',
    examples: {
      'held answers': { url: 'https://example.org/plumbline', events: ['run.parked', 'run.escalated'] },
    },
    answers: { 200: WebhookWithSecret },
    refusals: ['too-many-webhooks'],
  })
  async put(
    @CurrentCaller() { tenant }: Caller,
    @Param('name', { schema: name }) named: string,
    @Body({ schema: NewWebhook }) told: NewWebhook,
  ): Promise<WebhookWithSecret> {
    await this.check(told.url)
    const put = await withGatewayTimeout(() => this.webhookPorts.webhooks.put(tenant, named, told))
    if (!put)
      throw new Refusal(
        'too-many-webhooks',
        'This tenant has reached its limit of webhooks. Remove a webhook that is not needed, then add the new one.',
      )
    return { ...viewOf(put.webhook), ...(put.isNew && { secret: put.webhook.secret }) }
  }

  @Post(':name/secret')
  @Audited('webhook.rotated')
  @Roles('admin')
  @Describe({
    summary: 'Give a webhook a new secret. For a day, messages are signed with both the old and the new secret',
    answers: { 200: WebhookWithSecret },
  })
  async rotate(
    @CurrentCaller() { tenant }: Caller,
    @Param('name', { schema: name }) named: string,
  ): Promise<WebhookWithSecret> {
    const webhook = await withGatewayTimeout(() => this.webhookPorts.webhooks.rotate(tenant, named))
    if (!webhook) throw notFound('webhook')
    return { ...viewOf(webhook), secret: webhook.secret }
  }

  @Delete(':name')
  @Audited('webhook.removed')
  @Roles('admin')
  @Describe({ summary: 'Remove a webhook. Its pending deliveries will not be sent', answers: { 204: '' } })
  async remove(@CurrentCaller() { tenant }: Caller, @Param('name', { schema: name }) named: string): Promise<void> {
    if (!(await withGatewayTimeout(() => this.webhookPorts.webhooks.remove(tenant, named)))) throw notFound('webhook')
  }

  private async check(url: string): Promise<void> {
    try {
      await targetOf(url, { resolve: somewherePublic, allowed: this.common.settings.allowPrivateAddresses })
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      throw wrongField(
        'url',
        'use a public address such as https://host/path, without a password. The operator can allow a private address in ALLOW_PRIVATE_ADDRESSES',
      )
    }
  }
}
