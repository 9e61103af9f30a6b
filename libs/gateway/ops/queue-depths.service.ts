import { Inject, Injectable } from '@nestjs/common'
import { stages } from '@plumbline/flow'
import type { JobQueue } from '@plumbline/ports/job-queue'
import { isAway } from '../door/translate'
import { JOBS, SETTINGS } from '../ports'
import type { Settings } from '../settings'
import { promptly } from '../promptly'
import { Metrics } from './metrics.service'

@Injectable()
export class QueueDepths {
  constructor(
    @Inject(JOBS) private readonly queue: JobQueue,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly metrics: Metrics,
  ) {}

  /** Reads the queues into their gauges; while the store is away the last figures go, for old ones would mislead. */
  async read(): Promise<void> {
    try {
      await promptly(() =>
        Promise.all(
          this.settings.lanes.flatMap((lane) => [...stages.map((stage) => this.readStage(lane, stage)), this.readParked(lane)]),
        ),
      )
    } catch (error) {
      if (!isAway(error)) throw error
      const { jobs, oldest, parked } = this.metrics
      for (const gauge of [jobs, oldest, parked]) gauge.reset()
    }
  }

  private async readStage(lane: string, queue: (typeof stages)[number]): Promise<void> {
    const { jobs, oldest } = this.metrics
    const { waiting, active, delayed, oldestMs } = await this.queue.depth(lane, queue)
    jobs.set({ lane, queue, state: 'waiting' }, waiting)
    jobs.set({ lane, queue, state: 'active' }, active)
    jobs.set({ lane, queue, state: 'delayed' }, delayed)
    oldest.set({ lane, queue }, (oldestMs ?? 0) / 1_000)
  }

  private async readParked(lane: string): Promise<void> {
    const { waiting, oldestMs } = await this.queue.depth(lane, 'review')
    this.metrics.parked.set({ lane }, waiting)
    this.metrics.oldest.set({ lane, queue: 'review' }, (oldestMs ?? 0) / 1_000)
  }
}
