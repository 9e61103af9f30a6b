import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Controller, Get, Param, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Me } from '@plumbline/contracts'
import type { Caller } from '../http/authenticate'
import { Public } from '../http/authenticate'
import { AnyRole, CurrentCaller } from '../http/caller'
import { notFound } from '../http/problem'
import { Describe } from '../ops/openapi'
import { UsualDuration } from '../ops/usual-duration.service'
import { OfferedFeatures } from '../feature'
import { Common } from '../ports'
import { appFolder, sendPage } from '../http/app-page'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

type Asset = { type: string; body: Buffer; zipped: Buffer }

const readAsset = async (name: string): Promise<Asset | null> => {
  const type = types[extname(name)]
  if (type === undefined || !/^[\w.-]+$/.test(name)) return null
  const body = await readFile(join(appFolder, 'assets', name)).catch(() => null)
  return body && { type, body, zipped: gzipSync(body) }
}

@Controller()
export class AppController {
  private readonly files = new Map<string, Asset>()

  constructor(
    private readonly common: Common,
    private readonly usual: UsualDuration,
    private readonly features: OfferedFeatures,
  ) {}

  @Get('v1/me')
  @AnyRole()
  @Describe({ summary: "Show the caller's identity and permissions", answers: { 200: Me } })
  async me(@CurrentCaller() { name, tenant, roles }: Caller): Promise<Me> {
    const { models, markedAnswers } = this.common.settings
    const mode = markedAnswers === null ? 'local' : 'keys'
    return {
      name,
      tenant,
      roles: [...roles],
      mode,
      models: models.label,
      usualMs: await this.usual.read(),
      features: this.features.names,
    }
  }

  @Get(['', 'threads/*', 'runs/*', 'documents', 'documents/*', 'desk', 'desk/*', 'keys', 'ops', 'ops/*'])
  @Public()
  async page(@Res() reply: FastifyReply): Promise<void> {
    await sendPage(reply, 200)
  }

  @Get('assets/:file')
  @Public()
  async asset(
    @Param('file') name: string,
    @Req() { headers }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const file = this.files.get(name) ?? (await readAsset(name))
    if (!file) throw notFound('file')
    this.files.set(name, file)
    const zipped = headers['accept-encoding']?.includes('gzip') === true
    // Cached forever, because the name of each file contains a hash of its content.
    void reply
      .type(file.type)
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' })
    if (zipped) void reply.header('content-encoding', 'gzip')
    await reply.send(zipped ? file.zipped : file.body)
  }
}
