import { Module, type DynamicModule } from '@nestjs/common'
import { BullModule } from '@nestjs/bullmq'
import { queuePrefix } from '@plumbline/adapters/bullmq'
import type { RedisClient } from '@plumbline/adapters/redis'
import { laneProcessor, servedToken, type Served } from './lane-processor'

/**
 * A BullMQ worker takes jobs one by one until it is full or the queue is empty, and only then starts the first: one of many
 * slots would keep a burst waiting. Each has a connection of its own to wait on.
 */
const slotsPerWorker = 8
const mostWorkers = 10

/** The slots of a queue in a lane, as its workers share them. */
const shares = (slots: number): number[] => {
  const workers = Math.min(Math.ceil(slots / slotsPerWorker), mostWorkers)
  return Array.from({ length: workers }, (_, n) => Math.floor((slots + n) / workers))
}

/** One queue, served in every lane. */
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
 * Connections are configured per lane. Workers register no queue: a worker would take its connection from it, the
 * fail-fast one included. The empty registration brings what finds the processors.
 */
@Module({})
export class RootModule {
  static of(lanes: string[], connection: RedisClient, consumers: DynamicModule[]): DynamicModule {
    const configured = lanes.map((lane) => BullModule.forRoot(lane, { connection, prefix: queuePrefix(lane) }))
    return { module: RootModule, imports: [...configured, BullModule.registerQueue(), ...consumers] }
  }
}
