import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common'
import {
  Ask,
  Filters,
  givenId,
  name,
  plainText,
  Reason,
  RunList,
  RunStatus,
  RunView,
  StreamEvent,
} from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Audited } from '../audit/audited'
import type { Caller } from '../http/authenticate'
import { callerOf } from '../http/authenticate'
import { CurrentCaller, hasRole } from '../http/caller'
import { clientClosedSignal } from '../http/client-closed'
import { idempotencyKeyOf, RunId, time, waitSeconds, wantsEvents } from '../http/request-values'
import { Refusal } from '../http/problem'
import { Roles } from '../http/caller'
import { cursor, jsonOf, limitOfPage, validate } from '../http/validate'
import { askRefusals, Describe } from '../ops/openapi'
import type { Audience } from '../present/answer'
import { hasEnded } from '../present/answer'
import { Admission } from '../admission/admission.service'
import { Asks } from './ask.service'
import { Runs } from './runs.service'
import { Streams } from '../streams/stream'
import { frameWriter, RunEvents, positionAfter } from './run-events.service'
import { RunWaiter } from './wait-for-run.service'

export const AudienceQuery = z.strictObject({ audience: z.enum(['asker', 'desk']).default('asker') })
export type AudienceQuery = z.infer<typeof AudienceQuery>

const atLeastZero = z.coerce.number('send a number').min(0, 'send 0 or more')
const score = atLeastZero.max(1, 'send a number from 0 to 1').optional()
const cents = atLeastZero.optional()

export const RunsQuery = z.strictObject({
  cursor,
  limit: limitOfPage,
  status: RunStatus.optional(),
  policy: name.optional(),
  collection: name.optional(),
  reason: Reason.optional(),
  words: plainText.trim().max(200, 'use at most 200 characters').optional(),
  from: time.optional(),
  to: time.optional(),
  threadId: givenId.optional(),
  metadata: jsonOf(Filters).optional(),
  minScore: score,
  maxScore: score,
  minCents: cents,
  maxCents: cents,
})
export type RunsQuery = z.infer<typeof RunsQuery>

/** Refuses the audience `desk` to callers without the role reviewer. */
export const audienceFor = (caller: Caller, asked: Audience): Audience => {
  if (asked === 'desk' && !hasRole(caller, 'reviewer'))
    throw new Refusal('forbidden', 'The parameter audience=desk needs a key with the role reviewer.')
  return asked
}

@Controller('v1/runs')
export class RunsController {
  constructor(
    private readonly runs: Runs,
    private readonly asks: Asks,
    private readonly waiting: RunWaiter,
    private readonly admission: Admission,
    private readonly events: RunEvents,
    private readonly streams: Streams,
  ) {}

  @Post()
  @Roles('asker')
  @Describe({
    summary: 'Ask a question',
    body: Ask,
    examples: {
      'a question': { question: 'How heavy is Mars?' },
      'the next question of a conversation': { question: 'And Venus?', threadId: 'planets' },
      'a question about the documents of some years': {
        question: 'How heavy is Mars?',
        filters: { year: { gte: 2020, lt: 2024 }, status: { not: ['draft', 'withdrawn'] } },
      },
    },
    answers: { 200: { 'application/json': RunView, 'text/event-stream': StreamEvent }, 202: RunView },
    refusals: askRefusals,
    headers: {
      Accept:
        'With text/event-stream as the only type, the response is 200 and streams the events of the run, like GET /v1/runs/{id}/events. The header Location contains the address of the run; continue there if the stream breaks',
      'Idempotency-Key': 'A repeated request with the same key and body returns the same run',
      Prefer:
        'With wait=N the response is 200 if the run ends within N seconds. The response is 202 after N seconds, or as soon as the run is held for a reviewer',
    },
  })
  // The body is validated here, because Nest's parameter decorators use several promises and this route is the busiest.
  async ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(request)
    const ask = validate(Ask, request.body)
    const key = idempotencyKeyOf(request)
    if (wantsEvents(request)) return this.askAndStream(caller, ask, key, request, reply)
    const seconds = waitSeconds(request.headers.prefer?.toString())
    const clientClosed =
      seconds > 0 || ask.threadId !== undefined || ask.replaces !== undefined ? clientClosedSignal(reply) : undefined
    const asking = (): Promise<Run> => this.asks.ask(caller, ask, key, clientClosed)
    const run =
      clientClosed && seconds > 0
        ? await this.waiting.untilEnded(caller.tenant, asking, seconds, clientClosed)
        : await asking()
    if (seconds > 0) void reply.header('preference-applied', `wait=${seconds}`)
    const status = seconds > 0 && hasEnded(run) ? 200 : 202
    const view = await this.runs.view(run, 'asker')
    const headers = { location: `/v1/runs/${run.id}`, ...this.admission.headers(caller) }
    void reply.status(status).headers(headers).send(view)
  }

  private async askAndStream(
    caller: Caller,
    ask: Ask,
    key: string | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const clientClosed = clientClosedSignal(reply)
    await this.streams.answerAfter(caller.tenant, request, reply, async () => {
      const run = positionAfter(await this.asks.ask(caller, ask, key, clientClosed), 'asker')
      return {
        headers: { location: `/v1/runs/${run.runId}`, ...this.admission.headers(caller) },
        send: ({ write, signal }) => this.events.send(run, frameWriter(write), signal),
      }
    })
  }

  @Get()
  @Describe({
    summary:
      'List the runs of this tenant, newest first. A page may have fewer runs than the limit and still not be the last page',
    answers: { 200: RunList },
  })
  list(@CurrentCaller() caller: Caller, @Query({ schema: RunsQuery }) query: RunsQuery): Promise<RunList> {
    return this.runs.list(caller, query)
  }

  @Get(':id')
  @Describe({
    summary: 'Show one run as its asker may see it. With audience=desk, show the run as a reviewer may see it',
    answers: { 200: RunView },
  })
  async view(
    @CurrentCaller() caller: Caller,
    @Param('id', RunId) id: string,
    @Query({ schema: AudienceQuery }) { audience }: AudienceQuery,
  ): Promise<RunView> {
    return this.runs.viewInQueue(await this.runs.get(caller, id), audienceFor(caller, audience))
  }

  @Post(':id/cancel')
  @Audited('run.cancelled')
  @Roles('asker')
  @Describe({ summary: 'Cancel a run', answers: { 200: RunView }, refusals: ['run-ended'] })
  async cancel(@CurrentCaller() caller: Caller, @Param('id', RunId) id: string): Promise<RunView> {
    return this.runs.view(await this.runs.cancel(caller, id), 'asker')
  }
}
