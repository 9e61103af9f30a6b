import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common'
import { z } from 'zod'
import {
  name,
  NewWebhook,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookList,
  WebhookWithSecret,
} from '@plumbline/contracts'
import type { Caller } from '../http/authenticate'
import { By, Roles } from '../http/caller'
import { cursor, limitOfPage } from '../http/validate'
import { Describe } from '../ops/openapi'
import { Webhooks } from './webhooks.service'

export const DeliveriesQuery = z.strictObject({
  cursor,
  limit: limitOfPage,
  status: WebhookDelivery.shape.status.optional(),
})
export type DeliveriesQuery = z.infer<typeof DeliveriesQuery>

@Controller('v1/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: Webhooks) {}

  @Get()
  @Roles('admin')
  @Describe({ summary: 'Where this tenant is told of what happens', answers: { 200: WebhookList } })
  list(@By() { tenant }: Caller): Promise<WebhookList> {
    return this.webhooks.list(tenant)
  }

  @Get('deliveries')
  @Roles('admin')
  @Describe({
    summary: 'What was sent or is to be sent, newest first, kept for eight days',
    answers: { 200: WebhookDeliveries },
  })
  deliveries(
    @By() { tenant }: Caller,
    @Query({ schema: DeliveriesQuery }) query: DeliveriesQuery,
  ): Promise<WebhookDeliveries> {
    return this.webhooks.deliveries(tenant, query)
  }

  @Post('deliveries/:id/replay')
  @HttpCode(202)
  @Roles('admin')
  @Describe({ summary: 'Send a delivery once more', answers: { 202: WebhookDelivery } })
  replay(@By() { tenant }: Caller, @Param('id') id: string): Promise<WebhookDelivery> {
    return this.webhooks.replay(tenant, id)
  }

  @Put(':name')
  @HttpCode(200)
  @Roles('admin')
  @Describe({
    summary: 'Set up a webhook, or change one; the secret of a new one is shown this once',
    examples: {
      'held answers': { url: 'https://example.org/plumbline', events: ['run.parked', 'run.escalated'] },
    },
    answers: { 200: WebhookWithSecret },
  })
  put(
    @By() { tenant }: Caller,
    @Param('name', { schema: name }) webhook: string,
    @Body({ schema: NewWebhook }) told: NewWebhook,
  ): Promise<WebhookWithSecret> {
    return this.webhooks.put(tenant, webhook, told)
  }

  @Post(':name/secret')
  @HttpCode(200)
  @Roles('admin')
  @Describe({
    summary: 'Give a webhook a new secret; for a day the old one signs too',
    answers: { 200: WebhookWithSecret },
  })
  rotate(@By() { tenant }: Caller, @Param('name', { schema: name }) webhook: string): Promise<WebhookWithSecret> {
    return this.webhooks.rotate(tenant, webhook)
  }

  @Delete(':name')
  @HttpCode(204)
  @Roles('admin')
  @Describe({ summary: 'Remove a webhook; what waits for it is not sent', answers: { 204: '' } })
  remove(@By() { tenant }: Caller, @Param('name', { schema: name }) webhook: string): Promise<void> {
    return this.webhooks.remove(tenant, webhook)
  }
}
