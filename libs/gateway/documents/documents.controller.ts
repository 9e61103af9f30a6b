import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common'
import {
  DocumentFields,
  DocumentList,
  DocumentView,
  NewDocument,
  ParsedDocument,
  TakenDocument,
} from '@plumbline/contracts'
import type { Log } from '@plumbline/platform/log'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../door/api-keys'
import { By, For } from '../door/caller'
import { IdempotencyKey, lastEventIdOf } from '../door/headers'
import { checkId } from '../door/ids'
import { validate } from '../door/valid.pipe'
import { openStream } from '../events/open-stream'
import { StreamRoom } from '../events/stream-room.service'
import { Describe } from '../ops/describe'
import { LOG } from '../ports'
import { DocumentEvents } from './document-events.service'
import { ContentQuery, DocumentsQuery } from './document-requests'
import { Documents } from './documents.service'
import { exported } from './exported'
import { readUpload } from './upload'

const takeWithinMs = 600_000
const mark = /^[\w-]{1,64}$/

@Controller('v1/documents')
export class DocumentsController {
  constructor(
    private readonly documents: Documents,
    private readonly events: DocumentEvents,
    private readonly room: StreamRoom,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @Post()
  @For('admin')
  @Describe({
    summary: 'Add a document: a file of any format as multipart/form-data, or JSON with text or url',
    body: NewDocument,
    form: DocumentFields,
    answers: { 200: TakenDocument, 202: TakenDocument },
    headers: { 'Idempotency-Key': 'Names the document, where it has no name of its own' },
  })
  async add(
    @By() caller: Caller,
    @IdempotencyKey() key: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const gone = new AbortController()
    request.raw.once('close', () => request.raw.complete || gone.abort())
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(takeWithinMs)])
    const taken = await this.take(caller, request, { key, signal })
    await reply
      .status(taken.taken === 'unchanged' ? 200 : 202)
      .header('location', `/v1/documents/${taken.id}`)
      .send(taken)
  }

  @Get()
  @Describe({ summary: 'The documents of this tenant that you may read, newest first', answers: { 200: DocumentList } })
  list(@By() caller: Caller, @Query({ schema: DocumentsQuery }) query: DocumentsQuery): Promise<DocumentList> {
    return this.documents.list(caller, query)
  }

  @Get(':id')
  @Describe({ summary: 'One document: its task, how far it is, and why it failed', answers: { 200: DocumentView } })
  get(@By() caller: Caller, @Param('id') id: string): Promise<DocumentView> {
    return this.documents.get(caller, checkId('document', id))
  }

  @Get(':id/events')
  @Describe({
    summary: 'The document each time it has come further, until it is indexed or failed',
    answers: { 200: 'text/event-stream', 204: '' },
    headers: { 'Last-Event-ID': 'What you saw last; 204 when nothing can follow' },
  })
  async stream(
    @By() caller: Caller,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = lastEventIdOf(request, mark)
    if (!(await this.events.anyAfter(caller, checkId('document', id), after))) return void reply.status(204).send()
    const leave = this.room.enter(caller.tenant)
    await openStream({
      request,
      reply,
      leave,
      log: this.log,
      send: (sending) => this.events.send({ caller, id, after, ...sending }),
    })
  }

  @Get(':id/content')
  @Describe({
    summary: 'The document as it was read: its text as Markdown, or with its pages as JSON',
    answers: { 200: { 'text/markdown': '', 'application/json': ParsedDocument } },
  })
  async content(
    @By() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: ContentQuery }) query: ContentQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { type, body } = exported(await this.documents.content(caller, checkId('document', id)), query.as)
    await reply.header('content-type', type).send(body)
  }

  @Post(':id/retry')
  @HttpCode(202)
  @For('admin')
  @Describe({ summary: 'Try a failed document again, from where it failed', answers: { 202: DocumentView } })
  retry(@By() caller: Caller, @Param('id') id: string): Promise<DocumentView> {
    return this.documents.retry(caller, checkId('document', id))
  }

  @Delete(':id')
  @HttpCode(204)
  @For('admin')
  @Describe({ summary: 'Remove a document, its passages and its files', answers: { 204: '' } })
  remove(@By() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.documents.remove(caller, checkId('document', id))
  }

  private async take(
    caller: Caller,
    request: FastifyRequest,
    taking: { key: string | undefined; signal: AbortSignal },
  ): Promise<TakenDocument> {
    if (!request.isMultipart()) return this.documents.addNew(caller, validate(NewDocument, request.body), taking)
    const { fields, brought } = await readUpload(request, (content) => this.documents.receive(content, taking.signal))
    return this.documents.add(caller, fields, brought, taking)
  }
}
