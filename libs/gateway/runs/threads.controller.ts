import { Body, Controller, Delete, Get, Param, Patch, Query, Res } from '@nestjs/common'
import type { ListedThread, ThreadRun } from '@plumbline/adapters/redis/runs/threads'
import {
  type RunView,
  ThreadFormat,
  ThreadList,
  type ThreadSummary,
  ThreadTitle,
  ThreadView,
} from '@plumbline/contracts'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { Audited } from '../audit/audited'
import type { Caller } from '../http/authenticate'
import { CurrentCaller, coversAccess, Roles } from '../http/caller'
import { notFound } from '../http/problem'
import { cursor, limitOfPage } from '../http/validate'
import { Describe } from '../ops/openapi'
import { RunPorts } from '../ports'
import { iso } from '../present/answer'
import { exportThread } from '../present/thread-export'
import { bounds } from '../settings'
import { isFor, type Reader, Runs } from './runs.service'
import { threadKey } from './threads.service'

const ExportQuery = z.strictObject({ as: ThreadFormat.default('json') })
const ThreadsQuery = z.strictObject({ cursor, limit: limitOfPage })

const summaryOf = ({ access }: Reader, { id, title, runs, branchOf }: ListedThread): ThreadSummary => {
  const [first, last] = [runs[0], runs.at(-1)]
  const named = title && coversAccess(access, title.access) ? title.text : undefined
  return {
    id,
    title: named ?? first?.question ?? '',
    runs: runs.length,
    branchOf,
    lastStatus: last?.status,
    createdAt: iso(first?.at ?? 0),
    updatedAt: iso(last?.at ?? 0),
  }
}

const wantedBy =
  ({ access }: Reader) =>
  (run: ThreadRun): boolean =>
    coversAccess(access, run.access)

/** A reader sees only the runs whose access tags the reader has. A thread without such runs is hidden. */
@Controller('v1/threads')
export class ThreadsController {
  constructor(
    private readonly runPorts: RunPorts,
    private readonly runs: Runs,
  ) {}

  @Get()
  @Describe({
    summary: 'List the threads of this tenant. The thread with the newest question is first',
    answers: { 200: ThreadList },
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: ThreadsQuery }) { cursor, limit }: z.infer<typeof ThreadsQuery>,
  ): Promise<ThreadList> {
    const page = { cursor, limit, wanted: wantedBy(caller) }
    const { threads, next } = await this.runPorts.threads.list(caller.tenant, page)
    return { items: threads.map((thread) => summaryOf(caller, thread)), next }
  }

  @Get(':id')
  @Describe({ summary: 'Show a thread with its runs, as the asker sees them', answers: { 200: ThreadView } })
  async view(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ThreadView> {
    const thread = await this.readable(caller, id)
    const last = { ...thread, runs: thread.runs.slice(-bounds.threadRuns) }
    return { ...summaryOf(caller, thread), items: await this.viewsOf(caller, last) }
  }

  @Get(':id/export')
  @Describe({
    summary:
      'Export a thread with all its runs: as JSON, as JSON Lines with one run per line, or as Markdown. Held answers are not included',
    answers: { 200: { 'application/json': ThreadView, 'application/x-ndjson': '', 'text/markdown': '' } },
  })
  async export(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: ExportQuery }) { as }: z.infer<typeof ExportQuery>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const thread = await this.readable(caller, id)
    const view = { ...summaryOf(caller, thread), items: await this.viewsOf(caller, thread) }
    const { type, extension, body } = exportThread(view, as)
    await reply
      .header('content-type', type)
      .header('content-disposition', `attachment; filename="thread.${extension}"`)
      .send(body)
  }

  @Patch(':id')
  @Audited('thread.renamed')
  @Roles('asker')
  @Describe({
    summary: 'Rename a thread',
    examples: { 'a title': { title: 'The weights of the planets' } },
    answers: { 204: '' },
  })
  async rename(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: ThreadTitle }) { title }: ThreadTitle,
  ): Promise<void> {
    await this.readable(caller, id)
    const renamed = await this.runPorts.threads.rename(threadKey(caller, id), { text: title, access: caller.access })
    if (!renamed) throw notFound('thread')
  }

  @Delete(':id')
  @Audited('thread.removed')
  @Roles('asker')
  @Describe({ summary: 'Remove a thread. Its runs are kept until their retention ends', answers: { 204: '' } })
  async remove(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    await this.readable(caller, id)
    await this.runPorts.threads.remove(threadKey(caller, id))
  }

  private async viewsOf(caller: Reader, { runs }: ListedThread): Promise<RunView[]> {
    const views: RunView[] = []
    for (let at = 0; at < runs.length; at += bounds.page.most) {
      const loaded = await this.runPorts.store.loadMany(runs.slice(at, at + bounds.page.most).map((run) => run.id))
      const shown = loaded.filter((run) => run !== null).filter((run) => isFor(caller, run))
      views.push(...(await Promise.all(shown.map((run) => this.runs.view(run, 'asker')))))
    }
    return views
  }

  private async readable(caller: Reader, threadId: string): Promise<ListedThread> {
    const thread = await this.runPorts.threads.read(threadKey(caller, threadId), wantedBy(caller))
    if (!thread) throw notFound('thread')
    return thread
  }
}
