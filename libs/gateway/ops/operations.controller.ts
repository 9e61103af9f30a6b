import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common'
import {
  AbandonedList,
  BulkReplay,
  BulkReplayed,
  Diagnosis,
  HistoryStep,
  name,
  OpsHistory,
  OpsOverview,
  OpsStage,
  ProcessList,
  Replayed,
} from '@plumbline/contracts'
import { grains } from '@plumbline/adapters/redis/ops/history'
import { z } from 'zod'
import { Audited } from '../audit/audited'
import type { Caller } from '../http/authenticate'
import { CurrentCaller, hasRole, Roles } from '../http/caller'
import { notFound, wrongField } from '../http/problem'
import { RunId, time } from '../http/request-values'
import { Common, RunPorts, OpsPorts, withGatewayTimeout } from '../ports'
import { Abandoned } from './abandoned.service'
import { askRefusals, Describe } from './openapi'
import { diagnosisOf } from './diagnosis'
import { historyOf } from './history'
import { Overviews } from './overview.service'
import { QueueDepths } from './queue-depths.service'

const hourMs = 3_600_000
const steps: Record<HistoryStep, number> = { minute: 60_000, quarter: 15 * 60_000, hour: hourMs, day: 24 * hourMs }
const mostPoints = 800

const stepFor = (ms: number): HistoryStep => {
  if (ms <= 3 * hourMs) return 'minute'
  if (ms <= 24 * hourMs) return 'quarter'
  return ms <= 7 * 24 * hourMs ? 'hour' : 'day'
}

const HistoryQuery = z.strictObject({
  from: time.optional(),
  to: time.optional(),
  step: HistoryStep.optional(),
  tenant: name.optional(),
  policy: name.optional(),
})
type HistoryQuery = z.infer<typeof HistoryQuery>
const DiagnosisQuery = HistoryQuery.pick({ from: true, to: true, tenant: true })
type DiagnosisQuery = z.infer<typeof DiagnosisQuery>

const replayedRuns = (answer: unknown): string =>
  BulkReplayed.parse(answer)
    .items.flatMap(({ runId, replayed }) => (replayed ? [runId] : []))
    .join(' ')

const Stage = {
  transform: (stage: string): OpsStage => {
    const known = OpsStage.safeParse(stage)
    if (!known.success) throw notFound('stage')
    return known.data
  },
}

@Controller('v1/ops')
export class OperationsController {
  constructor(
    private readonly given: Abandoned,
    private readonly depths: QueueDepths,
    private readonly overviews: Overviews,
    private readonly common: Common,
    private readonly runPorts: RunPorts,
    private readonly opsPorts: OpsPorts,
  ) {}

  @Get('overview')
  @Roles('operator')
  @Describe({ summary: 'Show the current queues and runs of all tenants', answers: { 200: OpsOverview } })
  overview(): Promise<OpsOverview> {
    return this.overviews.read()
  }

  @Get('history')
  @Roles('admin', 'operator')
  @Describe({
    summary:
      'Report the numbers of runs, decisions, failures and costs over time, by tenant and by policy. An operator sees all tenants; an admin sees only its own tenant',
    answers: { 200: OpsHistory },
    refusals: ['not-found'],
  })
  async history(
    @CurrentCaller() caller: Caller,
    @Query({ schema: HistoryQuery }) asked: HistoryQuery,
  ): Promise<OpsHistory> {
    const withStages = hasRole(caller, 'operator')
    const tenant = this.tenantFor(caller, asked.tenant)
    const to = asked.to ?? Date.now()
    const since = asked.from ?? to - 24 * hourMs
    if (since >= to) throw wrongField('from', 'send a time before the end of the period')
    const step = asked.step ?? stepFor(to - since)
    const stepMs = steps[step]
    const grain = stepMs < hourMs ? 'minute' : 'hour'
    const from = Math.floor(Math.max(since, to - grains[grain].keptMs) / stepMs) * stepMs
    if ((to - from) / stepMs > mostPoints)
      throw wrongField('step', `the result would have more than ${mostPoints} points: use a longer step`)
    const buckets = await this.opsPorts.history.read(grain, from, to)
    return historyOf(buckets, {
      from,
      to,
      stepMs,
      withStages,
      ...(tenant !== undefined && { tenant }),
      ...(asked.policy !== undefined && { policy: asked.policy }),
    })
  }

