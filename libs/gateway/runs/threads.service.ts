import { Inject, Injectable } from '@nestjs/common'
import type { RedisClient } from '@plumbline/adapters/redis'
import { questionOf, type Run } from '@plumbline/flow'
import type { Log } from '@plumbline/platform/log'
import type { RunStore } from '@plumbline/ports/run-store'
import { hasEnded } from '../present/ended'
import { contentHash } from '../door/ids'
import { LOG, REDIS, STORE } from '../ports'
import { promptly } from '../promptly'
import { isFor } from './moves.service'

type Reader = Parameters<typeof isFor>[0]

const keptMs = 7 * 86_400_000
const keyOf = (tenant: string, threadId: string): string => `thread:{${tenant}}:${contentHash(threadId)}`

/** Which run was the last of a thread. A question in it goes on from there. */
@Injectable()
export class Threads {
  constructor(
    @Inject(REDIS) private readonly redis: RedisClient,
    @Inject(STORE) private readonly store: RunStore,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** What the last run said, if it has ended, is still kept, and read nothing that the next may not read. */
  async last({ tenant, access }: Reader, threadId: string, besides: string): Promise<Run['inThread']> {
    const runId = await promptly(() => this.redis.get(keyOf(tenant, threadId)))
    if (runId === null || runId === besides) return undefined
    const run = (await this.store.load(runId))?.run
    if (!run || !isFor({ tenant, access }, run) || !hasEnded(run)) return undefined
    const { answer } = run
    return {
      runId,
      status: run.status,
      question: questionOf(run),
      text: answer?.text ?? '',
      passageIds: answer?.citations.map(({ passageId }) => passageId) ?? [],
    }
  }

  /** The run is saved and stands: a thread that cannot be kept costs the next question its context, and not this one its answer. */
  async goOn({ tenant, threadId, id }: Run): Promise<void> {
    if (threadId === undefined) return
    try {
      await promptly(() => this.redis.set(keyOf(tenant, threadId), id, 'PX', keptMs))
    } catch (error) {
      this.log.warn({ err: error, runId: id }, 'the thread of a run could not be kept')
    }
  }
}
