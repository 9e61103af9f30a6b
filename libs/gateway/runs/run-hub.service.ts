import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import type { RedisClient } from '@plumbline/adapters/redis'
import type { Log } from '@plumbline/platform/log'
import type { RunStore } from '@plumbline/ports/run-store'
import { openHub, type Hub, type Listener } from '../events/hub'
import { LOG, REDIS, STORE } from '../ports'

/** Wakes whoever waits for a run when it moves. */
@Injectable()
export class RunHub implements OnModuleInit, OnApplicationShutdown {
  private readonly hub: Hub

  constructor(@Inject(STORE) store: RunStore, @Inject(REDIS) redis: RedisClient, @Inject(LOG) log: Log) {
    this.hub = openHub({ subscribe: (listener) => store.subscribe(listener), redis, log })
  }

  onModuleInit(): Promise<void> {
    return this.hub.start()
  }

  onApplicationShutdown(): Promise<void> {
    return this.hub.stop()
  }

  listen(runId: string): Listener {
    return this.hub.listen(runId)
  }
}
