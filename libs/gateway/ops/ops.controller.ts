import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Controller, Get, Header, Param, Req, Res } from '@nestjs/common'
import { DiscoveryService } from '@nestjs/core'
import { HealthCheck, HealthCheckService, HealthIndicatorService } from '@nestjs/terminus'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Public } from '../http/authenticate'
import { hasRole, Roles } from '../http/caller'
import { notFound } from '../http/problem'
import { Common, RunPorts, DocumentPorts, withGatewayTimeout } from '../ports'
import { QueueDepths } from './queue-depths.service'
import { Describe, openApi } from './openapi'

const types: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#ui', validatorUrl: null, deepLinking: true })\n`

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Plumbline: the API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="icon" href="/docs/favicon-32x32.png"></head>
<body><div id="ui"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`

/** The files come from the installed package, so that the browser loads nothing from other hosts. */
const asset = async (name: string): Promise<{ type: string; body: string | Buffer } | undefined> => {
  if (name === 'start.js') return { type: 'text/javascript; charset=utf-8', body: start }
  const type = Object.hasOwn(types, name) ? types[name] : undefined
  return type === undefined
    ? undefined
    : { type, body: await readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`)) }
}

@Controller()
export class OpsController {
  private document: object | undefined

  constructor(
    private readonly common: Common,
    private readonly runPorts: RunPorts,
    private readonly documentPorts: DocumentPorts,
    private readonly depths: QueueDepths,
    private readonly discovery: DiscoveryService,
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  @Get('livez')
  @Public()
  @Describe({ summary: 'Check that the process answers requests', answers: { 200: 'text/plain' } })
  @Header('content-type', 'text/plain; charset=utf-8')
  livez(): string {
    return 'alive\n'
  }

  @Get('readyz')
  @Public()
  @HealthCheck()
  @Describe({
    summary:
      'Check that the store can be reached. For an operator, the response also shows the state of the document store and the models in use',
    answers: { 200: 'application/json' },
  })
  async readyz(@Req() { caller }: FastifyRequest): Promise<object> {
    const { status, details } = await this.health.check([() => this.pingStore()])
    if (!caller || !hasRole(caller, 'operator')) return { status }
    return { status, details, documents: await this.lookAtDocuments(), models: this.common.settings.models.lines }
  }

  @Get('metrics')
  @Roles('operator')
  @Describe({ summary: 'Export metrics in Prometheus format', answers: { 200: 'text/plain' } })
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    await this.depths.read()
    const { registry } = this.common
    await reply.type(registry.contentType).send(await registry.metrics())
  }

  @Get('openapi.json')
  @Public()
  @Describe({ summary: 'Download this description of the API', answers: { 200: 'application/json' } })
  describe(): object {
    return (this.document ??= openApi(this.discovery.getControllers().flatMap(({ metatype }) => metatype ?? [])))
  }

  @Get('docs')
  @Public()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header(
    'content-security-policy',
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  )
  docs(): string {
    return page
  }

  @Get('docs/:file')
  @Public()
  async file(@Param('file') name: string, @Res() reply: FastifyReply): Promise<void> {
    const found = await asset(name)
    if (!found) throw notFound('file')
    await reply.type(found.type).header('cache-control', 'public, max-age=3600').send(found.body)
  }

  /** Checks the document store. The gateway counts as ready even if it fails, because questions do not need it. */
  private async lookAtDocuments(): Promise<string> {
    const { where, check } = this.documentPorts.files
    return withGatewayTimeout(check).then(
      () => `${where} answers`,
      () => `${where} does not answer: documents cannot be uploaded, and pages cannot be shown`,
    )
  }

  private async pingStore() {
    await withGatewayTimeout(() => this.runPorts.store.now())
    return this.indicators.check('store').up()
  }
}
