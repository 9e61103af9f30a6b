import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common'
import { BatchLine, BatchList, BatchResult, BatchView } from '@plumbline/contracts'
import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { Audited } from '@plumbline/gateway/audit/audited'
import type { Caller } from '@plumbline/gateway/http/authenticate'
import { CurrentCaller, Roles } from '@plumbline/gateway/http/caller'
import { BatchId, IdempotencyKey } from '@plumbline/gateway/http/request-values'
import { cursor, limitOfPage } from '@plumbline/gateway/http/validate'
import { Describe } from '@plumbline/gateway/ops/openapi'
import { Batches } from './batches.service'

const BatchesQuery = z.strictObject({ cursor, limit: limitOfPage })

const example = [
  { custom_id: 'mars', question: 'How heavy is Mars?' },
  { custom_id: 'venus', question: 'How heavy is Venus?', filters: { year: { gte: 2020 } } },
]

@Controller('v1/batches')
export class BatchesController {
  constructor(private readonly batches: Batches) {}

  @Post()
  @Audited('batch.created')
  @Roles('asker')
  @Describe({
    summary:
      'Ask many questions, one per line. If a line is invalid, the whole file is refused, and the error lists all invalid lines',
    lines: { schema: BatchLine, example },
    answers: { 202: BatchView },
    refusals: ['idempotency-key-reused', 'too-many-batches'],
    headers: { 'Idempotency-Key': 'A repeated request with the same key and body returns the same batch' },
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: unknown,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BatchView> {
    const view = await this.batches.create(caller, Buffer.isBuffer(body) ? body : Buffer.alloc(0), key)
    void reply.header('location', `/v1/batches/${view.id}`)
    return view
  }

  @Get()
  @Describe({ summary: 'List the batches of this tenant, newest first', answers: { 200: BatchList } })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: BatchesQuery }) query: z.infer<typeof BatchesQuery>,
  ): Promise<BatchList> {
    return this.batches.list(caller, query)
  }

  @Get(':id')
  @Describe({ summary: 'Show the progress of a batch', answers: { 200: BatchView } })
  view(@CurrentCaller() caller: Caller, @Param('id', BatchId) id: string): Promise<BatchView> {
    return this.batches.view(caller, id)
  }

  @Get(':id/results')
  @Describe({
    summary:
      'Download the results of all finished lines, one per line, in the order of the questions. A held answer appears only as a line with the status parked',
    answers: { 200: { 'application/jsonl': BatchResult } },
  })
  async results(
    @CurrentCaller() caller: Caller,
    @Param('id', BatchId) id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const results = this.batches.results(caller, id)
    // Read the first part before the response begins, so that the client still gets an error response if the batch is
    // missing.
    const first = await results.next()
    const all = async function* () {
      if (!first.done) yield first.value
      yield* results
    }
    void reply.header('content-type', 'application/jsonl').send(Readable.from(all(), { highWaterMark: 1 }))
  }

  @Post(':id/cancel')
  @Audited('batch.cancelled')
  @Roles('asker')
  @Describe({
    summary: 'Stop a batch, and cancel its runs in progress',
    answers: { 200: BatchView },
    refusals: ['batch-ended'],
  })
  cancel(@CurrentCaller() caller: Caller, @Param('id', BatchId) id: string): Promise<BatchView> {
    return this.batches.cancel(caller, id)
  }
}
