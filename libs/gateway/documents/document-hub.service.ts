import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import { openDocumentChannel, type RedisClient } from '@plumbline/adapters/redis'
import type { Log } from '@plumbline/platform/log'
import { openHub, type Hub, type Listener } from '../events/hub'
import { LOG, REDIS } from '../ports'

/** Wakes whoever waits for a document when it has come further. */
@Injectable()
export class DocumentHub implements OnModuleInit, OnApplicationShutdown {
  private readonly channel: ReturnType<typeof openDocumentChannel>
  private readonly hub: Hub

  constructor(@Inject(REDIS) redis: RedisClient, @Inject(LOG) log: Log) {
    this.channel = openDocumentChannel(redis)
    this.hub = openHub({ subscribe: (listener) => this.channel.subscribe(listener), redis, log })
  }

  onModuleInit(): Promise<void> {
    return this.hub.start()
  }

  async onApplicationShutdown(): Promise<void> {
    await this.hub.stop()
    await this.channel.close()
  }

  listen(documentId: string): Listener {
    return this.hub.listen(documentId)
  }
}
