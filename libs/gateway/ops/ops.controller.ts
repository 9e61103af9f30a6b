import { Controller, Get, Header, HttpCode, Inject, Param, Res } from '@nestjs/common'
import { DiscoveryService } from '@nestjs/core'
import type { RedisClient } from '@plumbline/adapters/redis'
import type { FastifyReply } from 'fastify'
import { notFound, Refusal } from '../door/problem'
import { REDIS, SETTINGS } from '../ports'
import type { Settings } from '../settings'
import { promptly } from '../promptly'
import { Describe } from './describe'
import { asset, page } from './docs'
import { Metrics } from './metrics.service'
import { openApi } from './openapi'
import { QueueDepths } from './queue-depths.service'

@Controller()
export class OpsController {
  private document: object | undefined

  constructor(
    @Inject(REDIS) private readonly redis: RedisClient,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly depths: QueueDepths,
    private readonly metrics: Metrics,
    private readonly discovery: DiscoveryService,
  ) {}

  @Get('livez')
  @Describe({ summary: 'The process answers', answers: { 200: 'text/plain' } })
  @Header('content-type', 'text/plain; charset=utf-8')
  livez(): string {
    return 'alive\n'
  }

  @Get('readyz')
  @Describe({
    summary: 'The store can be reached; then also what answers are made with',
    answers: { 200: 'text/plain' },
  })
  @Header('content-type', 'text/plain; charset=utf-8')
  async readyz(): Promise<string> {
    try {
      await promptly(() => this.redis.ping())
    } catch (cause) {
      throw new Refusal('unavailable', 'The store cannot be reached.', { retryAfter: 2, cause })
    }
    return `${['ready', ...this.settings.models.lines].join('\n')}\n`
  }

  @Get('metrics')
  @Describe({ summary: 'Prometheus metrics', answers: { 200: 'text/plain' } })
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    await this.depths.read()
    const { registry } = this.metrics
    await reply.type(registry.contentType).send(await registry.metrics())
  }

  @Get('openapi.json')
  @Describe({ summary: 'This description', answers: { 200: 'application/json' } })
  describe(): object {
    return (this.document ??= openApi(this.discovery.getControllers().flatMap(({ metatype }) => metatype ?? [])))
  }

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header(
    'content-security-policy',
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  )
  docs(): string {
    return page
  }

  @Get('docs/:file')
  @HttpCode(200)
  async file(@Param('file') name: string, @Res() reply: FastifyReply): Promise<void> {
    const found = await asset(name)
    if (!found) throw notFound('file')
    await reply.type(found.type).header('cache-control', 'public, max-age=3600').send(found.body)
  }
}
