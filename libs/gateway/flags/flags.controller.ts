import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common'
import type { FlagRow } from '@plumbline/adapters/redis/cases/flags'
import { Flag, FlagList, NewFix } from '@plumbline/contracts'
import { z } from 'zod'
import { Audited } from '../audit/audited'
import type { Caller } from '../http/authenticate'
import { CurrentCaller, coversAccess, Reviewer, Roles } from '../http/caller'
import { notFound } from '../http/problem'
import { RunId } from '../http/request-values'
import { cursor, limitOfPage } from '../http/validate'
import { Describe } from '../ops/openapi'
import { PORTS, withGatewayTimeout, type GatewayPorts } from '../ports'
import { iso } from '../present/answer'
import { Asks } from '../runs/ask.service'
import { StoreClock } from '../runs/store-clock.service'

const FlagsQuery = z.strictObject({
  cursor,
  limit: limitOfPage,
  status: z.enum(['open', 'fixed']).default('open'),
  collection: z.string().min(1).max(200).optional(),
})
type FlagsQuery = z.infer<typeof FlagsQuery>

const askOf = ({ id, question, policy, collections, access, filters }: FlagRow) => ({
  question,
  policy,
  repeats: true,
  ...(collections.length === 1 && { collection: collections[0] }),
  ...(access !== undefined && access !== 'all' && { access }),
  ...(filters && { filters }),
  metadata: { fixes: id },
})

const flagOf = ({ access: _, filters: _filters, ...row }: FlagRow, owners: Map<string, string>): Flag => ({
  ...row,
  owners: [...new Set(row.collections.flatMap((name) => owners.get(name) ?? []))],
})

@Controller('v1/flags')
export class FlagsController {
  constructor(
    @Inject(PORTS) private readonly ports: GatewayPorts,
    private readonly asks: Asks,
    private readonly clock: StoreClock,
  ) {}

  @Get()
  @Roles('reviewer')
  @Describe({
    summary: 'List the answers that somebody marked as not useful, newest first, with the owners of their collections',
    answers: { 200: FlagList },
  })
  async list(
    @CurrentCaller() { tenant, access }: Caller,
    @Query({ schema: FlagsQuery }) { cursor, limit, status, collection }: FlagsQuery,
  ): Promise<FlagList> {
    const wanted = (row: FlagRow): boolean =>
      coversAccess(access, row.access) && (collection === undefined || row.collections.includes(collection))
    const { rows, next } = await this.ports.flags.list(tenant, status, { cursor, limit, wanted })
    const owners = await this.owners(tenant)
    return { items: rows.map((row) => flagOf(row, owners)), next }
  }

  /** The run id is derived from the flag, so a repeated request creates no second run. */
  @Post(':id/fix')
  @Audited('flag.fixed')
  @Roles('reviewer')
  @Describe({
    summary: 'Ask the question of a flagged answer again, for example after the cited documents were corrected',
    examples: { 'with a note': { note: 'The figures of 2024 have been added.' } },
    answers: { 200: Flag },
  })
  async fix(
    @CurrentCaller() caller: Caller,
    @Reviewer() by: string,
    @Param('id', RunId) id: string,
    @Body({ schema: NewFix }) { note }: NewFix,
  ): Promise<Flag> {
    const { tenant } = caller
    const row = await this.ports.flags.get(tenant, id)
    if (!row || !coversAccess(caller.access, row.access)) throw notFound('flag')
    if (row.status === 'open') {
      const run = await this.asks.ask(caller, askOf(row), `fix\0${id}`)
      const at = this.clock.now()
      const fix = { runId: run.id, by, at: iso(at), ...(note && { note }) }
      await this.ports.flags.put(tenant, { ...row, status: 'fixed', fix }, at)
    }
    const fixed = await this.ports.flags.get(tenant, id)
    if (!fixed) throw notFound('flag')
    return flagOf(fixed, await this.owners(tenant))
  }

  private async owners(tenant: string): Promise<Map<string, string>> {
    const views = await withGatewayTimeout(() => this.ports.catalog.collections(tenant, 'all'))
    return new Map(views.flatMap(({ name, owner }) => (owner === undefined ? [] : [[name, owner] as const])))
  }
}
