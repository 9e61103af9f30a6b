import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common'
import { ThreadList, ThreadTitle, ThreadView } from '@plumbline/contracts'
import { z } from 'zod'
import type { Caller } from '../http/authenticate'
import { By, Roles } from '../http/caller'
import { cursor, limitOfPage } from '../http/validate'
import { Describe } from '../ops/openapi'
import { ThreadPages } from './thread-pages.service'

const ThreadsQuery = z.strictObject({ cursor, limit: limitOfPage })

@Controller('v1/threads')
export class ThreadsController {
  constructor(private readonly threads: ThreadPages) {}

  @Get()
  @Describe({ summary: 'The threads of this tenant, the last one asked in first', answers: { 200: ThreadList } })
  list(
    @By() caller: Caller,
    @Query({ schema: ThreadsQuery }) query: z.infer<typeof ThreadsQuery>,
  ): Promise<ThreadList> {
    return this.threads.list(caller, query)
  }

  @Get(':id')
  @Describe({ summary: 'A thread with its runs, each as its asker may see it', answers: { 200: ThreadView } })
  view(@By() caller: Caller, @Param('id') id: string): Promise<ThreadView> {
    return this.threads.view(caller, id)
  }

  @Patch(':id')
  @HttpCode(204)
  @Roles('asker')
  @Describe({
    summary: 'Name a thread',
    examples: { 'a title': { title: 'The weights of the planets' } },
    answers: { 204: '' },
  })
  rename(
    @By() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: ThreadTitle }) { title }: ThreadTitle,
  ): Promise<void> {
    return this.threads.rename(caller, id, title)
  }

  @Delete(':id')
  @HttpCode(204)
  @Roles('asker')
  @Describe({ summary: 'Forget a thread; its runs stay until their time is over', answers: { 204: '' } })
  remove(@By() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.threads.remove(caller, id)
  }
}
