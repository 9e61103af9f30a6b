import { Readable } from 'node:stream'
import { Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common'
import { Calibration, Case, CaseList } from '@plumbline/contracts'
import type { FastifyReply } from 'fastify'
import type { Caller } from '../http/authenticate'
import { By, Roles } from '../http/caller'
import { CaseId, RunId } from '../http/request-values'
import { Describe } from '../ops/openapi'
import { Cases, CasesFilter, CasesQuery } from './cases.service'

@Controller('v1')
export class CasesController {
  constructor(private readonly cases: Cases) {}

  @Get('cases')
  @Roles('reviewer')
  @Describe({
    summary: 'Decisions as cases, newest first, as far as the operator keeps them',
    answers: { 200: CaseList },
  })
  list(@By() caller: Caller, @Query({ schema: CasesQuery }) query: CasesQuery): Promise<CaseList> {
    return this.cases.list(caller, query)
  }

  @Get('cases/export')
  @Roles('admin')
  @Describe({
    summary: 'Cases with all they were decided on, a line of JSON each, newest first',
    answers: { 200: 'application/x-ndjson' },
  })
  async export(
    @By() caller: Caller,
    @Query({ schema: CasesFilter }) filter: CasesFilter,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await reply
      .header('content-type', 'application/x-ndjson')
      .header('content-disposition', 'attachment; filename="cases.jsonl"')
      .send(Readable.from(this.cases.lines(caller, filter)))
  }

  @Get('cases/calibration')
  @Roles('reviewer')
  @Describe({
    summary: 'How scores agree with decisions, by policy, and which rewriting strategies succeed, by collection',
    answers: { 200: Calibration },
  })
  calibration(@By() caller: Caller): Promise<Calibration> {
    return this.cases.calibration(caller)
  }

  @Get('cases/:id')
  @Roles('reviewer')
  @Describe({ summary: 'One decision with all it was made on, and what came of it', answers: { 200: Case } })
  get(@By() caller: Caller, @Param('id', CaseId) id: string): Promise<Case> {
    return this.cases.get(caller, id)
  }

  @Delete('cases/:id')
  @HttpCode(204)
  @Roles('admin')
  @Describe({ summary: 'Remove a case; its run does not write it again', answers: { 204: '' } })
  remove(@By() caller: Caller, @Param('id', CaseId) id: string): Promise<void> {
    return this.cases.remove(caller, id)
  }

  @Post('runs/:id/keep')
  @HttpCode(204)
  @Roles('reviewer')
  @Describe({
    summary: 'Give an answer that a person released to the same question again, until a document it cites changes',
    answers: { 204: '' },
  })
  keep(@By() caller: Caller, @Param('id', RunId) id: string): Promise<void> {
    return this.cases.keep(caller, id)
  }

  @Delete('runs/:id/keep')
  @HttpCode(204)
  @Roles('reviewer')
  @Describe({ summary: 'Keep the answer to the question of this run no longer', answers: { 204: '' } })
  drop(@By() caller: Caller, @Param('id', RunId) id: string): Promise<void> {
    return this.cases.drop(caller, id)
  }
}