  @Get('diagnosis')
  @Roles('admin', 'operator')
  @Describe({
    summary:
      'For each collection, name the probable causes of failed searches, with the counts that support them. The default range is the last 7 days. An operator sees all tenants; an admin sees only its own tenant',
    answers: { 200: Diagnosis },
    refusals: ['not-found'],
  })
  async diagnosis(
    @CurrentCaller() caller: Caller,
    @Query({ schema: DiagnosisQuery }) asked: DiagnosisQuery,
  ): Promise<Diagnosis> {
    const tenant = this.tenantFor(caller, asked.tenant)
    const to = asked.to ?? Date.now()
    const since = asked.from ?? to - 7 * 24 * hourMs
    if (since >= to) throw wrongField('from', 'send a time before the end of the period')
    const from = Math.floor(Math.max(since, to - grains.hour.keptMs) / hourMs) * hourMs
    const buckets = await this.opsPorts.history.read('hour', from, to)
    return diagnosisOf(buckets, { from, to, ...(tenant !== undefined && { tenant }) })
  }

  @Get('processes')
  @Roles('operator')
  @Describe({ summary: 'List the running processes', answers: { 200: ProcessList } })
  async processes(): Promise<ProcessList> {
    const items = await withGatewayTimeout(() => this.opsPorts.processes.alive())
    return { items: items.sort((a, b) => (a.app + a.id < b.app + b.id ? -1 : 1)) }
  }

  @Post('stages/:stage/pause')
  @Audited('stage.paused')
  @Roles('operator')
  @Describe({
    summary: 'Pause a stage. Its workers start no tasks in any lane until the stage is resumed',
    answers: { 204: '' },
  })
  async pause(@CurrentCaller() caller: Caller, @Param('stage', Stage) stage: OpsStage): Promise<void> {
    await this.setPaused(caller, stage, true)
  }

  @Post('stages/:stage/resume')
  @Audited('stage.resumed')
  @Roles('operator')
  @Describe({ summary: 'Resume a stage. Its workers start tasks again', answers: { 204: '' } })
  async resume(@CurrentCaller() caller: Caller, @Param('stage', Stage) stage: OpsStage): Promise<void> {
    await this.setPaused(caller, stage, false)
  }

  @Get('abandoned')
  @Roles('admin', 'operator')
  @Describe({
    summary: 'List the abandoned tasks, which failed too often, newest first',
    answers: { 200: AbandonedList },
  })
  abandoned(@CurrentCaller() caller: Caller): Promise<AbandonedList> {
    return this.given.list(caller)
  }

  @Post('abandoned/replay')
  @HttpCode(200)
  @Audited('run.replayed-many', { targetOf: replayedRuns })
  @Roles('admin', 'operator')
  @Describe({
    summary:
      'Ask the questions of many abandoned runs again. A refused question does not stop the others, and a repeated request asks no question twice',
    examples: {
      'an hour': { from: '2026-11-22T20:00:00Z', to: '2026-11-22T21:00:00Z' },
      'some runs': { runIds: ['r0z8q1m5k2c7v9x3b6n4l8j1h'] },
    },
    answers: { 200: BulkReplayed },
  })
  replayMany(@CurrentCaller() caller: Caller, @Body({ schema: BulkReplay }) asked: BulkReplay): Promise<BulkReplayed> {
    return this.given.replayMany(caller, asked)
  }

  @Post('abandoned/:runId/replay')
  @Audited('run.replayed')
  @Roles('admin', 'operator')
  @Describe({
    summary: 'Ask the question of an abandoned run again, as a new run',
    answers: { 200: Replayed },
    refusals: askRefusals,
  })
  replay(@CurrentCaller() caller: Caller, @Param('runId', RunId) runId: string): Promise<Replayed> {
    return this.given.replay(caller, runId)
  }

  /** Returns the tenant to report on, or undefined for all tenants, which only an operator may see. */
  private tenantFor(caller: Caller, asked: string | undefined): string | undefined {
    if (hasRole(caller, 'operator')) return asked
    if (asked !== undefined && asked !== caller.tenant) throw notFound('tenant')
    return caller.tenant
  }

  private async setPaused(caller: Caller, stage: OpsStage, paused: boolean): Promise<void> {
    await withGatewayTimeout(() =>
      Promise.all(this.depths.lanesOf(stage).map((lane) => this.runPorts.queue.setPaused(lane, stage, paused))),
    )
    this.common.log.info({ stage, by: caller.name }, paused ? 'stage paused' : 'stage resumed')
  }
}
