import { Inject, Injectable } from '@nestjs/common'
import type { RedisClient } from '@plumbline/adapters/redis'
import type { Run } from '@plumbline/flow'
import type { Log } from '@plumbline/platform/log'
import type { RunStore } from '@plumbline/ports/run-store'
import { contentHash } from '../door/ids'
import { Refusal } from '../door/problem'
import { LOG, REDIS, SETTINGS, STORE } from '../ports'
import { hasEnded } from '../present/ended'
import { promptly } from '../promptly'
import { bounds, type Settings } from '../settings'
import claimThread from './claim-thread.lua'
import { conversation, upTo } from './conversation'
import { isFor } from './moves.service'
import { RunHub } from './run-hub.service'
import { StoreClock } from './store-clock.service'

type Reader = Parameters<typeof isFor>[0]
/** The last run of a thread, when it took that place, and which was the last before it. */
type Place = { runId: string; at: number; before: string | undefined }
type Ask = { threadId: string; id: string; gone: AbortSignal | undefined }

const keptMs = 7 * 86_400_000
/** A run is stored within this time of taking its place, or never. */
const storedWithinMs = 2_000
const lookAgainMs = 250
const keyOf = (tenant: string, threadId: string): string => `thread:{${tenant}}:${contentHash(threadId)}`

/** Threads that were kept before have the run alone. */
const placeIn = (kept: string | null): Place | undefined => {
  const [runId, at, before] = kept?.split(' ') ?? []
  return runId === undefined ? undefined : { runId, at: Number(at ?? 0), before }
}

const busy = (): Refusal =>
  new Refusal('thread-busy', 'A question of this thread is still being answered. Ask again when it has ended.', {
    retryAfter: 2,
  })

/** The runs of each thread, one at a time. A question in it goes on from what was released before. */
@Injectable()
export class Threads {
  private readonly waiting = new Map<string, number>()

  constructor(
    @Inject(REDIS) private readonly redis: RedisClient,
    @Inject(STORE) private readonly store: RunStore,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOG) private readonly log: Log,
    private readonly hub: RunHub,
    private readonly clock: StoreClock,
  ) {}

  /** Makes the run the last of its thread once the one before it has ended or is held; gives where it goes on from. */
  async enter(reader: Reader, ask: Ask): Promise<Run['inThread']> {
    const entered = (await this.take(reader, ask)) ?? (await this.queued(reader, ask))
    return entered.before === undefined ? undefined : this.conversation(reader, entered.before)
  }

  /** Gives its place back: the run could not be stored. */
  async leave({ tenant, threadId, id }: Pick<Run, 'tenant' | 'threadId' | 'id'>): Promise<void> {
    if (threadId === undefined) return
    const key = keyOf(tenant, threadId)
    try {
      const kept = await promptly(() => this.redis.get(key))
      const place = placeIn(kept)
      if (kept !== null && place?.runId === id) await this.put(key, kept, place.before ?? '')
    } catch (error) {
      this.log.warn({ err: error, runId: id }, 'a thread keeps the place of a run that was not stored')
    }
  }

  private async queued(reader: Reader, ask: Ask): Promise<{ before?: string | undefined }> {
    if (this.settings.threads === 'refuse') throw busy()
    const { tenant } = reader
    const others = this.waiting.get(tenant) ?? 0
    if (others >= bounds.threadAsks)
      throw new Refusal('too-many-requests', 'Too many questions wait for their threads. Ask again later.', {
        retryAfter: 2,
      })
    this.waiting.set(tenant, others + 1)
    try {
      return await this.inTurn(reader, ask)
    } finally {
      const left = (this.waiting.get(tenant) ?? 1) - 1
      if (left > 0) this.waiting.set(tenant, left)
      else this.waiting.delete(tenant)
    }
  }

  private async inTurn(reader: Reader, ask: Ask): Promise<{ before?: string | undefined }> {
    const until = performance.now() + bounds.threadMs
    for (;;) {
      const left = until - performance.now()
      if (left <= 0) throw busy()
      const entered = await this.take(reader, ask, left)
      if (entered) return entered
    }
  }

  /** The place, or null where the run that has it is still at work, then after it moved or `waitMs` are over. */
  private async take(
    { tenant }: Reader,
    { threadId, id, gone }: Ask,
    waitMs = 0,
  ): Promise<{ before?: string | undefined } | null> {
    const key = keyOf(tenant, threadId)
    const kept = await promptly(() => this.redis.get(key))
    const place = placeIn(kept)
    // The same request came twice, and its twin was first.
    if (place?.runId === id) return { before: place.before }
    // Heard from now on: nothing is missed between a look and the wait for what follows it.
    const listener = place && waitMs > 0 ? this.hub.listen(place.runId) : undefined
    if (listener) gone?.addEventListener('abort', listener.close, { once: true })
    if (gone?.aborted) listener?.close()
    try {
      const last = place && (await this.store.load(place.runId))?.run
      if (!place || !this.isAtWork(place, last)) {
        // What took its place and was never stored is passed over.
        const before = last ? last.id : place?.before
        const taken = `${id} ${this.clock.now()}${before === undefined ? '' : ` ${before}`}`
        return (await this.put(key, kept ?? '', taken)) ? { before } : null
      }
      if ((await listener?.next(last ? waitMs : Math.min(waitMs, lookAgainMs))) === 'closed') throw busy()
      return null
    } finally {
      if (listener) gone?.removeEventListener('abort', listener.close)
      listener?.close()
    }
  }

  private isAtWork({ at }: Place, run: Run | undefined): boolean {
    return run ? !hasEnded(run) && run.status !== 'parked' : this.clock.now() - at < storedWithinMs
  }

  private async put(key: string, seen: string, place: string): Promise<boolean> {
    return (await promptly(() => this.redis.eval(claimThread, 1, key, seen, place, keptMs))) === 1
  }

  /** Of each run what its own asker may read now: one that read more than the next may read is left out, and so is one that is gone. */
  private async conversation(reader: Reader, runId: string): Promise<Run['inThread']> {
    const last = (await this.store.load(runId))?.run
    if (!last) return undefined
    const earlier = await this.store.loadMany(upTo(last).slice(0, -1))
    return conversation([...earlier, last].flatMap((run) => (run && isFor(reader, run) ? [run] : [])))
  }
}
