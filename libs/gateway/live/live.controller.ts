import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Caller } from '../http/authenticate'
import { By } from '../http/caller'
import { Describe } from '../ops/openapi'
import { PORTS, type GatewayPorts } from '../ports'
import { bounds } from '../settings'
import { openStream, StreamLimit } from '../streams/stream'
import { Live } from './live.service'

const most = bounds.watched
const ids = z
  .string()
  .default('')
  .transform((text) => [...new Set(text.split(',').filter((id) => id !== ''))])
  .refine((list) => list.length <= most, `name ${most} at most, with commas between them`)
const LiveQuery = z.strictObject({ runs: ids, documents: ids, desk: z.enum(['true', 'false']).default('false') })
type LiveQuery = z.infer<typeof LiveQuery>

@Controller('v1/live')
export class LiveController {
  constructor(
    private readonly live: Live,
    private readonly streams: StreamLimit,
    @Inject(PORTS) private readonly ports: GatewayPorts,
  ) {}

  @Get()
  @Describe({
    summary: 'Which of these runs and documents changed, and whether the desk did; what changed is read by itself',
    answers: { 200: 'text/event-stream' },
  })
  async stream(
    @By() caller: Caller,
    @Query({ schema: LiveQuery }) { desk, ...named }: LiveQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const leave = this.streams.take(caller.tenant)
    const topics = await this.live.topicsFor(caller, { ...named, desk: desk === 'true' }).catch((error: unknown) => {
      leave()
      throw error
    })
    const { log } = this.ports
    const { tenant } = caller
    const send = this.live.send.bind(this.live)
    await openStream({ request, reply, leave, log, send: (sending) => send({ tenant, topics, ...sending }) })
  }
}
