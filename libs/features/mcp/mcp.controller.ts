import { randomUUID } from 'node:crypto'
import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '@plumbline/gateway/http/authenticate'
import { Refusal } from '@plumbline/gateway/http/problem'
import { originOf } from '@plumbline/gateway/http/request-values'
import { Common } from '@plumbline/gateway/ports'
import { bounds } from '@plumbline/gateway/settings'
import { McpCalls } from './mcp.service'

const sessionHeader = 'mcp-session-id'
const session = /^[\w-]{16,64}$/

const isInitialize = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'initialize'

const headersOf = ({ headers }: FastifyRequest): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one]))

@Controller('mcp')
export class McpController {
  constructor(
    private readonly calls: McpCalls,
    private readonly common: Common,
  ) {}

  @Post()
  async call(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(request)
    const given = request.headers[sessionHeader]
    const origin = originOf(request, this.common.settings)
    const own = typeof given === 'string' && session.test(given) ? given : undefined
    // The MCP SDK is loaded on first use, because loading the SDK takes longer than starting the gateway.
    const { openMcp } = await import('./server')
    const mcp = await openMcp(this.calls.toolsFor({ caller, session: own, origin }))
    // Disconnect a client that does not receive the heartbeats in time.
    reply.raw.setTimeout(bounds.heartbeatMs + bounds.slowReaderMs)
    reply.raw.once('close', () => void mcp.close())
    const asked = new Request(new URL(request.url, 'http://gateway'), { method: 'POST', headers: headersOf(request) })
    const answer = await mcp.handle(asked, request.body)
    // Clients send this session id with every later request. One request can thus cancel the call of another request.
    if (isInitialize(request.body)) void reply.header(sessionHeader, randomUUID())
    await reply.send(answer)
  }

  @Get()
  listen(): never {
    throw new Refusal('method-not-allowed', 'This server sends no messages on its own. Use POST.')
  }

  @Delete()
  end(): never {
    throw new Refusal('method-not-allowed', 'This server has no sessions, so there is none to end. Use POST.')
  }
}
