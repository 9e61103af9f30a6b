import { Controller, Get, Query, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Caller } from '../http/authenticate'
import { CurrentCaller } from '../http/caller'
import { LiveHint } from '@plumbline/contracts'
import { Describe } from '../ops/openapi'
import { bounds } from '../settings'
import { Streams } from '../streams/stream'
import { Live } from './live.service'

const most = bounds.watched
const ids = z
  .string()
  .default('')
  .transform((text) => [...new Set(text.split(',').filter((id) => id !== ''))])
  .refine((list) => list.length <= most, `list at most ${most}, separated by commas`)
const LiveQuery = z.strictObject({ runs: ids, documents: ids, desk: z.enum(['true', 'false']).default('false') })
type LiveQuery = z.infer<typeof LiveQuery>

@Controller('v1/live')
export class LiveController {
  constructor(
    private readonly live: Live,
    private readonly streams: Streams,
  ) {}

  @Get()
  @Describe({
    summary:
      'Stream which of these runs and documents have changed, and whether the review desk has changed. Events contain no content',
    answers: { 200: { 'text/event-stream': LiveHint } },
  })
  async stream(
    @CurrentCaller() caller: Caller,
    @Query({ schema: LiveQuery }) { desk, ...named }: LiveQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { tenant } = caller
    const topics = await this.live.topicsFor(caller, { ...named, desk: desk === 'true' })
    await this.streams.answer(tenant, request, reply, (sending) => this.live.send({ tenant, topics, ...sending }))
  }
}
