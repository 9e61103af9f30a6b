import { Controller, Get, Post, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { boardPath } from '@plumbline/adapters/bullmq/queue-board'
import { sessionMs } from '@plumbline/adapters/redis/ops/page-sessions'
import { Audited } from '../audit/audited'
import { Public } from '../http/authenticate'
import { hasRole, Roles } from '../http/caller'
import { notFound } from '../http/problem'
import { KeyPorts, OpsPorts, withGatewayTimeout } from '../ports'
import { Describe } from './openapi'

const cookie = 'plumbline-queues'
const tokenIn = ({ headers }: FastifyRequest): string | undefined =>
  new RegExp(`(?:^|;\\s*)${cookie}=([\\w-]{32})(?:;|$)`).exec(headers.cookie ?? '')?.[1]

/** Inline styles are allowed, because the scripts of the board set them. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A browser sends no key when it loads a page, so a request with a key first sets a cookie. */
@Controller()
export class QueuesController {
  constructor(
    private readonly keyPorts: KeyPorts,
    private readonly opsPorts: OpsPorts,
  ) {}

  @Post('v1/ops/queues')
  @Audited('queues.opened')
  @Roles('operator')
  @Describe({
    summary: 'Open a session for this browser, so that it can show the queue page at /queues',
    answers: { 204: '' },
  })
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const token = await withGatewayTimeout(() => this.keyPorts.pageSessions.begin())
    const secure = request.headers['x-forwarded-proto'] === 'https' ? '; Secure' : ''
    const age = sessionMs / 1_000
    await reply
      .status(204)
      .header('set-cookie', `${cookie}=${token}; Path=${boardPath}; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`)
      .send()
  }

  @Get(['queues', 'queues/*'])
  @Public()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const path = (request.url.split('?')[0] ?? '').slice(boardPath.length)
    if (!(await this.mayLook(request))) {
      if (path.startsWith('api/')) throw notFound('queue')
      return void reply.redirect('/ops', 302)
    }
    if (path.startsWith('static/')) return this.sendFile(path.slice('static/'.length), reply)
    if (path.startsWith('api/')) return this.sendData(`/${path}`, request, reply)
    await reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
      .send(await this.opsPorts.board.page())
  }

  private async mayLook(request: FastifyRequest): Promise<boolean> {
    if (request.caller) return hasRole(request.caller, 'operator')
    const token = tokenIn(request)
    return token !== undefined && withGatewayTimeout(() => this.keyPorts.pageSessions.isKnown(token))
  }

  private async sendFile(name: string, reply: FastifyReply): Promise<void> {
    const file = await this.opsPorts.board.file(name)
    if (!file) throw notFound('file')
    await reply.type(file.type).header('cache-control', 'private, max-age=3600').send(file.body)
  }

  private async sendData(path: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const answer = await this.opsPorts.board.api(path, request.query)
    if (!answer) throw notFound('queue')
    await reply.status(answer.status ?? 200).send(answer.body)
  }
}
