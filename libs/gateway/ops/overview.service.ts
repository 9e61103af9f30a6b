import { Injectable } from '@nestjs/common'
import type { Bucket } from '@plumbline/adapters/redis/ops/history'
import type { Fault } from '@plumbline/adapters/redis/ops/recent-activity'
import { OpsStage, type ModelNow, type OpsOverview, type RunCounts, type StageNow } from '@plumbline/contracts'
import { DocumentOrigins } from '../feature'
import { Common, OpsPorts, withGatewayTimeout } from '../ports'
import { historyOf, modelsOf } from './history'
import { longest, QueueDepths } from './queue-depths.service'

const hourMs = 3_600_000
const nowMs = 5 * 60_000
const mostTenants = 100
/** The pause between two reads of the failing sources is long, because each tenant needs a separate read. */
const sourcesEveryMs = 15_000

type FailingSources = NonNullable<OpsOverview['sourcesFailing']>

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((all, each) => all + each, 0)

@Injectable()
export class Overviews {
  private sources: { readAt: number; failing: FailingSources } = { readAt: 0, failing: [] }

  constructor(
    private readonly depths: QueueDepths,
    private readonly common: Common,
    private readonly opsPorts: OpsPorts,
    private readonly origins: DocumentOrigins,
  ) {}

  async read(): Promise<OpsOverview> {
    const { storeUsage, history, deskLoad } = this.opsPorts
    const { settings } = this.common
    const now = Date.now()
    const tenants = await withGatewayTimeout(() => history.tenants(mostTenants))
    const [memory, unfinished, held, buckets, faults, load, webhook, sourcesFailing] = await withGatewayTimeout(() =>
      Promise.all([
        storeUsage.memory(),
        storeUsage.unfinished(settings.lanes),
        this.depths.of('review'),
        history.read('minute', now - hourMs, now),
        history.faults(),
        deskLoad.read(tenants, now),
        this.depths.of('webhook'),
        this.failingSources(tenants, now),
      ]),
    )
    const full = memory.most > 0 && memory.used >= memory.most
    const { total, stages: past } = historyOf(buckets, {
      from: now - hourMs,
      to: now,
      stepMs: hourMs,
      withStages: true,
    })
    const stages = await this.stagesNow(buckets, past, now)
    return {
      at: new Date(now).toISOString(),
      accepting: !full,
      ...(full && { refusing: 'The store is full. Give Redis more memory, or shorten the retention of runs.' }),
      stages,
      held: { waiting: held.waiting, oldestMs: held.oldestMs },
      runs: { running: Math.max(0, unfinished - held.waiting), parked: held.waiting, ...total.ended },
      runsPerHour: sum(total.ended),
      p50Ms: total.p50Ms,
      p95Ms: total.p95Ms,
      oldestMs: longest(stages.map(({ oldestMs }) => oldestMs)),
      models: modelsNow(buckets, faults),
      degraded: total.degraded ?? 0,
      memory: { usedBytes: memory.used, mostBytes: memory.most },
      webhooks: { waiting: webhook.waiting, retrying: webhook.delayed, oldestMs: webhook.oldestMs },
      sourcesFailing,
      desk: { ...load, ...deskFlow(total) },
    }
  }

  private async stagesNow(
    buckets: Bucket[],
    past: ReturnType<typeof historyOf>['stages'],
    now: number,
  ): Promise<StageNow[]> {
    const lately = historyOf(
      buckets.filter(({ at }) => at >= now - nowMs),
      { from: now - hourMs, to: now, stepMs: hourMs, withStages: true },
    )
    const slots = await withGatewayTimeout(() => this.slots())
    return withGatewayTimeout(() =>
      Promise.all(
        OpsStage.options.map(async (stage): Promise<StageNow> => {
          const { waiting, active, delayed, paused, oldestMs } = await this.depths.of(stage)
          const hour = past.find((each) => each.stage === stage)
          const done = lately.stages.find((each) => each.stage === stage)?.done ?? 0
          return {
            ...{ stage, waiting, active, delayed, paused, oldestMs },
            failed: hour?.failed ?? 0,
            slots: slots[stage] ?? 0,
            tasksPerMinute: done / (nowMs / 60_000),
            p50Ms: hour?.p50Ms ?? null,
            p95Ms: hour?.p95Ms ?? null,
          }
        }),
      ),
    )
  }

  private async failingSources(tenants: readonly string[], now: number): Promise<FailingSources> {
    if (now - this.sources.readAt < sourcesEveryMs) return this.sources.failing
    const all = await Promise.all(
      tenants.map(async (tenant) => (await this.origins.all(tenant)).map((source) => ({ tenant, ...source }))),
    )
    const failing = all
      .flat()
      .flatMap(({ tenant, name, collection, last }) =>
        last?.problem === undefined ? [] : [{ tenant, name, collection, since: last.endedAt, error: last.problem }],
      )
    this.sources = { readAt: now, failing }
    return failing
  }

  private async slots(): Promise<Record<string, number>> {
    const slots: Record<string, number> = {}
    for (const process of await this.opsPorts.processes.alive())
      for (const [stage, count] of Object.entries(process.slots)) slots[stage] = (slots[stage] ?? 0) + count
    return slots
  }
}

const deskFlow = ({ parked, decided, escalated = 0 }: RunCounts) => ({
  escalated,
  arrived: sum(parked),
  decided: sum(decided),
})

const modelsNow = (buckets: Bucket[], faults: ReadonlyMap<string, Fault>): ModelNow[] =>
  modelsOf(buckets).map(({ failingSince, ...model }) => {
    const error = model.failed > 0 ? faults.get(model.name)?.error : undefined
    return {
      ...model,
      ...(failingSince !== null && { failingSince: new Date(failingSince).toISOString() }),
      ...(error !== undefined && { lastError: error }),
    }
  })
