import { Injectable } from '@nestjs/common'
import { ScaledQueue, type ScalerView } from '@plumbline/contracts'
import { rowNames } from '@plumbline/hosting/health/history'
import { type Depth, type QueueName, workIn } from '@plumbline/ports/job-queue'
import { QueueWatch } from '../admission/queue-watch.service'
import { isUnavailable } from '../http/problem'
import { Common, RunPorts, OpsPorts, withGatewayTimeout } from '../ports'
import { doneCount } from './history'
import { Metrics } from './metrics.service'

type InLane = Depth & { lane: string }
type InAll = Omit<Depth, 'paused'> & { paused: boolean; jobs: number }

const drainOverMs = 2 * 60_000

export const longest = (times: (number | null)[]): number | null =>
  times.reduce((most, ms) => (ms === null ? most : Math.max(most ?? 0, ms)), null)

const inAll = (lanes: InLane[]): InAll => {
  const sum = (of: (depth: Depth) => number): number => lanes.reduce((all, depth) => all + of(depth), 0)
  return {
    waiting: sum(({ waiting }) => waiting),
    active: sum(({ active }) => active),
    delayed: sum(({ delayed }) => delayed),
    due: sum(({ due }) => due),
    paused: lanes.some(({ paused }) => paused),
    oldestMs: longest(lanes.map(({ oldestMs }) => oldestMs)),
    jobs: sum(workIn),
  }
}

@Injectable()
export class QueueDepths {
  constructor(
    private readonly common: Common,
    private readonly runPorts: RunPorts,
    private readonly opsPorts: OpsPorts,
    private readonly metrics: Metrics,
    private readonly watch: QueueWatch,
  ) {}

  lanesOf(queue: QueueName): string[] {
    const { lanes } = this.common.settings
    return queue === 'ingest' || queue === 'webhook' ? lanes.slice(0, 1) : lanes
  }

  async of(queue: QueueName): Promise<InAll> {
    return inAll(await this.byLane(queue))
  }

  async scaler(queue: ScaledQueue): Promise<ScalerView> {
    const now = Date.now()
    const [{ jobs, waiting, active, due, paused, oldestMs }, done] = await withGatewayTimeout(() =>
      Promise.all([this.of(queue), this.opsPorts.history.ofRow(rowNames.stage(queue), now - drainOverMs, now)]),
    )
    const drainPerSecond = done.counts.reduce((sum, counts) => sum + doneCount(counts), 0) / (done.sinceMs / 1_000)
    return { queue, jobs, waiting, active, due, paused, oldestSeconds: (oldestMs ?? 0) / 1_000, drainPerSecond }
  }

  /**
   * Updates the gauges. Removes gauges with values from the store while the store is unavailable, because old values
   * would mislead.
   */
  async read(): Promise<void> {
    const { tenantWaits, jobs, oldest, parked, scaler, memory } = this.metrics
    tenantWaits.reset()
    for (const [tenant, ms] of this.watch.longestByTenant) tenantWaits.set({ tenant }, ms / 1_000)
    try {
      await withGatewayTimeout(() =>
        Promise.all([
          ...ScaledQueue.options.map((queue) => this.readQueue(queue)),
          this.readParked(),
          this.readMemory(),
        ]),
      )
    } catch (error) {
      if (!isUnavailable(error)) throw error
      for (const gauge of [jobs, oldest, parked, scaler, memory]) gauge.reset()
    }
  }

  private byLane(queue: QueueName): Promise<InLane[]> {
    return Promise.all(
      this.lanesOf(queue).map(async (lane) => ({ lane, ...(await this.runPorts.queue.depth(lane, queue)) })),
    )
  }

  private async readQueue(queue: ScaledQueue): Promise<void> {
    const lanes = await this.byLane(queue)
    for (const { lane, waiting, active, delayed, oldestMs } of lanes) {
      for (const [state, count] of Object.entries({ waiting, active, delayed }))
        this.metrics.jobs.set({ lane, queue, state }, count)
      this.metrics.oldest.set({ lane, queue }, (oldestMs ?? 0) / 1_000)
    }
    this.metrics.scaler.set({ queue }, inAll(lanes).jobs)
  }

  private async readParked(): Promise<void> {
    for (const { lane, waiting, oldestMs } of await this.byLane('review')) {
      this.metrics.parked.set({ lane }, waiting)
      this.metrics.oldest.set({ lane, queue: 'review' }, (oldestMs ?? 0) / 1_000)
    }
  }

  private async readMemory(): Promise<void> {
    const { used, most } = await this.opsPorts.storeUsage.memory()
    this.metrics.memory.set({ of: 'used' }, used)
    this.metrics.memory.set({ of: 'max' }, most)
  }
}
