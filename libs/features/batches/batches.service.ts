import { createHash, randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { Batch } from './store/batch'
import type { BatchList, BatchResult, BatchView } from '@plumbline/contracts'
import type { Caller } from '@plumbline/gateway/http/authenticate'
import { coversAccess } from '@plumbline/gateway/http/caller'
import { notFound, Refusal } from '@plumbline/gateway/http/problem'
import { newId } from '@plumbline/gateway/http/request-values'
import { DelegatedCallers } from '@plumbline/gateway/admission/delegated-caller.service'
import { RunPorts, withGatewayTimeout } from '@plumbline/gateway/ports'
import { BatchPorts } from './batch-ports'
import { iso } from '@plumbline/gateway/present/answer'
import { type Reader, Runs } from '@plumbline/gateway/runs/runs.service'
import { runIdOf } from './ask-lines.service'
import { readLines } from './read-lines'

const perPiece = 50

/** Returns whether the reader has all access tags of the caller who sent the batch. */
const mayRead = ({ access }: Reader, { asker }: Batch): boolean => coversAccess(access, asker.access)

@Injectable()
export class Batches {
  constructor(
    private readonly runPorts: RunPorts,
    private readonly batchPorts: BatchPorts,
    private readonly askers: DelegatedCallers,
    private readonly runs: Runs,
  ) {}

  async create(caller: Caller, body: Buffer, key: string | undefined): Promise<BatchView> {
    const { tenant } = caller
    const lines = await readLines(caller, body)
    const batch = {
      id: newId('b', tenant, key),
      tenant,
      asker: this.askers.keep(caller),
      total: lines.length,
      lines: randomUUID(),
      createdAt: Date.now(),
    }
    const hash = createHash('sha256').update(body).digest('base64url')
    const made = await this.batchPorts.batches.create(batch, hash, lines)
    if (made === 'conflict')
      throw new Refusal('idempotency-key-reused', 'Send the same lines again, or use a new Idempotency-Key.')
    if (made === 'too-many')
      throw new Refusal(
        'too-many-batches',
        'Your tenant has reached its limit of batches in progress. Wait until one of them has ended, or cancel one. Then send this batch again.',
      )
    return this.view(caller, batch.id)
  }

  async list(caller: Caller, { cursor, limit }: { cursor?: string | undefined; limit: number }): Promise<BatchList> {
    const wanted = (batch: Batch): boolean => mayRead(caller, batch)
    const page = { ...(cursor !== undefined && { cursor }), limit, wanted }
    const { batches, next } = await withGatewayTimeout(() => this.batchPorts.batches.list(caller.tenant, page))
    return { items: batches.map((batch) => this.viewOf(batch)), next }
  }

  async view(caller: Reader, id: string): Promise<BatchView> {
    return this.viewOf(await this.get(caller, id))
  }

  async cancel(caller: Caller, id: string): Promise<BatchView> {
    const { tenant, status } = await this.get(caller, id)
    if (status === 'finished') throw new Refusal('batch-ended', 'The batch has ended; there is nothing left to cancel.')
    await withGatewayTimeout(() => this.batchPorts.batches.cancel(tenant, id))
    return this.view(caller, id)
  }

  async *results(caller: Reader, id: string): AsyncGenerator<string> {
    const batch = await this.get(caller, id)
    for (let first = 1; first <= batch.total; first += perPiece) {
      const numbers = Array.from({ length: Math.min(perPiece, batch.total - first + 1) }, (_, n) => first + n)
      const found = await this.resultsOf(batch, numbers)
      yield found.map((result) => `${JSON.stringify(result)}\n`).join('')
    }
  }

  private async resultsOf(batch: Batch, numbers: number[]): Promise<BatchResult[]> {
    const { batches } = this.batchPorts
    const { store } = this.runPorts
    const kept = await batches.lines(batch, numbers)
    const runs = await store.loadMany(numbers.map((line) => runIdOf(batch, line)))
    return Promise.all(
      numbers.map(async (line, n) => {
        const { custom_id = `${line}`, status, error } = kept[n] ?? {}
        const run = runs[n]
        if (run) {
          const { id: runId, status, reason, answer, nearest, grounding } = await this.runs.view(run, 'asker')
          return { custom_id, line, status, runId, reason, answer, nearest, grounding }
        }
        if (status === 'refused') return { custom_id, line, status, error }
        if (status !== undefined && status !== 'cancelled') return { custom_id, line, status: 'gone' as const }
        const isCancelled = status === 'cancelled' || line >= (batch.cancelledFrom ?? Infinity)
        return { custom_id, line, status: isCancelled ? ('cancelled' as const) : ('waiting' as const) }
      }),
    )
  }

  private async get(caller: Reader, id: string): Promise<Batch> {
    const batch = await withGatewayTimeout(() => this.batchPorts.batches.one(caller.tenant, id))
    if (!batch || !mayRead(caller, batch)) throw notFound('batch')
    return batch
  }

  private viewOf({ id, status, total, counts, waitsFor, createdAt, endedAt, firstEndedAt }: Batch): BatchView {
    return {
      id,
      status,
      progress: { total, ...counts },
      ...(waitsFor !== undefined && { waitsFor }),
      createdAt: iso(createdAt),
      ...(endedAt !== undefined && { endedAt: iso(endedAt) }),
      ...(firstEndedAt !== undefined && { resultsUntil: iso(firstEndedAt + this.batchPorts.batches.retentionMs) }),
    }
  }
}
