import { Inject, type OnApplicationBootstrap, type Type } from '@nestjs/common'
import { Processor, WorkerHost } from '@nestjs/bullmq'
import type { Job } from 'bullmq'
import { workerOptions } from '@plumbline/adapters/bullmq'
import type { Log } from '@plumbline/platform'
import { createLine, type Line } from './line'
import type { Consumer } from './wiring'

/** A consumer as Nest hands it to the processors of its queue, one per lane. */
export type Served = { consumer: Consumer; log: Log; lines: Line[] }
export const servedToken = (queue: string): string => `plumbline:served:${queue}`

/** A processor of one queue in one lane, one of several where slots are many; its options are static, so the concurrency is set when it starts. */
export const laneProcessor = (queue: string, lane: string, slots: number): Type<WorkerHost> => {
  @Processor({ name: queue, configKey: lane }, workerOptions)
  class LaneProcessor extends WorkerHost implements OnApplicationBootstrap {
    private line: Line | undefined
    constructor(@Inject(servedToken(queue)) private readonly served: Served) {
      super()
    }

    onApplicationBootstrap(): void {
      const { log, lines } = this.served
      this.line = createLine(this.worker, lane, slots, log)
      lines.push(this.line)
    }

    override async process(job: Job, token = ''): Promise<void> {
      this.line?.took()
      try {
        await this.served.consumer.handle(job, token)
      } finally {
        this.line?.gave()
      }
    }
  }
  return LaneProcessor
}
