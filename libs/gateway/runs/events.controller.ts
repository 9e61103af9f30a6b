import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common'
import { LedgerPage, StreamEvent } from '@plumbline/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Caller } from '../http/authenticate'
import { CurrentCaller } from '../http/caller'
import { lastEventIdOf, RunId } from '../http/request-values'
import { Describe } from '../ops/openapi'
import { audienceFor, AudienceQuery } from './runs.controller'
import { Runs } from './runs.service'
import { frameWriter, RunEvents, positionAfter } from './run-events.service'
import { Streams } from '../streams/stream'

const ledgerId = /^\d{1,16}-\d{1,16}$/
const LedgerQuery = AudienceQuery.extend({
  after: z.string().regex(ledgerId, 'send the id of an event of this run, or omit the parameter').optional(),
})

@Controller('v1/runs')
export class EventsController {
  constructor(
    private readonly runs: Runs,
    private readonly events: RunEvents,
    private readonly streams: Streams,
  ) {}

  @Get(':id/ledger')
  @Describe({
    summary: 'List the events that a run has recorded, after a given position',
    answers: { 200: LedgerPage },
  })
  async ledger(
    @CurrentCaller() caller: Caller,
    @Param('id', RunId) id: string,
    @Query({ schema: LedgerQuery }) { after, audience }: z.infer<typeof LedgerQuery>,
  ): Promise<LedgerPage> {
    const asked = audienceFor(caller, audience)
    return this.events.page(await this.runs.get(caller, id), asked, after ?? null)
  }

  @Get(':id/events')
  @Describe({
    summary: 'Stream the events of a run as they happen',
    answers: { 200: { 'text/event-stream': StreamEvent }, 204: '' },
    headers: {
      'Last-Event-ID': 'The stream continues after the event with this id. The response is 204 if no event can follow',
    },
  })
  async stream(
    @CurrentCaller() caller: Caller,
    @Param('id', RunId) id: string,
    @Query({ schema: AudienceQuery }) query: AudienceQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = lastEventIdOf(request, ledgerId)
    const audience = audienceFor(caller, query.audience)
    const run = positionAfter(await this.runs.get(caller, id), audience, after)
    if (!(await this.events.anyAfter(run))) return void reply.status(204).send()
    await this.streams.answer(caller.tenant, request, reply, ({ write, signal }) =>
      this.events.send(run, frameWriter(write), signal),
    )
  }
}
