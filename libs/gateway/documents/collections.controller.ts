import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common'
import { CollectionList, CollectionSettings, CollectionView, name, Reindexing } from '@plumbline/contracts'
import type { Caller } from '../door/api-keys'
import { By, For } from '../door/caller'
import { Describe } from '../ops/describe'
import { Collections } from './collections.service'

@Controller('v1/collections')
export class CollectionsController {
  constructor(private readonly collections: Collections) {}

  @Get()
  @Describe({ summary: 'The collections of this tenant', answers: { 200: CollectionList } })
  all(@By() caller: Caller): Promise<CollectionList> {
    return this.collections.list(caller)
  }

  @Get(':name')
  @Describe({ summary: 'One collection, with how its documents are cut and found', answers: { 200: CollectionView } })
  get(@By() caller: Caller, @Param('name', { schema: name }) collection: string): Promise<CollectionView> {
    return this.collections.get(caller, collection)
  }

  @Put(':name')
  @For('admin')
  @Describe({
    summary: 'Describe a collection, and set how its documents are cut and found',
    answers: { 200: CollectionView },
  })
  put(
    @By() { tenant }: Caller,
    @Param('name', { schema: name }) collection: string,
    @Body({ schema: CollectionSettings }) settings: CollectionSettings,
  ): Promise<CollectionView> {
    return this.collections.put(tenant, collection, settings)
  }

  @Post(':name/reindex')
  @HttpCode(202)
  @For('admin')
  @Describe({
    summary: 'Cut and embed every document of a collection again, as after a change of its settings',
    answers: { 202: Reindexing },
  })
  reindex(@By() caller: Caller, @Param('name', { schema: name }) collection: string): Promise<Reindexing> {
    return this.collections.reindex(caller, collection)
  }
}
