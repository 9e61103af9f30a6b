import { Inject, Injectable } from '@nestjs/common'
import { z } from 'zod'
import { type Calibration, type Case, type CaseList, ReviewAction } from '@plumbline/contracts'
import type { CaseRow } from '@plumbline/adapters/redis'
import type { Caller } from '../http/authenticate'
import { covers } from '../http/caller'
import { notFound, Refusal } from '../http/problem'
import { cursor, limitOfPage } from '../http/validate'
import { PORTS, type GatewayPorts } from '../ports'
import { Runs } from '../runs/runs.service'
import { isHeld } from '../settings'
import { calibrationOf, strategiesOf } from './calibration'

const word = z.string().min(1).max(200).optional()
const time = z.iso.datetime({ offset: true, error: 'write it as 2026-11-22T10:00:00Z' }).optional()
export const CasesFilter = z.strictObject({
  policy: word,
  collection: word,
  action: ReviewAction.optional(),
  reason: word,
  words: word,
  from: time,
  to: time,
})
export type CasesFilter = z.infer<typeof CasesFilter>
export const CasesQuery = CasesFilter.extend({ cursor, limit: limitOfPage })
export type CasesQuery = z.infer<typeof CasesQuery>

const wanted =
  ({ access }: Caller, { policy, collection, action, reason, words, from, to }: CasesFilter) =>
  (row: CaseRow): boolean => {
    const at = Date.parse(row.decidedAt)
    return (
      covers(access, row.access) &&
      (policy === undefined || row.policy === policy) &&
      (collection === undefined || row.collections.includes(collection)) &&
      (action === undefined || row.action === action) &&
      (reason === undefined || row.reason === reason) &&
      (words === undefined || row.question.toLowerCase().includes(words.toLowerCase())) &&
      (from === undefined || at >= Date.parse(from)) &&
      (to === undefined || at < Date.parse(to))
    )
  }

/** What counts over many cases are drawn from: the newest of them. */
const mostCounted = 20_000

/** The cases of a tenant, as far as who asks may read what they were made on. */
@Injectable()
export class Cases {
  constructor(
    @Inject(PORTS) private readonly ports: GatewayPorts,
    private readonly runs: Runs,
  ) {}

  async list(caller: Caller, { cursor, limit, ...filter }: CasesQuery): Promise<CaseList> {
    const { cases } = this.ports
    if (cases.keptDays === 0) return { items: [], next: null, keptDays: 0 }
    const page = { cursor: cursor ?? null, limit, wanted: wanted(caller, filter) }
    const { rows, next } = await cases.list(caller.tenant, page)
    const items = rows.map(({ access: _, tries: _tries, byScore: _byScore, ...row }) => row)
    return { items, next, keptDays: cases.keptDays }
  }

  async get(caller: Caller, id: string): Promise<Case> {
    const found = await this.ports.cases.get(caller.tenant, id)
    if (!found || !covers(caller.access, found.access)) throw notFound('case')
    return found
  }

  async remove(caller: Caller, id: string): Promise<void> {
    await this.get(caller, id)
    await this.ports.cases.remove(caller.tenant, id)
  }

  /** A line each. One that is over or removed by the time it is read is left out. */
  async *lines(caller: Caller, filter: CasesFilter): AsyncGenerator<string> {
    const isWanted = wanted(caller, filter)
    for await (const rows of this.ports.cases.rows(caller.tenant))
      for (const { id } of rows.filter(isWanted)) {
        const found = await this.ports.cases.get(caller.tenant, id)
        if (found) yield `${JSON.stringify(found)}\n`
      }
  }

  async calibration(caller: Caller): Promise<Calibration> {
    const { cases, policies, settings } = this.ports
    const rows: CaseRow[] = []
    for await (const piece of cases.rows(caller.tenant)) {
      rows.push(...piece.filter(wanted(caller, {})))
      if (rows.length >= mostCounted) break
    }
    const isTenantHeld = isHeld(settings, caller.tenant)
    const thresholds = new Map(policies.all.map(({ name }) => [name, policies.named(name, isTenantHeld).parkBelow]))
    return {
      policies: calibrationOf(rows, (policy) => thresholds.get(policy)),
      strategies: strategiesOf(rows),
      keptDays: cases.keptDays,
    }
  }

  async keep(caller: Caller, runId: string): Promise<void> {
    const run = await this.runs.get(caller, runId)
    const cited = [...new Set(run.answer?.citations.map(({ passageId }) => passageId))]
    const passages = cited.length > 0 ? await this.ports.store.evidence(runId, cited) : []
    if (!(await this.ports.keptAnswers.keep(run, passages)))
      throw new Refusal(
        'answer-not-kept',
        'Only a written answer that a person released can be kept, while the documents it cites are as they were.',
      )
  }

  async drop(caller: Caller, runId: string): Promise<void> {
    await this.ports.keptAnswers.drop(await this.runs.get(caller, runId))
  }
}
