import { Inject, Injectable } from '@nestjs/common'
import type { LedgerEvent } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { LedgerEntry, RunStore } from '@plumbline/ports/run-store'
import { isAway } from '../door/translate'
import { STORE } from '../ports'
import { eventPassages, streamEvent, type Audience } from '../present'
import { RunHub } from '../runs/run-hub.service'
import { bounds } from '../settings'
import { draftReader } from './drafts'
import { beat, frame } from './stream'

type Write = (text: string) => Promise<boolean>
type Drafts = ReturnType<typeof draftReader>
type Watch = { run: Run; audience: Audience; after: string | null; write: Write; signal: AbortSignal }
/** How far a stream has come. */
type Place = {
  runId: string
  audience: Audience
  after: string | null
  writing: boolean
  over: boolean
  drafts: Drafts | undefined
}

const batch = 50
const draftMs = 200
const stillWriting = (before: boolean, { type }: LedgerEvent): boolean =>
  type === 'writing' || (before && type !== 'checking' && type !== 'drafted')

@Injectable()
export class RunEvents {
  constructor(
    @Inject(STORE) private readonly store: RunStore,
    private readonly hub: RunHub,
  ) {}

  /** Whether anything can still follow this place in the ledger. */
  async anyAfter(run: Run, after: string | null): Promise<boolean> {
    return run.endedAt === undefined || (await this.store.ledger(run.id, after, 1)).length > 0
  }

  /** Sends the ledger from `after` on, as this audience may see it, until the run ends or the reader is gone. */
  async send({ run, audience, after, write, signal }: Watch): Promise<void> {
    const listener = this.hub.listen(run.id)
    const drafts = run.policy.streamDrafts === 'on' ? draftReader(this.store, run.id) : undefined
    const place: Place = {
      runId: run.id,
      audience,
      after,
      writing: run.open.some((task) => task.kind === 'generate'),
      over: false,
      drafts,
    }
    signal.addEventListener('abort', listener.close, { once: true })
    try {
      // Whoever comes back while a draft is checked has it whole, as those who stayed.
      if (run.open.some((task) => task.kind === 'grade-answer')) await this.sendDraft(place, write)
      while (!signal.aborted && !place.over) {
        await this.whileAway(() => this.sendNew(place, write))
        if (place.over) return
        if (place.writing) await this.sendDraft(place, write)
        const often = drafts !== undefined && place.writing
        const woken = await listener.next(often ? draftMs : bounds.heartbeatMs)
        if (woken === 'closed' || (woken === 'time' && !often && !(await this.alive(run.id, write)))) return
      }
    } finally {
      signal.removeEventListener('abort', listener.close)
      listener.close()
    }
  }

  private async sendNew(place: Place, write: Write): Promise<void> {
    for (let full = true; full && !place.over;) {
      const entries = await this.store.ledger(place.runId, place.after, batch)
      full = entries.length === batch
      for (const entry of entries) await this.sendOne(place, entry, write)
    }
  }

  private async sendOne(place: Place, { id, event }: LedgerEntry, write: Write): Promise<void> {
    if (place.over) return
    const wrote = place.writing
    place.writing = stillWriting(wrote, event)
    // All of a draft is stored before its end is: the last words come before the check.
    if (wrote && !place.writing) await this.sendDraft(place, write)
    const shown = streamEvent(event, await this.store.evidence(place.runId, eventPassages(event)), place.audience)
    const taken = shown === null || (await write(frame(shown, id)))
    place.after = id
    place.over = !taken || event.type === 'ended'
  }

  private async sendDraft(place: Place, write: Write): Promise<void> {
    const piece = place.drafts && (await this.whileAway(place.drafts))
    if (piece && !(await write(frame(piece)))) place.over = true
  }

  // A run can go while a stream is open: its time is over, or the store lost it.
  private async alive(runId: string, write: Write): Promise<boolean> {
    const loaded = await this.whileAway(() => this.store.load(runId))
    return loaded !== null && (await write(beat))
  }

  // A store that is away does not end a stream: it goes on where it was.
  private async whileAway<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read()
    } catch (error) {
      if (isAway(error)) return undefined
      throw error
    }
  }
}
