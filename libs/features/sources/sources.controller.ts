import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common'
import { z } from 'zod'
import { name, NewSource, RunSource, SourceList, SourceView } from '@plumbline/contracts'
import { Audited } from '@plumbline/gateway/audit/audited'
import type { Caller } from '@plumbline/gateway/http/authenticate'
import { CurrentCaller, Roles } from '@plumbline/gateway/http/caller'
import { validate } from '@plumbline/gateway/http/validate'
import { Describe } from '@plumbline/gateway/ops/openapi'
import { Sources } from './sources.service'

const RemovalQuery = z.strictObject({
  documents: z.enum(['keep', 'remove'], {
    error: 'choose what happens to its documents: documents=keep, or documents=remove',
  }),
})
type RemovalQuery = z.infer<typeof RemovalQuery>

@Controller('v1/sources')
export class SourcesController {
  constructor(private readonly sources: Sources) {}

  @Get()
  @Roles('admin')
  @Describe({
    summary: 'List the sources of this tenant, whose documents are kept in sync',
    answers: { 200: SourceList },
  })
  all(@CurrentCaller() { tenant }: Caller): Promise<SourceList> {
    return this.sources.list(tenant)
  }

  @Get(':name')
  @Roles('admin')
  @Describe({
    summary: 'Show one source: its settings, its run in progress and the result of its last run',
    answers: { 200: SourceView },
  })
  get(@CurrentCaller() { tenant }: Caller, @Param('name', { schema: name }) source: string): Promise<SourceView> {
    return this.sources.get(tenant, source)
  }

  @Put(':name')
  @Audited('source.put')
  @Roles('admin')
  @Describe({
    summary: 'Add or change a source: its origin, its schedule and its access rules',
    examples: {
      'a website, every night': {
        settings: { kind: 'website', url: 'https://example.org/docs/' },
        collection: 'default',
        schedule: { by: 'cron', cron: '0 3 * * *' },
        access: [{ paths: 'hr/**', access: ['hr'] }],
      },
    },
    answers: { 200: SourceView },
    refusals: ['unknown-collection', 'source-leaves', 'source-has-documents', 'too-many-sources'],
  })
  put(
    @CurrentCaller() { tenant }: Caller,
    @Param('name', { schema: name }) source: string,
    @Body({ schema: NewSource }) told: NewSource,
  ): Promise<SourceView> {
    return this.sources.put(tenant, source, told)
  }

  @Post(':name/run')
  @Audited('source.run')
  @Roles('admin')
  @Describe({
    summary: 'Run a source now. Documents that failed are retried',
    body: RunSource,
    examples: {
      'a run': {},
      'a run that removes all documents that are no longer at the source': { confirmRemovals: true },
    },
    answers: { 202: SourceView },
    refusals: ['source-leaves'],
  })
  run(
    @CurrentCaller() { tenant }: Caller,
    @Param('name', { schema: name }) source: string,
    @Body() asked: unknown,
  ): Promise<SourceView> {
    const { confirmRemovals } = validate(RunSource, asked ?? {})
    return this.sources.run(tenant, source, confirmRemovals)
  }

  @Delete(':name')
  @Audited('source.removed')
  @Roles('admin')
  @Describe({
    summary:
      'Remove a source. With documents=keep, its documents stay as if they had been uploaded. With documents=remove, its documents are removed too',
    answers: { 202: '' },
  })
  remove(
    @CurrentCaller() { tenant }: Caller,
    @Param('name', { schema: name }) source: string,
    @Query({ schema: RemovalQuery }) { documents }: RemovalQuery,
  ): Promise<void> {
    return this.sources.remove(tenant, source, documents)
  }
}
