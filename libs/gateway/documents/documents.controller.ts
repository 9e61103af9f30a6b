import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  ComparedFiles,
  DocumentFields,
  DocumentList,
  DocumentView,
  FilesToCompare,
  name,
  NewDocument,
  ParsedDocument,
  PassageList,
  Sha256,
  shownName,
  TakenDocument,
} from '@plumbline/contracts'
import { Audited } from '../audit/audited'
import type { Caller } from '../http/authenticate'
import { CurrentCaller, Roles } from '../http/caller'
import { DocumentId, IdempotencyKey, lastEventIdOf } from '../http/request-values'
import { cursor, limitOfPage, validate } from '../http/validate'
import { exportDocument } from './export-document'
import { Describe } from '../ops/openapi'
import { Streams } from '../streams/stream'
import { DocumentEvents } from './document-events.service'
import { Documents } from './documents.service'
import { readUpload } from './upload'

const DocumentsQuery = z.strictObject({
  collection: name.optional(),
  status: DocumentView.shape.status.optional(),
  words: z.string().max(300).optional(),
  name: shownName.max(500).optional(),
  sha256: Sha256.optional(),
  cursor,
  limit: limitOfPage,
})
type DocumentsQuery = z.infer<typeof DocumentsQuery>

const PassagesQuery = z.strictObject({
  cursor: z
    .string()
    .regex(/^\d{1,9}$/, 'send the cursor of the previous page')
    .transform(Number)
    .optional(),
  limit: limitOfPage,
})
type PassagesQuery = z.infer<typeof PassagesQuery>

const ContentQuery = z.strictObject({ as: z.enum(['markdown', 'json']).default('markdown') })
type ContentQuery = z.infer<typeof ContentQuery>

const takeWithinMs = 600_000
const mark = /^[\w-]{1,64}$/

@Controller('v1/documents')
export class DocumentsController {
  constructor(
    private readonly documents: Documents,
    private readonly events: DocumentEvents,
    private readonly streams: Streams,
  ) {}

  @Post()
  @Audited('document.added')
  @Roles('admin')
  @Describe({
    summary: 'Add a document. Send a file of any supported format as multipart/form-data, or JSON with text or url',
    body: NewDocument,
    examples: {
      'a text': { title: 'Mars', text: '# Mars\n\nMars weighs 6.42e23 kg.' },
      'a web page': { url: 'https://example.org/' },
    },
    form: DocumentFields,
    formExample: { title: 'Mars', collection: 'default' },
    answers: { 200: TakenDocument, 202: TakenDocument },
    refusals: ['unknown-document', 'document-from-source'],
    headers: { 'Idempotency-Key': 'The name of the document, if the body contains no name' },
  })
  async add(
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() key: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const clientClosed = new AbortController()
    request.raw.once('close', () => request.raw.complete || clientClosed.abort())
    const signal = AbortSignal.any([clientClosed.signal, AbortSignal.timeout(takeWithinMs)])
    const taken = await this.take(caller, request, { key, signal })
    await reply
      .status(taken.taken === 'unchanged' ? 200 : 202)
      .header('location', `/v1/documents/${taken.id}`)
      .send(taken)
  }

  @Post('compare')
  @HttpCode(200)
  @Roles('admin')
  @Describe({
    summary:
      'Compare files with the stored documents by name and digest. The response says which files are new, changed or unchanged; only new and changed files need an upload',
    body: FilesToCompare,
    examples: {
      'a file': {
        collection: 'default',
        files: [{ name: 'mars.md', sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }],
      },
    },
    answers: { 200: ComparedFiles },
  })
  compare(
    @CurrentCaller() caller: Caller,
    @Body({ schema: FilesToCompare }) files: FilesToCompare,
  ): Promise<ComparedFiles> {
    return this.documents.compare(caller, files)
  }

  @Get()
  @Describe({
    summary: 'List the documents of this tenant that you may read, newest first',
    answers: { 200: DocumentList },
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: DocumentsQuery }) query: DocumentsQuery,
  ): Promise<DocumentList> {
    return this.documents.list(caller, query)
  }

  @Get(':id')
  @Describe({
    summary: 'Show one document: its processing step, its progress and, if it failed, the reason',
    answers: { 200: DocumentView },
  })
  get(@CurrentCaller() caller: Caller, @Param('id', DocumentId) id: string): Promise<DocumentView> {
    return this.documents.get(caller, id)
  }

  @Get(':id/events')
  @Describe({
    summary: 'Stream the document’s state after each processing step, until the document is indexed or has failed',
    answers: { 200: { 'text/event-stream': DocumentView }, 204: '' },
    headers: {
      'Last-Event-ID': 'The stream continues after the event with this id. The response is 204 if no event can follow',
    },
  })
  async stream(
    @CurrentCaller() caller: Caller,
    @Param('id', DocumentId) id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = lastEventIdOf(request, mark)
    if (!(await this.events.anyAfter(caller, id, after))) return void reply.status(204).send()
    await this.streams.answer(caller.tenant, request, reply, (sending) =>
      this.events.send({ caller, id, after, ...sending }),
    )
  }

  @Get(':id/content')
  @Describe({
    summary: 'Show the parsed document: its text as Markdown, or its text and pages as JSON',
    answers: { 200: { 'text/markdown': '', 'application/json': ParsedDocument } },
    refusals: ['forbidden', 'document-not-read'],
  })
  async content(
    @CurrentCaller() caller: Caller,
    @Param('id', DocumentId) id: string,
    @Query({ schema: ContentQuery }) query: ContentQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { type, body } = exportDocument(await this.documents.content(caller, id), query.as)
    await reply.header('content-type', type).send(body)
  }

  @Get(':id/passages')
  @Describe({
    summary: 'List the passages of a document as they are indexed for search, in document order',
    answers: { 200: PassageList },
    refusals: ['forbidden'],
  })
  passages(
    @CurrentCaller() caller: Caller,
    @Param('id', DocumentId) id: string,
    @Query({ schema: PassagesQuery }) { cursor = 0, limit }: PassagesQuery,
  ): Promise<PassageList> {
    return this.documents.passages(caller, id, cursor, limit)
  }

  @Post(':id/reindex')
  @Audited('document.reindexed')
  @Roles('admin')
  @Describe({
    summary:
      'Split and embed a document again from its parsed text. Until the new version is ready, searches use the old version',
    answers: { 202: DocumentView },
  })
  reindex(@CurrentCaller() caller: Caller, @Param('id', DocumentId) id: string): Promise<DocumentView> {
    return this.documents.reindex(caller, id)
  }

  @Post(':id/retry')
  @Audited('document.retried')
  @Roles('admin')
  @Describe({
    summary: 'Retry a failed document from the step that failed',
    answers: { 202: DocumentView },
    refusals: ['document-not-failed'],
  })
  retry(@CurrentCaller() caller: Caller, @Param('id', DocumentId) id: string): Promise<DocumentView> {
    return this.documents.retry(caller, id)
  }

  @Delete(':id')
  @Audited('document.removed')
  @Roles('admin')
  @Describe({
    summary: 'Remove a document, its passages and its files',
    answers: { 204: '' },
    refusals: ['document-from-source'],
  })
  remove(@CurrentCaller() caller: Caller, @Param('id', DocumentId) id: string): Promise<void> {
    return this.documents.remove(caller, id)
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
