import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common'
import { CollectionList, CollectionSettings, CollectionView, name, Reindexing } from '@plumbline/contracts'
import { Audited } from '../audit/audited'
import type { Caller } from '../http/authenticate'
import { CurrentCaller, Roles } from '../http/caller'
import { Describe } from '../ops/openapi'
import { Collections } from './collections.service'
import { Documents } from './documents.service'

@Controller('v1/collections')
export class CollectionsController {
  constructor(
    private readonly collections: Collections,
    private readonly documents: Documents,
  ) {}

  @Get()
  @Describe({ summary: 'List the collections of this tenant', answers: { 200: CollectionList } })
  all(@CurrentCaller() caller: Caller): Promise<CollectionList> {
    return this.collections.list(caller)
  }

  @Get(':name')
  @Describe({
    summary: 'Show one collection, with its settings for splitting and searching documents',
    answers: { 200: CollectionView },
  })
  get(@CurrentCaller() caller: Caller, @Param('name', { schema: name }) collection: string): Promise<CollectionView> {
    return this.collections.get(caller, collection)
  }

  @Put(':name')
  @Audited('collection.changed')
  @Roles('admin')
  @Describe({
    summary: 'Create or change a collection: its description, and how its documents are split and searched',
    examples: { 'a description': { description: 'Facts about the planets.' } },
    answers: { 200: CollectionView },
  })
  put(
    @CurrentCaller() { tenant }: Caller,
    @Param('name', { schema: name }) collection: string,
    @Body({ schema: CollectionSettings }) settings: CollectionSettings,
  ): Promise<CollectionView> {
    return this.collections.put(tenant, collection, settings)
  }

  @Post(':name/reindex')
  @Audited('collection.reindexed')
  @Roles('admin')
  @Describe({
    summary: 'Split and embed every document of a collection again, for example after its settings change',
    answers: { 202: Reindexing },
  })
  reindex(@CurrentCaller() caller: Caller, @Param('name', { schema: name }) collection: string): Promise<Reindexing> {
    return this.collections.reindex(caller, collection)
  }

  @Delete(':name')
  @Audited('collection.removed')
  @Roles('admin')
  @Describe({
    summary: 'Remove a collection with all its documents. If the removal was interrupted, repeat the request',
    answers: { 204: '' },
    refusals: ['collection-has-sources'],
  })
  remove(@CurrentCaller() caller: Caller, @Param('name', { schema: name }) collection: string): Promise<void> {
    return this.documents.removeCollection(caller, collection)
  }
}
