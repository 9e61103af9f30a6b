import { Injectable } from '@nestjs/common'
import type { LastRun, ThreadKey } from '@plumbline/adapters/redis/runs/threads'
import type { WhenBusy } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { Caller } from '../http/authenticate'
import { contentHash } from '../http/request-values'
import { Refusal, wrongField } from '../http/problem'
import { limitOf } from '../http/concurrency-limits'
import { Common, RunPorts } from '../ports'
import { hasEnded } from '../present/answer'
import { bounds } from '../settings'
import { conversation, upTo } from './conversation'
import { isFor, type Reader, Runs } from './runs.service'
import { StoreClock } from './store-clock.service'

type Ask = {
  threadId: string | undefined
  replaces: string | undefined
  id: string
  question: string
  whenBusy: WhenBusy | undefined
  by: Caller
  clientClosed: AbortSignal | undefined
}
type InThread = Ask & { threadId: string }
type Entered = { threadId: string | undefined; inThread: Run['inThread'] }

/** A run that claims its thread must be stored within this time. After that, the next question ignores the claim. */
const storedWithinMs = 2_000
const lookAgainMs = 250

const listedLength = 300

export const threadKey = ({ tenant }: Pick<Reader, 'tenant'>, threadId: string): ThreadKey => ({
  tenant,
  hash: contentHash(threadId),
})

const busy = (): Refusal =>
  new Refusal(
    'thread-busy',
    'A question of this thread is still being answered. Ask again when that question has been answered.',
    { retryAfter: 2 },
  )

@Injectable()
export class Threads {
  private readonly takeSlot = limitOf('questions that wait for an earlier question of their thread', bounds.threadAsks)

  constructor(
    private readonly common: Common,
    private readonly runPorts: RunPorts,
    private readonly clock: StoreClock,
    private readonly runs: Runs,
  ) {}

  async claimThread(reader: Reader, asked: Ask): Promise<Entered> {
    const threadId = asked.replaces === undefined ? asked.threadId : await this.branch(reader, asked, asked.replaces)
    if (threadId === undefined) return { threadId, inThread: undefined }
    const ask = { ...asked, threadId }
    const { before } = (await this.take(reader, ask)) ?? (await this.whenBusy(reader, ask))
    return { threadId, inThread: before === undefined ? undefined : await this.conversation(reader, before) }
  }

  /** Begins a branch of a thread. Its default name contains the run's id, so that a repeated request finds it. */
  private async branch(reader: Reader, { threadId, id }: Ask, replaces: string): Promise<string> {
    const replaced = (await this.runPorts.store.load(replaces))?.run
    if (!replaced || !isFor(reader, replaced)) throw wrongField('replaces', 'there is no such run')
    if (replaced.threadId === undefined)
      throw wrongField('replaces', 'this run belongs to no thread: omit `replaces` and ask the question again')
    const own = threadId ?? `branch-${id}`
    const begun = await this.runPorts.threads.branch(threadKey(reader, own), {
      replaced: replaces,
      before: replaced.inThread?.runId,
      threadId: own,
      of: { hash: threadKey(reader, replaced.threadId).hash, threadId: replaced.threadId },
      at: this.clock.now(),
    })
    if (!begun && threadId !== undefined)
      throw wrongField(
        'threadId',
        'a thread with this id already exists: use another id for the branch, or omit the field',
      )
    return own
  }

  async releaseThread({ tenant, threadId, id }: Pick<Run, 'tenant' | 'threadId' | 'id'>): Promise<void> {
    if (threadId === undefined) return
    const { threads } = this.runPorts
    const key = threadKey({ tenant }, threadId)
    try {
      const last = await threads.last(key)
      const before = last?.before === undefined ? undefined : { runId: last.before, at: 0, before: undefined }
      if (last?.runId === id) await threads.claim(key, last, { last: before })
    } catch (error) {
      this.common.log.warn({ err: error, runId: id }, 'thread could not be released after its new run was not stored')
    }
  }

  private async whenBusy(reader: Reader, ask: InThread): Promise<{ before?: string | undefined }> {
    const how = ask.whenBusy ?? this.common.settings.threads
    if (how === 'refuse') throw busy()
    const leave = this.takeSlot(reader.tenant, bounds.threadMs)
    try {
      return await this.inTurn(reader, ask, how === 'replace')
    } finally {
      leave()
    }
  }

  private async inTurn(reader: Reader, ask: InThread, replacing: boolean): Promise<{ before?: string | undefined }> {
    const until = performance.now() + bounds.threadMs
    for (;;) {
      if (performance.now() >= until) throw busy()
      if (replacing) await this.cancelLast(reader, ask)
      // Another run may have claimed the thread in the meantime. That run is cancelled too.
      const soon = performance.now() + lookAgainMs
      const entered = await this.take(reader, ask, replacing ? Math.min(until, soon) : until)
      if (entered) return entered
    }
  }

  /** Cancels the thread's last run. Refuses the new question if the caller may not read that run. */
  private async cancelLast(reader: Reader, { threadId, by, id }: InThread): Promise<void> {
    const place = await this.runPorts.threads.last(threadKey(reader, threadId))
    const last = place && place.runId !== id ? (await this.runPorts.store.load(place.runId))?.run : undefined
    if (!place || !last || !this.isAtWork(place, last)) return
    if (!isFor(by, last)) throw busy()
    await this.runs.cancel(by, last.id).catch((error: unknown) => {
      if (!(error instanceof Refusal && error.problem.status === 409)) throw error
    })
  }

  /** Claims the thread. Returns null if another run claimed it first, or if the last run is still in progress. */
  private async take(
    { tenant, access }: Reader,
    { threadId, id, question, clientClosed }: InThread,
    until = 0,
  ): Promise<{ before?: string | undefined } | null> {
    const { threads, store, runHub } = this.runPorts
    const key = threadKey({ tenant }, threadId)
    const place = await threads.last(key)
    // The client sent the same request twice, and the other request has already claimed the thread.
    if (place?.runId === id) return { before: place.before }
    // Subscribes before reading the run, so that no change in between is missed.
    const listener = place && until > 0 ? runHub.listen(place.runId, clientClosed) : undefined
    try {
      for (;;) {
        const last = place && (await store.load(place.runId))?.run
        if (!place || !this.isAtWork(place, last)) {
          // A run that claimed the thread but was never stored is skipped.
          const before = last ? last.id : place?.before
          const at = this.clock.now()
          const run = { id, at, question: question.slice(0, listedLength).toWellFormed(), access }
          const next = { last: { runId: id, at, before }, listed: { threadId, run } }
          return (await threads.claim(key, place, next)) ? { before } : null
        }
        const left = until - performance.now()
        const woken = left > 0 ? await listener?.next(last ? left : Math.min(left, lookAgainMs)) : undefined
        if (woken === 'closed') throw busy()
        if (woken !== 'moved') return null
      }
    } finally {
      listener?.close()
    }
  }

  private isAtWork({ at }: LastRun, run: Run | undefined): boolean {
    return run ? !hasEnded(run) && run.status !== 'parked' : this.clock.now() - at < storedWithinMs
  }

  /** Omits runs that have expired or that the new asker may not read. */
  private async conversation(reader: Reader, runId: string): Promise<Run['inThread']> {
    const last = (await this.runPorts.store.load(runId))?.run
    if (!last) return undefined
    const earlier = await this.runPorts.store.loadMany(upTo(last).slice(0, -1))
    return conversation([...earlier, last].flatMap((run) => (run && isFor(reader, run) ? [run] : [])))
  }
}
