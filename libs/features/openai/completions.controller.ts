import { Controller, Post, Req, Res } from '@nestjs/common'
import { RouteConfig } from '@nestjs/platform-fastify'
import { type ChatChunk, ChatCompletion, ChatRequest, type StreamEvent } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Admission } from '@plumbline/gateway/admission/admission.service'
import { type Caller, callerOf } from '@plumbline/gateway/http/authenticate'
import { Roles } from '@plumbline/gateway/http/caller'
import { refusalOf } from '@plumbline/gateway/http/problem'
import { clientClosedSignal } from '@plumbline/gateway/http/client-closed'
import { idempotencyKeyOf, originOf } from '@plumbline/gateway/http/request-values'
import { validate } from '@plumbline/gateway/http/validate'
import { askRefusals, Describe } from '@plumbline/gateway/ops/openapi'
import { Common, RunPorts } from '@plumbline/gateway/ports'
import { type AskWithTurns, Asks } from '@plumbline/gateway/runs/ask.service'
import { partialState } from '@plumbline/gateway/present/run-view'
import { RunEvents, positionAfter } from '@plumbline/gateway/runs/run-events.service'
import { Runs } from '@plumbline/gateway/runs/runs.service'
import { RunWaiter } from '@plumbline/gateway/runs/wait-for-run.service'
import { beat, type Sending, Streams } from '@plumbline/gateway/streams/stream'
import { addedBy, chunksOf, completionOf } from './completion'
import { openaiError } from './error'
import { askFromMessages, ignoredIn } from './question'

type Request = {
  caller: Caller
  body: ChatRequest
  ask: AskWithTurns
  key: string | undefined
  clientClosed: AbortSignal
  origin: string
  reply: FastifyReply
}

const dataOf = (data: object): string => `data: ${JSON.stringify(data)}\n\n`

@Controller('v1/chat/completions')
export class CompletionsController {
  constructor(
    private readonly admission: Admission,
    private readonly asks: Asks,
    private readonly runs: Runs,
    private readonly waiting: RunWaiter,
    private readonly events: RunEvents,
    private readonly streams: Streams,
    private readonly common: Common,
    private readonly runPorts: RunPorts,
  ) {}

  @Post()
  @Roles('asker')
  @RouteConfig({ errorBody: openaiError })
  @Describe({
    summary: 'Ask a question in the format of the OpenAI API. The field `model` selects a policy',
    body: ChatRequest,
    examples: {
      'a question': { model: 'plumbline', messages: [{ role: 'user', content: 'How heavy is Mars?' }] },
      'the next question of a conversation, with a streamed answer': {
        model: 'standard',
        stream: true,
        messages: [
          { role: 'user', content: 'How heavy is Mars?' },
          { role: 'assistant', content: 'Mars weighs 6.4e23 kg [1].' },
          { role: 'user', content: 'And Venus?' },
        ],
      },
    },
    answers: { 200: { 'application/json': ChatCompletion, 'text/event-stream': '' } },
    refusals: ['not-found', ...askRefusals],
    headers: {
      'Idempotency-Key':
        'A repeated request with the same key and body returns the same run. With this header, the run continues even if its client disconnects',
    },
  })
  async complete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = validate(ChatRequest, request.body)
    const asked: Request = {
      caller: callerOf(request),
      body,
      ask: askFromMessages(this.runPorts.policies, body),
      key: idempotencyKeyOf(request),
      clientClosed: clientClosedSignal(reply),
      origin: originOf(request, this.common.settings),
      reply,
    }
    if (body.stream === true) await this.stream(asked, request, reply)
    else await this.answer(asked, reply)
  }

  private async ask({ caller, ask, key, clientClosed, reply }: Request): Promise<Run> {
    try {
      return await this.asks.ask(caller, ask, key, clientClosed)
    } finally {
      // Set the rate limit headers even after an error, so that an error response has them too.
      if (!reply.raw.headersSent) void reply.headers(this.admission.completionHeaders(caller))
    }
  }

  /**
   * Cancels the run of a client that disconnected. With an idempotency key, the client can still find the run, so it
   * continues.
   */
  private async leave({ caller, key }: Request, run: Run): Promise<void> {
    if (key === undefined) await this.runs.giveUp(caller, run.id)
  }

  private async rendering({ body, origin }: Request, run: Run, sent = '') {
    return { run, view: await this.runs.view(run, 'asker'), ignored: ignoredIn(body), origin, sent }
  }

  private async answer(asked: Request, reply: FastifyReply): Promise<void> {
    const { caller, clientClosed } = asked
    const seconds = this.common.settings.clientWaitSeconds
    const run = await this.waiting.untilEnded(caller.tenant, () => this.ask(asked), seconds, clientClosed)
    if (clientClosed.aborted) return this.leave(asked, run)
    await reply.send(completionOf(await this.rendering(asked, run)))
  }

  private async stream(asked: Request, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    let run: Run | undefined
    try {
      await this.streams.answerAfter(asked.caller.tenant, request, reply, async () => {
        const own = (run = await this.ask(asked))
        return { send: (sending: Sending) => this.sendAll(asked, own, sending), tellsRetry: false }
      })
    } catch (error) {
      if (run) await this.leave(asked, run)
      throw error
    }
  }

  private async sendAll(asked: Request, run: Run, sending: Sending): Promise<void> {
    let isOver = false
    try {
      isOver = await this.follow(asked, run, sending)
    } catch (error) {
      const { problem } = refusalOf(error)
      this.common.log.warn({ err: error, runId: run.id }, 'streamed completion interrupted')
      await sending.write(dataOf(openaiError(problem)))
    } finally {
      if (!isOver) await this.leave(asked, run)
    }
  }

  /** Streams the answer, but no text that a reviewer changed or rejected. Returns false if the client disconnected. */
  private async follow(asked: Request, run: Run, { write, signal }: Sending): Promise<boolean> {
    const { caller, body } = asked
    const chunks = chunksOf(run, body.stream_options?.include_usage === true)
    const say = (chunk: ChatChunk): Promise<boolean> => write(dataOf(chunk))
    if (signal.aborted || !(await say(chunks.first()))) return false
    const isReplaced = ['corrected', 'withdrawn'].includes(partialState(run) ?? '')
    let sent = ''
    const show = async (event: StreamEvent): Promise<boolean> => {
      if (event.type === 'checked' && !isReplaced) {
        const added = addedBy(event, sent)
        sent += added ?? ''
        return added === '' || (added !== null && say(chunks.text(added)))
      }
      if (event.type === 'draft') return say(chunks.draft(event))
      // A repeated request gets old events again, so the run may no longer be parked. Then the stream continues.
      if (event.type === 'parked') return (await this.runs.get(caller, run.id)).status !== 'parked'
      return true
    }
    const within = AbortSignal.timeout(this.common.settings.clientWaitSeconds * 1_000)
    const reader = { show, beat: () => write(beat) }
    await this.events.send(positionAfter(run, 'asker'), reader, AbortSignal.any([signal, within]))
    if (signal.aborted) return false
    const last = await this.runs.get(caller, run.id)
    for (const chunk of chunks.last(await this.rendering(asked, last, sent))) await say(chunk)
    await write('data: [DONE]\n\n')
    return true
  }
}
