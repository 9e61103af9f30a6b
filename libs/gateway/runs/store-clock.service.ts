import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import { RunPorts } from '../ports'

const everyMs = 1_000

@Injectable()
export class StoreClock implements OnModuleInit, OnApplicationShutdown {
  private offMs = 0
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly runPorts: RunPorts) {}

  async onModuleInit(): Promise<void> {
    await this.set()
    this.timer = setInterval(() => void this.set(), everyMs).unref()
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer)
  }

  now(): number {
    return Date.now() + this.offMs
  }

  // While the store is unavailable, the last known offset stays in use.
  private async set(): Promise<void> {
    const before = Date.now()
    const now = await this.runPorts.store.now().catch(() => undefined)
    if (now !== undefined) this.offMs = Math.round(now - (before + Date.now()) / 2)
  }
}
