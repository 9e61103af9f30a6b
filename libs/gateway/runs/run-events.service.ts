import { Injectable } from '@nestjs/common'
import type { DraftPiece, LedgerEvent, LedgerPage, StreamEvent } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { DraftEntry, LedgerEntry } from '@plumbline/ports/run-store/run-store'
import { unlessUnavailable } from '../http/problem'
import { RunPorts, type Listener } from '../ports'
import { type Audience, eventPassages, streamEvent } from '../present/answer'
import { bounds } from '../settings'
import { beat, frame, type Sending } from '../streams/stream'

const batch = 50
const draftBatch = 32
const draftMs = 200
const stillWriting = (before: boolean, { type }: LedgerEvent): boolean =>
  type === 'writing' || (before && type !== 'checking' && type !== 'drafted')

/** How far a reader has read the draft. `length` counts the text of the last writer, which is a task and its start. */
type DraftPosition = { after: string | null; task: string; start: number; length: number }
type NextPiece = { position: DraftPosition; piece: DraftPiece | null; full: boolean }

const draftStart: DraftPosition = { after: null, task: '', start: 0, length: 0 }

/**
 * Joins new entries into one piece of the draft. Its field `from` is its offset, which shows readers whether an earlier
 * piece is missing.
 */
const nextPiece = (before: DraftPosition, entries: DraftEntry[]): NextPiece => {
  const last = entries.at(-1)
  if (!last) return { position: before, piece: null, full: false }
  const { taskId: task, start } = last.delta
  const text = entries
    .filter(({ delta }) => delta.taskId === task && delta.start === start)
    .map(({ delta }) => delta.text)
    .join('')
  const from = before.task === task && before.start === start ? before.length : 0
  return {
    position: { after: last.id, task, start, length: from + text.length },
    piece: { type: 'draft', unchecked: true, task, start, from, text },
    full: entries.length === draftBatch,
  }
}

/** `show` and `beat` (a heartbeat) return false to end the stream. */
export type Reader = {
  show(event: StreamEvent, id?: string): Promise<boolean>
  beat(): Promise<boolean>
}
export const frameWriter = (write: Sending['write']): Reader => ({
  show: (event, id) => write(frame(event, id)),
  beat: () => write(beat),
})

/** Has few fields, because each open stream keeps such an object in memory. */
export type WatchedRun = {
  runId: string
  audience: Audience
  after: string | null
  ended: boolean
  writing: boolean
  checking: boolean
  streamsDrafts: boolean
}
export const positionAfter = (run: Run, audience: Audience, after: string | null = null): WatchedRun => ({
  runId: run.id,
  audience,
  after,
  ended: run.endedAt !== undefined,
  writing: run.open.some(({ kind }) => kind === 'generate'),
  checking: run.open.some(({ kind }) => kind === 'grade-answer'),
  streamsDrafts: run.policy.streamDrafts === 'on',
})

type StreamPosition = Pick<WatchedRun, 'runId' | 'audience' | 'after' | 'writing'> & {
  over: boolean
  draft: DraftPosition | undefined
  listener: Listener
  reader: Reader
}
type ShownEvent = { id: string; event: LedgerEvent; shown: StreamEvent | null }

@Injectable()
export class RunEvents {
  constructor(private readonly runPorts: RunPorts) {}

  async anyAfter({ runId, after, ended }: WatchedRun): Promise<boolean> {
    return !ended || (await this.runPorts.store.ledgerFrom(runId, after, 1))?.length !== 0
  }

  async page(run: Run, audience: Audience, after: string | null): Promise<LedgerPage> {
    const entries = await this.runPorts.store.ledger(run.id, after, bounds.ledger)
    const shown = await this.shown(run.id, entries, audience)
    return {
      items: shown.flatMap(({ id, shown: event }) => (event ? [{ id, event }] : [])),
      ended: run.endedAt !== undefined && entries.length < bounds.ledger,
    }
  }

  async send(
    { runId, audience, after, writing, checking, streamsDrafts }: WatchedRun,
    reader: Reader,
    signal: AbortSignal,
  ): Promise<void> {
    const listener = this.runPorts.runHub.listen(runId, signal)
    const draft = streamsDrafts ? draftStart : undefined
    const place: StreamPosition = { runId, audience, after, writing, over: false, draft, listener, reader }
    try {
      // A reader who connects while the draft is being checked gets the whole draft first.
      if (checking) await this.sendDraft(place)
      while (!signal.aborted && !place.over) {
        await unlessUnavailable(() => this.sendNew(place))
        if (place.over) return
        if (place.writing) await this.sendDraft(place)
        // While a draft is written, all readers of the run wake at the same time, so that one read serves all of them.
        const soon = draft && place.writing ? draftMs - (performance.now() % draftMs) : undefined
        const woken = await listener.next(soon)
        if (woken === 'closed' || (woken === 'beat' && !(await reader.beat()))) return
      }
    } finally {
      listener.close()
    }
  }

  private async sendNew(place: StreamPosition): Promise<void> {
    const { runId, audience, listener } = place
    for (let full = true; full && !place.over;) {
      const { after } = place
      const entries = await listener.share(`${audience} ${after}`, () => this.following(runId, audience, after))
      if (!entries) return this.sendGap(place)
      full = entries.length === batch
      for (const entry of entries) if (!place.over) await this.sendOne(place, entry)
    }
  }

  private async following(runId: string, audience: Audience, after: string | null): Promise<ShownEvent[] | null> {
    const entries = await this.runPorts.store.ledgerFrom(runId, after, batch)
    return entries && this.shown(runId, entries, audience)
  }

  private shown(runId: string, entries: LedgerEntry[], audience: Audience): Promise<ShownEvent[]> {
    return Promise.all(
      entries.map(async ({ id, event }) => {
        const evidence = await this.runPorts.store.evidence(runId, eventPassages(event))
        return { id, event, shown: streamEvent(event, evidence, audience) }
      }),
    )
  }

  private async sendGap(place: StreamPosition): Promise<void> {
    const { after } = place
    place.over = after === null || !(await place.reader.show({ type: 'gap', after }))
    place.after = null
    if (!place.over) await this.sendNew(place)
  }

  private async sendOne(place: StreamPosition, { id, event, shown }: ShownEvent): Promise<void> {
    const wrote = place.writing
    place.writing = stillWriting(wrote, event)
    // The last words of the draft are sent before this event. The whole draft is already stored.
    if (wrote && !place.writing) await this.sendDraft(place)
    const taken = shown === null || (await place.reader.show(shown, id))
    place.after = id
    place.over = !taken || event.type === 'ended'
  }

  private async sendDraft(place: StreamPosition): Promise<void> {
    for (let full = true; full && place.draft && !place.over;) {
      const next = await this.nextPiece(place, place.draft)
      full = next.full
      place.draft = next.position
      if (next.piece && !(await place.reader.show(next.piece))) place.over = true
    }
  }

  /** Readers at the same position share the piece, and so its bytes. */
  private nextPiece({ runId, listener }: StreamPosition, before: DraftPosition): Promise<NextPiece> {
    const { after, task, start, length } = before
    return listener.share(`draft ${after} ${task} ${start} ${length}`, async () =>
      nextPiece(before, (await unlessUnavailable(() => this.runPorts.store.draft(runId, after, draftBatch))) ?? []),
    )
  }
}
