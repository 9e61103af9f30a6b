import { Controller, Get, Param, type PipeTransform, Res } from '@nestjs/common'
import type { FastifyReply } from 'fastify'
import { PageWords } from '@plumbline/contracts'
import { type DrawnPage, Unfit } from '@plumbline/ports/document-parser'
import type { Caller } from '../http/authenticate'
import { CurrentCaller } from '../http/caller'
import { notFound, Refusal } from '../http/problem'
import { DocumentId } from '../http/request-values'
import { limitOf } from '../http/concurrency-limits'
import { Describe } from '../ops/openapi'
import { DocumentPorts } from '../ports'
import { bounds } from '../settings'
import { Documents } from './documents.service'

const PageNumber: PipeTransform<string, number> = {
  transform: (page) => {
    if (!/^[1-9]\d{0,5}$/.test(page)) throw notFound('page')
    return Number(page)
  },
}

@Controller('v1/documents/:id/pages/:page')
export class PagesController {
  private readonly takeSlot = limitOf('pages being rendered', bounds.drawings)

  constructor(
    private readonly documents: Documents,
    private readonly documentPorts: DocumentPorts,
  ) {}

  @Get()
  @Describe({
    summary: 'Render a page of a document as a PNG. Only PDF documents and images have pages',
    answers: { 200: 'image/png' },
    refusals: ['forbidden', 'document-not-read'],
  })
  async image(
    @CurrentCaller() caller: Caller,
    @Param('id', DocumentId) id: string,
    @Param('page', PageNumber) page: number,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { png } = await this.drawn(caller, id, page)
    await reply.type('image/png').header('cache-control', 'private, no-cache').send(Buffer.from(png))
  }

  @Get('words')
  @Describe({
    summary: 'List the words of a page with their positions, in points from the upper left corner of the page',
    answers: { 200: PageWords },
    refusals: ['forbidden', 'document-not-read'],
  })
  async words(
    @CurrentCaller() caller: Caller,
    @Param('id', DocumentId) id: string,
    @Param('page', PageNumber) page: number,
  ): Promise<PageWords> {
    const { width, height, words } = await this.drawn(caller, id, page)
    return { width, height, words }
  }

  private async drawn(caller: Caller, id: string, page: number): Promise<DrawnPage> {
    const { files, pages } = this.documentPorts
    const { revision, format } = await this.documents.shown(caller, id)
    const of = { tenant: caller.tenant, id, revision }
    const before = await files.page(of, page)
    if (before) return before
    const original = await files.original(of)
    if (!original) throw notFound('page')
    const { name, mediaType } = original
    const about = { name, ...(mediaType && { mediaType }), ...(format && { format }) }
    const leave = this.takeSlot(caller.tenant, bounds.drawMs)
    try {
      const signal = AbortSignal.timeout(bounds.drawMs)
      const drawn = await files.withOriginal(of, signal, (path) => pages.draw({ ...about, path }, page, signal))
      if (!drawn) throw notFound('page')
      await files.putPage(of, page, drawn)
      return drawn
    } catch (error) {
      // The document may have been removed or replaced since the request began.
      if (!(await files.original(of))) throw notFound('page')
      throw error instanceof Unfit ? new Refusal('document-not-read', error.words) : error
    } finally {
      leave()
    }
  }
}
