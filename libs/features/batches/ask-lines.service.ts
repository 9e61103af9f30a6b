import { Injectable } from '@nestjs/common'
import type { Batch, KeptLine } from './store/batch'
import { DelegatedCallers } from '@plumbline/gateway/admission/delegated-caller.service'
import { type Wait, waitOf } from '@plumbline/gateway/admission/wait'
import { refusalOf } from '@plumbline/gateway/http/problem'
import { newId } from '@plumbline/gateway/http/request-values'
import { Common } from '@plumbline/gateway/ports'
import { BatchPorts } from './batch-ports'
import { Asks } from '@plumbline/gateway/runs/ask.service'
import { Runs } from '@plumbline/gateway/runs/runs.service'

/** This limit is high, because a question of a batch may wait much longer than an interactive question. */
const longestDeadlineMs = 3_600_000

/** The key contains spaces. Clients cannot send a key with spaces, so no client can create the run of a line first. */
const keyOf = (batch: string, line: number): string => `batch ${batch} ${line}`
export const runIdOf = ({ tenant, id }: Pick<Batch, 'tenant' | 'id'>, line: number): string =>
  newId('r', tenant, keyOf(id, line))

/**
 * Asks the questions of a batch, one question per line. A run's id is derived from its batch and line, so asking a line
 * twice creates only one run.
 */
@Injectable()
export class LineAsks {
  constructor(
    private readonly common: Common,
    private readonly batchPorts: BatchPorts,
    private readonly asks: Asks,
    private readonly runs: Runs,
    private readonly askers: DelegatedCallers,
  ) {}

  async ask(batch: Batch, lines: number[], at: number): Promise<Wait | null> {
    const kept = await this.batchPorts.batches.lines(batch, lines)
    const waits = await Promise.all(
      lines.map((line, n) => this.askOne(batch, line, kept[n] ?? { custom_id: `${line}` }, at)),
    )
    return waits.reduce((longest, wait) => (wait && wait.ms > (longest?.ms ?? 0) ? wait : longest), null)
  }

  cancel({ tenant, id, asker }: Batch, line: number): Promise<void> {
    const caller = { tenant, name: asker.name, roles: new Set<never>(), access: 'all' as const }
    return this.runs.giveUp(caller, runIdOf({ tenant, id }, line))
  }

  private async askOne(batch: Batch, line: number, { custom_id, ask }: KeptLine, at: number): Promise<Wait | null> {
    const { batches } = this.batchPorts
    const { log } = this.common
    const { tenant, id } = batch
    try {
      if (!ask) throw new Error(`line ${line} of ${id} has no question`)
      const caller = await this.askers.now(tenant, batch.asker)
      await this.asks.ask(caller, { deadlineMs: longestDeadlineMs, ...ask, class: 'batch' }, keyOf(id, line))
      const isNoted = await batches.move(batch, line, { to: 'running', at, kept: { custom_id } })
      // If the batch was cancelled in the meantime, the new run of this line must be cancelled too.
      if (!isNoted && (await batches.one(tenant, id))?.status !== 'running') await this.cancel(batch, line)
      return null
    } catch (error) {
      const refusal = refusalOf(error)
      const { problem } = refusal
      const wait = waitOf(refusal)
      if (wait) return wait
      if (problem.status >= 500) log.warn({ err: error, batch: id, line }, 'batch line failed')
      const kept = { custom_id, status: 'refused', error: problem }
      await batches.move(batch, line, { to: 'failed', at, kept, through: runIdOf(batch, line) })
      return null
    }
  }
}
