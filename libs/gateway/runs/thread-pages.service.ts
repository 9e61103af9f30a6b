import { Inject, Injectable } from '@nestjs/common'
import type { ListedThread, ThreadRun } from '@plumbline/adapters/redis'
import type { ThreadList, ThreadSummary, ThreadView } from '@plumbline/contracts'
import type { Caller } from '../http/authenticate'
import { covers } from '../http/caller'
import { notFound } from '../http/problem'
import { PORTS, type GatewayPorts } from '../ports'
import { iso } from '../present/answer'
import { bounds } from '../settings'
import { isFor, type Reader, Runs } from './runs.service'
import { threadKey } from './threads.service'

const summaryOf = ({ access }: Reader, { id, title, runs }: ListedThread): ThreadSummary => {
  const [first, last] = [runs[0], runs.at(-1)]
  const named = title && covers(access, title.access) ? title.text : undefined
  return {
    id,
    title: named ?? first?.question ?? '',
    runs: runs.length,
    lastStatus: last?.status,
    createdAt: iso(first?.at ?? 0),
    updatedAt: iso(last?.at ?? 0),
  }
}

/** The threads as their readers see them: of each the runs that their tags cover, and none without one. */
@Injectable()
export class ThreadPages {
  constructor(
    @Inject(PORTS) private readonly ports: GatewayPorts,
    private readonly runs: Runs,
  ) {}

  async list(caller: Caller, { cursor, limit }: { cursor?: string | undefined; limit: number }): Promise<ThreadList> {
    const { threads, next } = await this.ports.threads.list(caller.tenant, {
      cursor: cursor ?? null,
      limit,
      wanted: this.wantedBy(caller),
    })
    return { items: threads.map((thread) => summaryOf(caller, thread)), next }
  }

  async view(caller: Caller, threadId: string): Promise<ThreadView> {
    const thread = await this.readable(caller, threadId)
    const runs = await this.ports.store.loadMany(thread.runs.slice(-bounds.threadRuns).map(({ id }) => id))
    const shown = runs.filter((run) => run !== null).filter((run) => isFor(caller, run))
    return {
      ...summaryOf(caller, thread),
      items: await Promise.all(shown.map((run) => this.runs.view(run, 'asker'))),
    }
  }

  async rename(caller: Caller, threadId: string, title: string): Promise<void> {
    await this.readable(caller, threadId)
    const renamed = await this.ports.threads.rename(threadKey(caller, threadId), { text: title, access: caller.access })
    if (!renamed) throw notFound('thread')
  }

  async remove(caller: Caller, threadId: string): Promise<void> {
    await this.readable(caller, threadId)
    await this.ports.threads.remove(threadKey(caller, threadId))
  }

  private wantedBy({ access }: Reader): (run: ThreadRun) => boolean {
    return (run) => covers(access, run.access)
  }

  private async readable(caller: Reader, threadId: string): Promise<ListedThread> {
    const thread = await this.ports.threads.read(threadKey(caller, threadId), this.wantedBy(caller))
    if (!thread) throw notFound('thread')
    return thread
  }
}
