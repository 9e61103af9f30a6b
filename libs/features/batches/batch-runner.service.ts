import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import type { Batch, TakenLine } from './store/batch'
import { EndStatus, type RunStatus } from '@plumbline/contracts'
import { pollDue } from '@plumbline/hosting/due-queue'
import { Admission } from '@plumbline/gateway/admission/admission.service'
import { Common } from '@plumbline/gateway/ports'
import { BatchPorts } from './batch-ports'
import { endedWithText } from '@plumbline/gateway/present/answer'
import type { Wait } from '@plumbline/gateway/admission/wait'
import { LineAsks, runIdOf } from './ask-lines.service'

const [busyMs, restMs] = [100, 1_000]
const keepEveryMs = 60_000
const parkedPerSecond = 50
const parkedLeastMs = 2_000
const cancelledAtOnce = 200

type Open = Map<string, Batch>
type Line = TakenLine & { of: Batch }

const endOf = (status: RunStatus): 'answered' | 'failed' | 'cancelled' | null => {
  if (status === 'cancelled') return 'cancelled'
  if (endedWithText(status)) return 'answered'
  return EndStatus.safeParse(status).success ? 'failed' : null
}

const within = (open: Open, lines: TakenLine[]): Line[] =>
  lines.flatMap((line) => {
    const of = open.get(line.batch)
    return of ? [{ ...line, of }] : []
  })

/** Asks the questions of all open batches and follows their runs. Each step can safely be repeated after a crash. */
@Injectable()
export class BatchRunner implements OnModuleInit, OnApplicationShutdown {
  private feeding: ReturnType<typeof pollDue> | undefined
  private readonly waiting = new Map<string, number>()
  private readonly keptAt = new Map<string, number>()

  constructor(
    private readonly common: Common,
    private readonly batchPorts: BatchPorts,
    private readonly lineAsks: LineAsks,
    private readonly admission: Admission,
  ) {}

  onModuleInit(): void {
    const { batches } = this.batchPorts
    const { log } = this.common
    this.feeding = pollDue(
      busyMs,
      {
        queue: batches,
        batchSize: 20,
        againInMs: 5_000,
        handle: (tenant, now) => this.feed(tenant, now),
        failed: 'batch could not be continued: retrying',
        log,
      },
      'batches paused: store not responding',
    )
  }

  async onApplicationShutdown(): Promise<void> {
    await this.feeding?.stop()
  }

  private async feed(tenant: string, now: number): Promise<'done' | { at: number }> {
    const { batches } = this.batchPorts
    const found = await batches.open(tenant)
    const open: Open = new Map(found.flatMap(({ id, batch }) => (batch ? [[id, batch]] : [])))
    await Promise.all(found.filter(({ batch }) => !batch).map(({ id }) => batches.forget(tenant, id)))
    if (open.size === 0) {
      this.waiting.delete(tenant)
      this.keptAt.delete(tenant)
      return 'done'
    }
    await this.keep(tenant, open, now)
    await this.lookAtParked(tenant, open, now)
    const toAsk = await this.lookAtRunning(tenant, open, now)
    if (now >= (this.waiting.get(tenant) ?? 0)) await this.askNext(tenant, open, toAsk, now)
    await this.end(tenant, open, now)
    return { at: now + ((await batches.running(tenant)).length > 0 ? busyMs : restMs) }
  }

  private async keep(tenant: string, open: Open, now: number): Promise<void> {
    if (now - (this.keptAt.get(tenant) ?? 0) < keepEveryMs) return
    await Promise.all([...open.values()].map((batch) => this.batchPorts.batches.keep(batch)))
    this.keptAt.set(tenant, now)
  }

  private async lookAtRunning(tenant: string, open: Open, now: number): Promise<Line[]> {
    const lines = within(open, await this.batchPorts.batches.running(tenant))
    const toAsk = await this.note(lines, now, async ({ of, line, asked }, status) => {
      const parked = { to: 'parked', at: now + parkedLeastMs, through: runIdOf(of, line) } as const
      if (status === 'parked') await this.batchPorts.batches.move(of, line, parked)
      return !asked && status !== 'parked'
    })
    return lines.filter((_, n) => toAsk[n])
  }

  private async lookAtParked(tenant: string, open: Open, now: number): Promise<void> {
    const { batches } = this.batchPorts
    const isCancelling = [...open.values()].some(({ status }) => status === 'cancelling')
    const { due, all } = isCancelling
      ? await batches.parked(tenant, Infinity, cancelledAtOnce)
      : await batches.parked(tenant, now, parkedPerSecond)
    const again = now + Math.max(parkedLeastMs, (all / parkedPerSecond) * 1_000)
    await this.note(within(open, due), now, async (line, status) => {
      if (status === 'parked') await batches.lookAgain(tenant, line, again)
      else await batches.move(line.of, line.line, { to: 'running', at: now })
      return false
    })
  }

  private async note(
    lines: Line[],
    at: number,
    ifOpen: (line: Line, status: RunStatus | null) => Promise<boolean>,
  ): Promise<boolean[]> {
    const { batches } = this.batchPorts
    const statuses = await batches.statuses(lines.map(({ of, line }) => runIdOf(of, line)))
    return Promise.all(
      lines.map(async (one, n) => {
        const { of, line, asked } = one
        const status = statuses[n] ?? null
        const isCancelled = of.status === 'cancelling'
        const neverAsked = status === null && !asked
        const end = status === null ? (asked ? 'failed' : 'cancelled') : endOf(status)
        if (end === null && isCancelled) await this.lineAsks.cancel(of, line)
        else if (end === null || (neverAsked && !isCancelled)) return ifOpen(one, status)
        else {
          const [kept] = await batches.lines(of, [line])
          const became = status ?? (asked ? 'gone' : 'cancelled')
          const left = { custom_id: kept?.custom_id ?? `${line}`, status: became }
          await batches.move(of, line, { to: end, at, kept: left, through: runIdOf(of, line) })
        }
        return false
      }),
    )
  }

  private async askNext(tenant: string, open: Open, taken: Line[], now: number): Promise<void> {
    const { batches } = this.batchPorts
    let wait: Wait | null = null
    for (const batch of open.values()) {
      const lines = taken.flatMap(({ of, line }) => (of === batch ? [line] : []))
      if (!wait && lines.length > 0) wait = await this.lineAsks.ask(batch, lines, now)
    }
    for (const batch of open.values()) {
      if (wait) break
      const lines = await batches.claim(batch, this.admission.shareOfBatches(tenant))
      if (lines.length > 0) wait = await this.lineAsks.ask(batch, lines, now)
    }
    this.waiting.set(tenant, now + (wait?.ms ?? 0))
    const changed = [...open.values()].filter(({ waitsFor }) => waitsFor !== wait?.why)
    await Promise.all(changed.map((batch) => batches.noteWait(batch, wait?.why ?? '')))
  }

  private async end(tenant: string, open: Open, now: number): Promise<void> {
    const { batches } = this.batchPorts
    await Promise.all(
      [...open.keys()].map(async (id) => {
        const batch = await batches.one(tenant, id)
        if (!batch) return
        const { waiting, running, parked } = batch.counts
        if (waiting + running + parked === 0) await batches.end(batch, now)
      }),
    )
  }
}
