import { Controller, Get, Headers, Inject, Param, Query, Req, Res } from '@nestjs/common'
import type { Log } from '@plumbline/platform/log'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../door/api-keys'
import { By } from '../door/caller'
import { checkId } from '../door/ids'
import { wrongField } from '../door/problem'
import { Describe } from '../ops/describe'
import { LOG } from '../ports'
import { AudienceQuery } from '../runs/run-requests'
import { audienceFor } from '../runs/runs.controller'
import { Runs } from '../runs/runs.service'
import { bounds } from '../settings'
import { RunEvents } from './run-events.service'
import { writer } from './stream'
import { StreamRoom } from './stream-room.service'

const ledgerId = /^\d{1,16}-\d{1,16}$/
const placeOf = (lastEventId: string | undefined): string | null => {
  if (lastEventId === undefined || lastEventId === '') return null
  if (!ledgerId.test(lastEventId)) throw wrongField('Last-Event-ID', 'send an id that this stream gave you, or leave it out')
  return lastEventId
}

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
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = placeOf(lastEventId)
    const audience = audienceFor(caller, query.audience)
    const run = await this.runs.run(caller, checkId('run', id))
    if (!(await this.events.anyAfter(run, after))) return void reply.status(204).send()
    const leave = this.room.enter(caller.tenant)
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    reply.hijack()
    request.raw.socket.setNoDelay(true)
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    reply.raw.write('retry: 1000\n\n')
    try {
      await this.events.send({ run, audience, after, write: writer(reply.raw, bounds.slowReaderMs), signal: gone.signal })
      reply.raw.end()
    } catch (error) {
      this.log.warn({ err: error }, 'a stream broke')
      reply.raw.destroy()
    } finally {
      leave()
    }
  }
}
