import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common'
import type { Log } from '@plumbline/platform/log'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../door/api-keys'
import { By } from '../door/caller'
import { lastEventIdOf } from '../door/headers'
import { checkId } from '../door/ids'
import { Describe } from '../ops/describe'
import { LOG } from '../ports'
import { AudienceQuery } from '../runs/run-requests'
import { audienceFor } from '../runs/runs.controller'
import { Runs } from '../runs/runs.service'
import { openStream } from './open-stream'
import { RunEvents } from './run-events.service'
import { StreamRoom } from './stream-room.service'

const ledgerId = /^\d{1,16}-\d{1,16}$/

@Controller('v1/runs')
export class EventsController {
  constructor(
    private readonly runs: Runs,
    private readonly events: RunEvents,
    private readonly room: StreamRoom,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @Get(':id/events')
  @Describe({
    summary: 'What happens to a run, as it happens',
    answers: { 200: 'text/event-stream', 204: '' },
    headers: { 'Last-Event-ID': 'Goes on after this event; 204 when nothing can follow' },
  })
  async stream(
    @By() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: AudienceQuery }) query: AudienceQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = lastEventIdOf(request, ledgerId)
    const audience = audienceFor(caller, query.audience)
    const run = await this.runs.run(caller, checkId('run', id))
    if (!(await this.events.anyAfter(run, after))) return void reply.status(204).send()
    const leave = this.room.enter(caller.tenant)
    await openStream({
      request,
      reply,
      leave,
      log: this.log,
      send: (sending) => this.events.send({ run, audience, after, ...sending }),
    })
  }
}
