import { Module, type DynamicModule } from '@nestjs/common'
import { BullModule } from '@nestjs/bullmq'
import { queuePrefix } from '@plumbline/adapters/bullmq'
import type { RedisClient } from '@plumbline/adapters/redis'
import { laneProcessor, servedToken, type Served } from './lane-processor'

/** One queue, served in every lane. */
@Module({})
export class ConsumerModule {
  static of(queue: string, lanes: string[], served: Served): DynamicModule {
    return {
      module: ConsumerModule,
      providers: [{ provide: servedToken(queue), useValue: served }, ...lanes.map((lane) => laneProcessor(queue, lane))],
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
