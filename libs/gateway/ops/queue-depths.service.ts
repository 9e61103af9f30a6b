import { Inject, Injectable } from '@nestjs/common'
import type { IngestQueue } from '@plumbline/adapters/bullmq'
import { stages } from '@plumbline/flow'
import type { Depth, JobQueue } from '@plumbline/ports/job-queue'
import { isAway } from '../door/translate'
import { INGEST, JOBS, SETTINGS } from '../ports'
import type { Settings } from '../settings'
import { promptly } from '../promptly'
import { Metrics } from './metrics.service'

@Injectable()
export class QueueDepths {
  constructor(
    @Inject(JOBS) private readonly queue: JobQueue,
    @Inject(INGEST) private readonly ingest: IngestQueue,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly metrics: Metrics,
  ) {}

  /** Reads the queues into their gauges; while the store is away the last figures go, for old ones would mislead. */
  async read(): Promise<void> {
    try {
      await promptly(() =>
        Promise.all([
          this.readIngest(),
          ...this.settings.lanes.flatMap((lane) => [
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
    const depth = await this.queue.depth(lane, queue)
    this.setJobs(lane, queue, depth)
    this.metrics.oldest.set({ lane, queue }, (depth.oldestMs ?? 0) / 1_000)
  }

  // Tenants take turns there, so the first in line is not the oldest.
  private async readIngest(): Promise<void> {
    this.setJobs(this.settings.lanes[0] ?? 'main', 'ingest', await this.ingest.depth())
  }

  private setJobs(lane: string, queue: string, { waiting, active, delayed }: Depth): void {
    for (const [state, count] of Object.entries({ waiting, active, delayed }))
      this.metrics.jobs.set({ lane, queue, state }, count)
  }

  private async readParked(lane: string): Promise<void> {
    const { waiting, oldestMs } = await this.queue.depth(lane, 'review')
    this.metrics.parked.set({ lane }, waiting)
    this.metrics.oldest.set({ lane, queue: 'review' }, (oldestMs ?? 0) / 1_000)
  }
}
