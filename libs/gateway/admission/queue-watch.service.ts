import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import { stages } from '@plumbline/flow'
import { LRUCache } from 'lru-cache'
import { repeat } from '@plumbline/platform'
import type { WaitingRun } from '@plumbline/ports/job-queue'
import { Common, RunPorts, withGatewayTimeout } from '../ports'

const everyMs = 2_000
/** The number of jobs read from the front of a queue. Tenants alternate there, so most waiting tenants are included. */
const nextJobs = 25

@Injectable()
export class QueueWatch implements OnModuleInit, OnApplicationShutdown {
  private longest = new Map<string, number>()
  private oldest = 0
  private readonly known = new LRUCache<string, { tenant: string; isBatch: boolean }>({ max: 2_000 })
  private watch: { stop(): Promise<void> } | undefined

  constructor(
    private readonly common: Common,
    private readonly runPorts: RunPorts,
  ) {}

  onModuleInit(): void {
    this.watch = repeat(
      everyMs,
      () => this.look(),
      (error) =>
        this.common.log.warn(
          { err: error },
          'queue age not checked: new questions are accepted even if the queue is too long',
        ),
    )
  }

  async onApplicationShutdown(): Promise<void> {
    await this.watch?.stop()
  }

  /** How long the oldest waiting question has waited. Questions of batches do not count, because they may wait. */
  get oldestInteractiveMs(): number {
    return this.oldest
  }

  get longestByTenant(): ReadonlyMap<string, number> {
    return this.longest
  }

  async look(): Promise<void> {
    const { queue } = this.runPorts
    const { settings } = this.common
    try {
      const waiting = await withGatewayTimeout(() =>
        Promise.all(settings.lanes.flatMap((lane) => stages.map((stage) => queue.next(lane, stage, nextJobs)))),
      )
      const waits = new Map<string, number>()
      for (const { runId, waitedMs } of waiting.flat())
        if (waitedMs >= everyMs) waits.set(runId, Math.max(waits.get(runId) ?? 0, waitedMs))
      await this.learn([...waits.keys()].filter((id) => !this.known.has(id)))
      this.note(waits)
    } catch (error) {
      this.longest = new Map()
      this.oldest = 0
      throw error
    }
  }

  /** Tenant and class never change, so each run is loaded only once. */
  private async learn(runIds: string[]): Promise<void> {
    if (runIds.length === 0) return
    for (const run of await this.runPorts.store.loadMany(runIds))
      if (run) this.known.set(run.id, { tenant: run.tenant, isBatch: run.class === 'batch' })
  }

  private note(waits: Map<WaitingRun['runId'], number>): void {
    const longest = new Map<string, number>()
    let oldest = 0
    for (const [runId, ms] of waits) {
      const run = this.known.get(runId)
      if (!run) continue
      longest.set(run.tenant, Math.max(longest.get(run.tenant) ?? 0, ms))
      if (!run.isBatch) oldest = Math.max(oldest, ms)
    }
    this.longest = longest
    this.oldest = oldest
  }
}
