import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common'
import {
  CollectionList,
  CollectionSettings,
  CollectionView,
  DocumentList,
  DocumentView,
  name,
  NewDocument,
  TakenDocument,
} from '@plumbline/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Caller } from '../door/api-keys'
import { By, For } from '../door/caller'
import { IdempotencyKey } from '../door/headers'
import { checkId } from '../door/ids'
import { validate } from '../door/valid.pipe'
import { Describe } from '../ops/describe'
import { cursor, limitOfPage } from '../runs/run-requests'
import { Collections } from './collections.service'
import { Documents } from './documents.service'
import { readUpload } from './upload'

const DocumentsQuery = z.strictObject({ collection: name.optional(), cursor, limit: limitOfPage })
type DocumentsQuery = z.infer<typeof DocumentsQuery>

@Controller('v1')
export class DocumentsController {
  constructor(
    private readonly documents: Documents,
    private readonly collections: Collections,
  ) {}

  @Post('documents')
  @For('admin')
  @Describe({
    summary: 'Add a document: JSON, or multipart/form-data with a .md or .txt file',
    body: NewDocument,
    answers: { 202: TakenDocument },
    headers: { 'Idempotency-Key': 'The same key names the same document' },
  })
  async add(
    @By() { tenant }: Caller,
    @IdempotencyKey() key: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const document = validate(NewDocument, request.isMultipart() ? await readUpload(request) : request.body)
    const view = await this.documents.add(tenant, document, key)
    await reply.status(202).header('location', `/v1/documents/${view.id}`).send(view)
  }

  @Get('documents')
  @Describe({ summary: 'The documents of this tenant, newest first', answers: { 200: DocumentList } })
  list(@By() { tenant }: Caller, @Query({ schema: DocumentsQuery }) query: DocumentsQuery): Promise<DocumentList> {
    return this.documents.list(tenant, query)
  }

  @Get('documents/:id')
  @Describe({ summary: 'One document and how far its indexing is', answers: { 200: DocumentView } })
  get(@By() { tenant }: Caller, @Param('id') id: string): Promise<DocumentView> {
    return this.documents.get(tenant, checkId('document', id))
  }

  @Delete('documents/:id')
  @HttpCode(204)
  @For('admin')
  @Describe({ summary: 'Remove a document and its passages', answers: { 204: '' } })
  remove(@By() { tenant }: Caller, @Param('id') id: string): Promise<void> {
    return this.documents.remove(tenant, checkId('document', id))
  }

  @Put('collections/:name')
  @For('admin')
  @Describe({ summary: 'Describe a collection and set how its documents are cut', answers: { 200: CollectionView } })
  put(
    @By() { tenant }: Caller,
    @Param('name', { schema: name }) collection: string,
    @Body({ schema: CollectionSettings }) settings: CollectionSettings,
  ): Promise<CollectionView> {
    return this.collections.put(tenant, collection, settings)
  }

  @Get('collections')
  @Describe({ summary: 'The collections of this tenant', answers: { 200: CollectionList } })
  all(@By() { tenant }: Caller): Promise<CollectionList> {
    return this.collections.list(tenant)
  }
}
