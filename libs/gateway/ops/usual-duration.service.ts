import { Injectable } from '@nestjs/common'
import { OpsPorts, withGatewayTimeout } from '../ports'
import { historyOf } from './history'

const dayMs = 24 * 3_600_000
const readEveryMs = 60_000

@Injectable()
export class UsualDuration {
  private last: { at: number; ms: Promise<number | undefined> } | null = null

  constructor(private readonly opsPorts: OpsPorts) {}

  /**
   * Returns how long a question usually takes: the sum of the 95th percentiles of its stages in the last day, or
   * undefined if no task ran.
   */
  read(): Promise<number | undefined> {
    const now = Date.now()
    if (this.last === null || now - this.last.at > readEveryMs)
      this.last = { at: now, ms: this.sumOfStages(now).catch(() => undefined) }
    return this.last.ms
  }

  private async sumOfStages(to: number): Promise<number | undefined> {
    const from = to - dayMs
    const buckets = await withGatewayTimeout(() => this.opsPorts.history.read('hour', from, to))
    const { stages } = historyOf(buckets, { from, to, stepMs: dayMs, withStages: true })
    const times = stages.flatMap(({ stage, p95Ms }) => (stage === 'ingest' || p95Ms === null ? [] : [p95Ms]))
    return times.length === 0 ? undefined : times.reduce((sum, ms) => sum + ms, 0)
  }
}
