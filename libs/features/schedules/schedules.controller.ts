import { Body, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common'
import { NewSchedule, ScheduleList, ScheduleView } from '@plumbline/contracts'
import type { FastifyReply } from 'fastify'
import { Audited } from '@plumbline/gateway/audit/audited'
import type { Caller } from '@plumbline/gateway/http/authenticate'
import { CurrentCaller, Roles } from '@plumbline/gateway/http/caller'
import { IdempotencyKey, ScheduleId } from '@plumbline/gateway/http/request-values'
import { Describe } from '@plumbline/gateway/ops/openapi'
import { Schedules } from './schedules.service'

@Controller('v1/schedules')
export class SchedulesController {
  constructor(private readonly schedules: Schedules) {}

  @Post()
  @Audited('schedule.created')
  @Roles('asker')
  @Describe({
    summary:
      'Create a schedule. Its question is repeated at set times, or when a document that its answer cites changes',
    examples: {
      'every weekday at six': {
        question: 'How heavy is Mars?',
        when: { by: 'cron', cron: '0 6 * * 1-5', timeZone: 'Europe/Vienna' },
      },
      'when a document changes': { question: 'How heavy is Mars?', when: { by: 'change' } },
    },
    answers: { 201: ScheduleView },
    refusals: ['idempotency-key-reused', 'too-many-schedules'],
    headers: { 'Idempotency-Key': 'A repeated request with the same key and body returns the same schedule' },
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: NewSchedule }) told: NewSchedule,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ScheduleView> {
    const view = await this.schedules.create(caller, told, key)
    void reply.header('location', `/v1/schedules/${view.id}`)
    return view
  }

  @Get()
  @Describe({ summary: 'List the schedules of this tenant, newest first', answers: { 200: ScheduleList } })
  list(@CurrentCaller() caller: Caller): Promise<ScheduleList> {
    return this.schedules.list(caller)
  }

  @Get(':id')
  @Describe({
    summary: 'Show one schedule: its next time, its outcomes, and whether its answer has changed',
    answers: { 200: ScheduleView },
  })
  view(@CurrentCaller() caller: Caller, @Param('id', ScheduleId) id: string): Promise<ScheduleView> {
    return this.schedules.view(caller, id)
  }

  @Delete(':id')
  @Audited('schedule.removed')
  @Roles('asker')
  @Describe({ summary: 'Remove a schedule. A run in progress continues', answers: { 204: '' } })
  remove(@CurrentCaller() caller: Caller, @Param('id', ScheduleId) id: string): Promise<void> {
    return this.schedules.remove(caller, id)
  }
}
