import { Inject, Injectable } from '@nestjs/common'
import { Counter, Gauge } from 'prom-client'
import { stages } from '@plumbline/flow'
import type { Depth } from '@plumbline/ports/job-queue'
import { QueueWatch } from '../admission/queue-watch.service'
import { isAway } from '../http/problem'
import { PORTS, promptly, type GatewayPorts } from '../ports'

@Injectable()
export class Metrics {
  readonly asks: Counter<'policy'>
  readonly feedback: Counter<'useful'>
  readonly streams: Gauge
  readonly jobs: Gauge<'lane' | 'queue' | 'state'>
  readonly oldest: Gauge<'lane' | 'queue'>
  readonly parked: Gauge<'lane'>
  readonly tenantWaits: Gauge<'tenant'>

  constructor(@Inject(PORTS) { registry }: GatewayPorts) {
    const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
      new Gauge({ name, help, labelNames, registers: [registry] })
    const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
      new Counter({ name, help, labelNames, registers: [registry] })
    this.asks = counter('plumbline_asks_total', 'Questions taken in, by policy.', 'policy')
    this.feedback = counter('plumbline_feedback_total', 'What askers said of answers.', 'useful')
    this.streams = gauge('plumbline_streams', 'Open event streams.')
    this.jobs = gauge('plumbline_queue_jobs', 'Jobs by lane, queue and state.', 'lane', 'queue', 'state')
    this.oldest = gauge('plumbline_queue_oldest_seconds', 'Age of the oldest waiting job.', 'lane', 'queue')
    this.tenantWaits = gauge(
      'plumbline_tenant_longest_wait_seconds',
      'How long the oldest waiting job of a tenant has waited.',
      'tenant',
    )
    this.parked = gauge('plumbline_parked_runs', 'Runs that wait for a decision.', 'lane')
  }
}

@Injectable()
export class QueueDepths {
  constructor(
    @Inject(PORTS) private readonly ports: GatewayPorts,
    private readonly metrics: Metrics,
    private readonly watch: QueueWatch,
  ) {}

  /** Reads the queues into their gauges; while the store is away the last figures go, for old ones would mislead. */
  async read(): Promise<void> {
    this.metrics.tenantWaits.reset()
    for (const [tenant, ms] of this.watch.longestByTenant) this.metrics.tenantWaits.set({ tenant }, ms / 1_000)
    try {
      await promptly(() =>
        Promise.all([
          this.readIngest(),
          ...this.ports.settings.lanes.flatMap((lane) => [
            ...stages.map((stage) => this.readStage(lane, stage)),
            this.readParked(lane),
          ]),
        ]),
      )
    } catch (error) {
      if (!isAway(error)) throw error
      const { jobs, oldest, parked } = this.metrics
      for (const gauge of [jobs, oldest, parked]) gauge.reset()
    }
  }

  private async readStage(lane: string, queue: (typeof stages)[number]): Promise<void> {
    const depth = await this.ports.queue.depth(lane, queue)
    this.setJobs(lane, queue, depth)
    this.metrics.oldest.set({ lane, queue }, (depth.oldestMs ?? 0) / 1_000)
  }

  // Tenants take turns there, so the first in line is not the oldest.
  private async readIngest(): Promise<void> {
    this.setJobs(this.ports.settings.lanes[0] ?? 'main', 'ingest', await this.ports.ingest.depth())
  }

  private setJobs(lane: string, queue: string, { waiting, active, delayed }: Depth): void {
    for (const [state, count] of Object.entries({ waiting, active, delayed }))
      this.metrics.jobs.set({ lane, queue, state }, count)
  }

  private async readParked(lane: string): Promise<void> {
    const { waiting, oldestMs } = await this.ports.queue.depth(lane, 'review')
    this.metrics.parked.set({ lane }, waiting)
    this.metrics.oldest.set({ lane, queue: 'review' }, (oldestMs ?? 0) / 1_000)
  }
}
