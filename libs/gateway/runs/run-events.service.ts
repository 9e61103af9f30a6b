import { Inject, Injectable } from '@nestjs/common'
import type { DraftPiece, LedgerEvent, LedgerPage, StreamEvent } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { LedgerEntry, RunStore } from '@plumbline/ports/run-store/run-store'
import { unlessAway } from '../http/problem'
import { PORTS, type GatewayPorts } from '../ports'
import { type Audience, eventPassages, streamEvent } from '../present/answer'
import { bounds } from '../settings'
import { beat, frame } from '../streams/stream'

/** Reads what was added to a run's draft as pieces that say where they belong, so that a stream that was cut can begin again. */
const draftReader = (store: RunStore, runId: string): (() => Promise<DraftPiece | null>) => {
  let after: string | null = null
  let shown: { task: string; start: number; length: number } | undefined
  return async () => {
    const entries = await store.draft(runId, after)
    const last = entries.at(-1)
    if (!last) return null
    after = last.id
    const { taskId: task, start } = last.delta
    const text = entries
      .filter(({ delta }) => delta.taskId === task && delta.start === start)
      .map(({ delta }) => delta.text)
      .join('')
    const from = shown?.task === task && shown.start === start ? shown.length : 0
    shown = { task, start, length: from + text.length }
    return { type: 'draft', unchecked: true, task, start, from, text }
  }
}

/** Takes what comes next; false where there is to be no more. */
export type Reader = {
  show(event: StreamEvent, id?: string): Promise<boolean>
  /** Nothing has happened for a while. */
  beat(): Promise<boolean>
}
/** A reader of an event stream. */
export const framing = (write: (text: string) => Promise<boolean>): Reader => ({
  show: (event, id) => write(frame(event, id)),
  beat: () => write(beat),
})
type Drafts = ReturnType<typeof draftReader>
type Watch = { run: Run; audience: Audience; after: string | null; reader: Reader; signal: AbortSignal }
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
  constructor(@Inject(PORTS) private readonly ports: GatewayPorts) {}

  /** Whether anything can still follow this place in the ledger. */
  async anyAfter(run: Run, after: string | null): Promise<boolean> {
    return run.endedAt === undefined || (await this.ports.store.ledger(run.id, after, 1)).length > 0
  }

  /** The ledger from `after` on as far as it is written, as this audience may see it. */
  async page(run: Run, audience: Audience, after: string | null): Promise<LedgerPage> {
    const entries = await this.ports.store.ledger(run.id, after, bounds.ledger)
    const shown = await Promise.all(
      entries.map(async (entry) => ({ id: entry.id, event: await this.shown(run.id, entry, audience) })),
    )
    return {
      items: shown.flatMap(({ id, event }) => (event ? [{ id, event }] : [])),
      ended: run.endedAt !== undefined && entries.length < bounds.ledger,
    }
  }

  /** Sends the ledger from `after` on, as this audience may see it, until the run ends or the reader is gone. */
  async send({ run, audience, after, reader, signal }: Watch): Promise<void> {
    const listener = this.ports.runHub.listen(run.id, signal)
    const drafts = run.policy.streamDrafts === 'on' ? draftReader(this.ports.store, run.id) : undefined
    const place: Place = {
      runId: run.id,
      audience,
      after,
      writing: run.open.some((task) => task.kind === 'generate'),
      over: false,
      drafts,
    }
    try {
      // Whoever comes back while a draft is checked has it whole, as those who stayed.
      if (run.open.some((task) => task.kind === 'grade-answer')) await this.sendDraft(place, reader)
      while (!signal.aborted && !place.over) {
        await unlessAway(() => this.sendNew(place, reader))
        if (place.over) return
        if (place.writing) await this.sendDraft(place, reader)
        const often = drafts !== undefined && place.writing
        const woken = await listener.next(often ? draftMs : bounds.heartbeatMs)
        if (woken === 'closed' || (woken === 'time' && !often && !(await this.alive(run.id, reader)))) return
      }
    } finally {
      listener.close()
    }
  }

  private async sendNew(place: Place, reader: Reader): Promise<void> {
    for (let full = true; full && !place.over;) {
      const entries = await this.ports.store.ledger(place.runId, place.after, batch)
      full = entries.length === batch
      for (const entry of entries) await this.sendOne(place, entry, reader)
    }
  }

  private async shown(runId: string, { event }: LedgerEntry, audience: Audience): Promise<StreamEvent | null> {
    return streamEvent(event, await this.ports.store.evidence(runId, eventPassages(event)), audience)
  }

  private async sendOne(place: Place, entry: LedgerEntry, reader: Reader): Promise<void> {
    if (place.over) return
    const { id, event } = entry
    const wrote = place.writing
    place.writing = stillWriting(wrote, event)
    // All of a draft is stored before its end is: the last words come before the check.
    if (wrote && !place.writing) await this.sendDraft(place, reader)
    const shown = await this.shown(place.runId, entry, place.audience)
    const taken = shown === null || (await reader.show(shown, id))
    place.after = id
    place.over = !taken || event.type === 'ended'
  }

  private async sendDraft(place: Place, reader: Reader): Promise<void> {
    const piece = place.drafts && (await unlessAway(place.drafts))
    if (piece && !(await reader.show(piece))) place.over = true
  }

  // A run can go while a stream is open: its time is over, or the store lost it.
  private async alive(runId: string, reader: Reader): Promise<boolean> {
    const loaded = await unlessAway(() => this.ports.store.load(runId))
    return loaded !== null && (await reader.beat())
  }
}
