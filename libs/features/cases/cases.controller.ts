import { Readable } from 'node:stream'
import { Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common'
import type { CaseRow } from './store/cases'
import { Calibration, Case, CaseList, ReviewAction } from '@plumbline/contracts'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { Audited } from '@plumbline/gateway/audit/audited'
import type { Caller } from '@plumbline/gateway/http/authenticate'
import { CurrentCaller, coversAccess, Roles } from '@plumbline/gateway/http/caller'
import { notFound, Refusal } from '@plumbline/gateway/http/problem'
import { CaseId, RunId } from '@plumbline/gateway/http/request-values'
import { cursor, limitOfPage } from '@plumbline/gateway/http/validate'
import { Describe } from '@plumbline/gateway/ops/openapi'
import { Common, RunPorts } from '@plumbline/gateway/ports'
import { CasePorts } from './case-ports'
import { Runs } from '@plumbline/gateway/runs/runs.service'
import { isHeld } from '@plumbline/gateway/settings'
import { citedBy } from '@plumbline/gateway/reviews/follow-decisions'
import { calibrationOf, strategiesOf } from './calibration'

const word = z.string().min(1).max(200).optional()
const time = z.iso.datetime({ offset: true, error: 'write a time such as 2026-11-22T10:00:00Z' }).optional()
const CasesFilter = z.strictObject({
  policy: word,
  collection: word,
  action: ReviewAction.optional(),
  reason: word,
  words: word,
  from: time,
  to: time,
})
type CasesFilter = z.infer<typeof CasesFilter>
const CasesQuery = CasesFilter.extend({ cursor, limit: limitOfPage })
type CasesQuery = z.infer<typeof CasesQuery>

const wanted =
  ({ access }: Caller, { policy, collection, action, reason, words, from, to }: CasesFilter) =>
  (row: CaseRow): boolean => {
    const at = Date.parse(row.decidedAt)
    return (
      coversAccess(access, row.access) &&
      (policy === undefined || row.policy === policy) &&
      (collection === undefined || row.collections.includes(collection)) &&
      (action === undefined || row.action === action) &&
      (reason === undefined || row.reason === reason) &&
      (words === undefined || row.question.toLowerCase().includes(words.toLowerCase())) &&
      (from === undefined || at >= Date.parse(from)) &&
      (to === undefined || at < Date.parse(to))
    )
  }

const mostCounted = 20_000

/**
 * Serves cases, which are test cases from reviewed drafts. Every route hides a case from callers who may not read its
 * sources.
 */
@Controller('v1')
export class CasesController {
  constructor(
    private readonly common: Common,
    private readonly runPorts: RunPorts,
    private readonly casePorts: CasePorts,
    private readonly runs: Runs,
  ) {}

  @Get('cases')
  @Roles('reviewer')
  @Describe({
    summary:
      'List the cases, newest first. A case is a stored decision; the operator sets whether and how long cases are stored',
    answers: { 200: CaseList },
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: CasesQuery }) { cursor, limit, ...filter }: CasesQuery,
  ): Promise<CaseList> {
    const { cases } = this.casePorts
    if (cases.keptDays === 0) return { items: [], next: null, keptDays: 0 }
    const { rows, next } = await cases.list(caller.tenant, { cursor, limit, wanted: wanted(caller, filter) })
    const items = rows.map(({ access: _, tries: _tries, byScore: _byScore, ...row }) => row)
    return { items, next, keptDays: cases.keptDays }
  }

  @Get('cases/export')
  @Roles('admin')
  @Describe({
    summary:
      'Export the cases, newest first, one line of JSON per case, with the draft and the evidence that each decision was based on',
    answers: { 200: 'application/x-ndjson' },
  })
  async export(
    @CurrentCaller() caller: Caller,
    @Query({ schema: CasesFilter }) filter: CasesFilter,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await reply
      .header('content-type', 'application/x-ndjson')
      .header('content-disposition', 'attachment; filename="cases.jsonl"')
      .send(Readable.from(this.lines(caller, filter)))
  }

  @Get('cases/calibration')
  @Roles('reviewer')
  @Describe({
    summary:
      'For each policy, report how well the scores of drafts agree with the decisions of reviewers. For each collection, report which strategies for rewriting queries succeed',
    answers: { 200: Calibration },
  })
  async calibration(@CurrentCaller() caller: Caller): Promise<Calibration> {
    const { cases } = this.casePorts
    const { policies } = this.runPorts
    const { settings } = this.common
    const rows: CaseRow[] = []
    for await (const piece of cases.rows(caller.tenant)) {
      rows.push(...piece.filter(wanted(caller, {})))
      if (rows.length >= mostCounted) break
    }
    const isTenantHeld = isHeld(settings, caller.tenant)
    const thresholds = new Map(policies.all.map(({ name }) => [name, policies.byName(name, isTenantHeld).parkBelow]))
    return {
      policies: calibrationOf(rows, (policy) => thresholds.get(policy)),
      strategies: strategiesOf(rows),
      keptDays: cases.keptDays,
    }
  }

  @Get('cases/:id')
  @Roles('reviewer')
  @Describe({
    summary: 'Show one decision, with the draft and the evidence that it was based on and with its result',
    answers: { 200: Case },
  })
  async get(@CurrentCaller() caller: Caller, @Param('id', CaseId) id: string): Promise<Case> {
    const found = await this.casePorts.cases.get(caller.tenant, id)
    if (!found || !coversAccess(caller.access, found.access)) throw notFound('case')
    return found
  }

  @Delete('cases/:id')
  @Audited('case.removed')
  @Roles('admin')
  @Describe({ summary: 'Remove a case. The run will not create the case again', answers: { 204: '' } })
  async remove(@CurrentCaller() caller: Caller, @Param('id', CaseId) id: string): Promise<void> {
    await this.get(caller, id)
    await this.casePorts.cases.remove(caller.tenant, id)
  }

  @Post('runs/:id/keep')
  @Audited('answer.kept')
  @Roles('reviewer')
  @Describe({
    summary:
      'Pin an answer that a reviewer released. The same question then gets this answer again, until a document that the answer cites changes',
    refusals: ['answer-not-kept'],
    answers: { 204: '' },
  })
  async keep(@CurrentCaller() caller: Caller, @Param('id', RunId) id: string): Promise<void> {
    const run = await this.runs.get(caller, id)
    if (!(await this.runPorts.pinnedAnswers.keep(run, await citedBy(this.runPorts.store, run))))
      throw new Refusal(
        'answer-not-kept',
        'Only a written answer that a person released can be pinned, and only while the documents it cites are unchanged.',
      )
  }

  @Delete('runs/:id/keep')
  @Audited('answer.dropped')
  @Roles('reviewer')
  @Describe({ summary: 'Stop reusing the answer of this run', answers: { 204: '' } })
  async drop(@CurrentCaller() caller: Caller, @Param('id', RunId) id: string): Promise<void> {
    await this.runPorts.pinnedAnswers.drop(await this.runs.get(caller, id))
  }

  private async *lines(caller: Caller, filter: CasesFilter): AsyncGenerator<string> {
    const isWanted = wanted(caller, filter)
    for await (const rows of this.casePorts.cases.rows(caller.tenant))
      for (const { id } of rows.filter(isWanted)) {
        const found = await this.casePorts.cases.get(caller.tenant, id)
        if (found) yield `${JSON.stringify(found)}\n`
      }
  }
}
