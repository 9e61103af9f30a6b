import { Controller, Get, Inject, Param, Post, Query } from '@nestjs/common'
import {
  AbandonedList,
  HistoryStep,
  name,
  OpsHistory,
  OpsOverview,
  OpsStage,
  ProcessList,
  Replayed,
} from '@plumbline/contracts'
import { z } from 'zod'
import type { Caller } from '../http/authenticate'
import { By, Roles } from '../http/caller'
import { notFound } from '../http/problem'
import { RunId, time } from '../http/request-values'
import { PORTS, promptly, type GatewayPorts } from '../ports'
import { Abandoned } from './abandoned.service'
import { Describe } from './openapi'
import { Operations } from './operations.service'

const HistoryQuery = z.strictObject({
  from: time.optional(),
  to: time.optional(),
  step: HistoryStep.optional(),
  tenant: name.optional(),
  policy: name.optional(),
})
type HistoryQuery = z.infer<typeof HistoryQuery>

/** A name in an address that is no stage names nothing. */
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
    private readonly operations: Operations,
    private readonly given: Abandoned,
    @Inject(PORTS) private readonly ports: GatewayPorts,
  ) {}

  @Get('overview')
  @Roles('operator')
  @Describe({ summary: 'How the queues and runs of all tenants stand now', answers: { 200: OpsOverview } })
  overview(): Promise<OpsOverview> {
    return this.operations.overview()
  }

  @Get('history')
  @Roles('admin', 'operator')
  @Describe({
    summary: 'What happened over time, by tenant and by policy: to an operator of all tenants, to an admin of its own',
    answers: { 200: OpsHistory },
  })
  history(@By() caller: Caller, @Query({ schema: HistoryQuery }) query: HistoryQuery): Promise<OpsHistory> {
    return this.operations.history(caller, query)
  }

  @Get('processes')
  @Roles('operator')
  @Describe({ summary: 'The processes that are alive', answers: { 200: ProcessList } })
  async processes(): Promise<ProcessList> {
    const items = await promptly(() => this.ports.processes.alive())
    return { items: items.sort((a, b) => (a.app + a.id < b.app + b.id ? -1 : 1)) }
  }

  @Post('stages/:stage/pause')
  @Roles('operator')
  @Describe({ summary: 'Its workers take no further task, in any lane, until it is resumed', answers: { 204: '' } })
  async pause(@By() caller: Caller, @Param('stage', Stage) stage: OpsStage): Promise<void> {
    await this.operations.setPaused(caller, stage, true)
  }

  @Post('stages/:stage/resume')
  @Roles('operator')
  @Describe({ summary: 'Its workers take tasks again', answers: { 204: '' } })
  async resume(@By() caller: Caller, @Param('stage', Stage) stage: OpsStage): Promise<void> {
    await this.operations.setPaused(caller, stage, false)
  }

  @Get('abandoned')
  @Roles('admin', 'operator')
  @Describe({ summary: 'Tasks that were given up, newest first', answers: { 200: AbandonedList } })
  abandoned(@By() caller: Caller): Promise<AbandonedList> {
    return this.given.list(caller)
  }

  @Post('abandoned/:runId/replay')
  @Roles('admin', 'operator')
  @Describe({ summary: 'Ask the question of an abandoned run again, as a new run', answers: { 200: Replayed } })
  replay(@By() caller: Caller, @Param('runId', RunId) runId: string): Promise<Replayed> {
    return this.given.replay(caller, runId)
  }
}
