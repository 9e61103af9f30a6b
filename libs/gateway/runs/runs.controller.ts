import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common'
import { Ask, Feedback, RunList, RunView } from '@plumbline/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../door/api-keys'
import { callerOf } from '../door/authenticate'
import { By, For, has } from '../door/caller'
import { idempotencyKeyOf } from '../door/headers'
import { checkId } from '../door/ids'
import { Refusal } from '../door/problem'
import { validate } from '../door/valid.pipe'
import { Describe } from '../ops/describe'
import type { Audience } from '../present'
import { FeedbackBox } from './feedback.service'
import { waitSeconds } from './prefer'
import { AudienceQuery, RunsQuery } from './run-requests'
import { hasEnded } from '../present/ended'
import { Runs } from './runs.service'
import { Waiting } from './waiting.service'

/** The desk's view is for those who may decide. */
export const audienceFor = (caller: Caller, asked: Audience): Audience => {
  if (asked === 'desk' && !has(caller, 'reviewer'))
    throw new Refusal('forbidden', 'audience=desk needs a key with the role reviewer.')
  return asked
}

/** Aborts when the asker hangs up. */
const goneOf = (reply: FastifyReply): AbortSignal => {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}

@Controller('v1/runs')
export class RunsController {
  constructor(
    private readonly runs: Runs,
    private readonly waiting: Waiting,
    private readonly box: FeedbackBox,
  ) {}

  @Post()
  @For('asker')
  @Describe({
    summary: 'Ask a question',
    body: Ask,
    answers: { 200: RunView, 202: RunView },
    headers: {
      'Idempotency-Key': 'The same key and body name the same run',
      Prefer: 'wait=N answers 200 when the run ends within N seconds',
    },
  })
  // The busiest route reads its request itself: Nest takes every decorated parameter through a chain of promises.
  async ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(request)
    const ask = validate(Ask, request.body)
    const key = idempotencyKeyOf(request)
    const seconds = waitSeconds(request.headers.prefer?.toString())
    if (seconds > 0) this.waiting.checkRoom()
    const gone = seconds > 0 || ask.threadId !== undefined ? goneOf(reply) : undefined
    let run = await this.runs.ask(caller, ask, key, gone)
    if (gone && seconds > 0) {
      run = await this.waiting.untilEnded(run, seconds * 1_000, gone)
      void reply.header('preference-applied', `wait=${seconds}`)
    }
    const status = seconds > 0 && hasEnded(run) ? 200 : 202
    const view = await this.runs.view(run, 'asker')
    void reply.status(status).header('location', `/v1/runs/${run.id}`).send(view)
  }

  @Get()
  @Describe({ summary: 'The runs of this tenant, newest first', answers: { 200: RunList } })
  list(@By() caller: Caller, @Query({ schema: RunsQuery }) query: RunsQuery): Promise<RunList> {
    return this.runs.list(caller, query)
  }

  @Get(':id')
  @Describe({
    summary: 'One run as the asker, or with audience=desk a reviewer, may see it',
    answers: { 200: RunView },
  })
  async view(
    @By() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: AudienceQuery }) { audience }: AudienceQuery,
  ): Promise<RunView> {
    return this.runs.view(await this.runs.run(caller, checkId('run', id)), audienceFor(caller, audience))
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @For('asker')
  @Describe({ summary: 'Cancel a run', answers: { 200: RunView } })
  async cancel(@By() caller: Caller, @Param('id') id: string): Promise<RunView> {
    return this.runs.view(await this.runs.cancel(caller, checkId('run', id)), 'asker')
  }

  @Post(':id/feedback')
  @HttpCode(204)
  @For('asker')
  @Describe({ summary: 'Say whether an answer was useful', answers: { 204: '' } })
  async feedback(
    @By() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: Feedback }) feedback: Feedback,
  ): Promise<void> {
    await this.box.put((await this.runs.run(caller, checkId('run', id))).id, feedback)
  }
}
