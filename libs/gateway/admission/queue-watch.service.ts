import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import { stages } from '@plumbline/flow'
import { repeat } from '@plumbline/platform'
import type { Waiting } from '@plumbline/ports/job-queue'
import { PORTS, promptly, type GatewayPorts } from '../ports'

const everyMs = 2_000
/** Every tenant that waits has its oldest job among the next ones of a queue. */
const nextJobs = 25

/** Who waits in the queues, and for how long, as it was a few seconds ago at most. */
@Injectable()
export class QueueWatch implements OnModuleInit, OnApplicationShutdown {
  private longest = new Map<string, number>()
  private oldest = 0
  private watch: { stop(): Promise<void> } | undefined

  constructor(@Inject(PORTS) private readonly ports: GatewayPorts) {}

  onModuleInit(): void {
    this.watch = repeat(
      everyMs,
      () => this.look(),
      (error) =>
        this.ports.log.warn({ err: error }, 'the queues cannot be looked at; asks are not refused for their age'),
    )
  }

  async onApplicationShutdown(): Promise<void> {
    await this.watch?.stop()
  }

  /** A batch may wait: it is not counted. */
  get oldestInteractiveMs(): number {
    return this.oldest
  }

  get longestByTenant(): ReadonlyMap<string, number> {
    return this.longest
  }

  async look(): Promise<void> {
    const { queue, store, settings } = this.ports
    try {
      const waiting = await promptly(() =>
        Promise.all(settings.lanes.flatMap((lane) => stages.map((stage) => queue.next(lane, stage, nextJobs)))),
      )
      const waits = new Map<string, number>()
      for (const { runId, waitedMs } of waiting.flat()) waits.set(runId, Math.max(waits.get(runId) ?? 0, waitedMs))
      await this.note(waits, waits.size > 0 ? await store.loadMany([...waits.keys()]) : [])
    } catch (error) {
      this.longest = new Map()
      this.oldest = 0
      throw error
    }
  }

  private async note(
    waits: Map<Waiting['runId'], number>,
    runs: Awaited<ReturnType<GatewayPorts['store']['loadMany']>>,
  ) {
    const longest = new Map<string, number>()
    let oldest = 0
    for (const run of runs) {
      if (!run) continue
      const ms = waits.get(run.id) ?? 0
      longest.set(run.tenant, Math.max(longest.get(run.tenant) ?? 0, ms))
      if (run.class !== 'batch') oldest = Math.max(oldest, ms)
    }
    this.longest = longest
    this.oldest = oldest
  }
}
