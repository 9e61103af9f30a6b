import { BullModule, Processor, WorkerHost } from '@nestjs/bullmq'
import {
  type DynamicModule,
  Inject,
  type LoggerService,
  Module,
  type OnApplicationBootstrap,
  type Type,
} from '@nestjs/common'
import { DelayedError, type Job, WaitingError } from 'bullmq'
import { queuePrefix, workerOptions } from '@plumbline/adapters/bullmq/queues'
import type { RedisClient } from '@plumbline/adapters/redis/client/client'
import type { Log } from '@plumbline/platform'
import type { Delivery, Disposition } from '@plumbline/worker'
import { createLaneWorker, type LaneWorker } from './lane-worker'

/** Returns the run id and the task id of a job. If Redis has lost the job's data, reads them from the job's id. */
export const deliveryOf = ({ id = '', data }: Job<Partial<Delivery>>): Delivery => {
  const dot = id.indexOf('.')
  return { runId: data.runId ?? id.slice(0, dot), taskId: data.taskId ?? id.slice(dot + 1) }
}

/**
 * Tells BullMQ what happens to a job. For a job that is not done, this function throws the error that BullMQ expects.
 * If it returns, BullMQ marks the job as completed.
 */
export const settleJob = async (job: Job, token: string, disposition: Disposition): Promise<void> => {
  switch (disposition.kind) {
    case 'done':
      return
    case 'later':
      await job.moveToDelayed(Date.now() + Math.round(disposition.inMs), token)
      throw new DelayedError()
    case 'back':
      await job.moveToWait(token)
      throw new WaitingError()
  }
}

export type Consumer = { concurrency: number; handle(job: Job, token: string): Promise<void> }

export type Served = { consumer: Consumer; log: Log; workers: LaneWorker[] }
const servedToken = (queue: string): string => `plumbline:served:${queue}`

/** Creates the processor of one lane. `slots` cannot change later, because Nest reads the options only once. */
const laneProcessor = (queue: string, lane: string, slots: number): Type<WorkerHost> => {
  @Processor({ name: queue, configKey: lane }, workerOptions)
  class LaneProcessor extends WorkerHost implements OnApplicationBootstrap {
    private laneWorker: LaneWorker | undefined
    constructor(@Inject(servedToken(queue)) private readonly served: Served) {
      super()
    }

    onApplicationBootstrap(): void {
      const { log, workers } = this.served
      this.laneWorker = createLaneWorker(this.worker, lane, slots, log)
      workers.push(this.laneWorker)
    }

    override async process(job: Job, token = ''): Promise<void> {
      this.laneWorker?.took()
      try {
        await this.served.consumer.handle(job, token)
      } finally {
        this.laneWorker?.gave()
      }
    }
  }
  return LaneProcessor
}

/**
 * A BullMQ worker starts its first job only after it has tried to fill all its slots. Several small workers therefore
 * start jobs sooner than a large one.
 */
const slotsPerWorker = 8
const mostWorkers = 10

const shares = (slots: number): number[] => {
  const workers = Math.min(Math.ceil(slots / slotsPerWorker), mostWorkers)
  return Array.from({ length: workers }, (_, n) => Math.floor((slots + n) / workers))
}

@Module({})
export class ConsumerModule {
  static of(queue: string, lanes: string[], served: Served): DynamicModule {
    return {
      module: ConsumerModule,
      providers: [
        { provide: servedToken(queue), useValue: served },
        ...lanes.flatMap((lane) =>
          shares(served.consumer.concurrency).map((slots) => laneProcessor(queue, lane, slots)),
        ),
      ],
    }
  }
}

/**
 * Registers no queue here, because a worker would use the connection of its queue, which fails at once if Redis is
 * unavailable. The empty `registerQueue()` only makes Nest search for processors.
 */
@Module({})
export class RootModule {
  static of(lanes: string[], connection: RedisClient, consumers: DynamicModule[]): DynamicModule {
    const configured = lanes.map((lane) => BullModule.forRoot(lane, { connection, prefix: queuePrefix(lane) }))
    return { module: RootModule, imports: [...configured, BullModule.registerQueue(), ...consumers] }
  }
}

const textOf = (message: unknown): string => (message instanceof Error ? message.message : String(message))

/** Logs Nest's messages about the start at the level `debug`, because they matter only if the start fails. */
export const nestLog = (log: Log): LoggerService => ({
  log: (message: unknown) => log.debug(textOf(message)),
  debug: (message: unknown) => log.debug(textOf(message)),
  verbose: (message: unknown) => log.debug(textOf(message)),
  warn: (message: unknown) => log.warn(textOf(message)),
  error: (message: unknown, ...rest: unknown[]) =>
    log.error({ err: message instanceof Error ? message : rest[0] }, textOf(message)),
  fatal: (message: unknown) => log.error(textOf(message)),
})
