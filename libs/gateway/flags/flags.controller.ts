import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common'
import type { FlagRow, RereadRow } from '@plumbline/adapters/redis/flags/flags'
import { Flag, FlagList, NewFix, type Reread } from '@plumbline/contracts'
import { z } from 'zod'
import { Audited } from '../audit/audited'
import type { Caller } from '../http/authenticate'
import { CurrentCaller, coversAccess, Reviewer, Roles } from '../http/caller'
import { notFound } from '../http/problem'
import { RunId } from '../http/request-values'
import { cursor, limitOfPage } from '../http/validate'
import { Describe } from '../ops/openapi'
import { DocumentPorts, ReviewPorts, withGatewayTimeout } from '../ports'
import { FlagFixes } from './flag-fixes.service'
import { Rereads } from './rereads.service'

const FlagsQuery = z.strictObject({
  cursor,
  limit: limitOfPage,
  status: z.enum(['open', 'fixed']).default('open'),
  collection: z.string().min(1).max(200).optional(),
})
type FlagsQuery = z.infer<typeof FlagsQuery>

const rereadOf = ({ asker: _, since: _since, versions: _versions, ...reread }: RereadRow): Reread => reread

const flagOf = (
  { access: _, filters: _filters, named: _named, reread, ...row }: FlagRow,
  owners: Map<string, string>,
): Flag => ({
  ...row,
  ...(reread && { reread: rereadOf(reread) }),
  owners: [...new Set(row.collections.flatMap((name) => owners.get(name) ?? []))],
})

@Controller('v1/flags')
export class FlagsController {
  constructor(
    private readonly documentPorts: DocumentPorts,
    private readonly reviewPorts: ReviewPorts,
    private readonly fixes: FlagFixes,
    private readonly rereads: Rereads,
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
    const { rows, next } = await this.reviewPorts.flags.list(tenant, status, { cursor, limit, wanted })
    const owners = await this.owners(tenant)
    return { items: rows.map((row) => flagOf(row, owners)), next }
  }

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
    const row = await this.readable(caller, id)
    if (row.status === 'open') await this.fixes.askAgain(caller, row, { by, note })
    return this.view(caller, id)
  }

  @Post(':id/reread')
  @HttpCode(202)
  @Audited('flag.reread')
  @Roles('reviewer')
  @Describe({
    summary:
      'Read the cited documents of a flagged answer again from their sources, then ask its question again. The flag lists the documents and links the new run',
    examples: { 'with a note': { note: 'The page has been corrected.' } },
    answers: { 202: Flag },
  })
  async reread(
    @CurrentCaller() caller: Caller,
    @Reviewer() by: string,
    @Param('id', RunId) id: string,
    @Body({ schema: NewFix }) { note }: NewFix,
  ): Promise<Flag> {
    const row = await this.readable(caller, id)
    const isReading = row.reread && row.reread.problem === undefined
    if (row.status === 'open' && !isReading) await this.rereads.begin(caller, row, { by, note })
    return this.view(caller, id)
  }

  private async readable({ tenant, access }: Caller, id: string): Promise<FlagRow> {
    const row = await this.reviewPorts.flags.get(tenant, id)
    if (!row || !coversAccess(access, row.access)) throw notFound('flag')
    return row
  }

  private async view(caller: Caller, id: string): Promise<Flag> {
    return flagOf(await this.readable(caller, id), await this.owners(caller.tenant))
  }

  private async owners(tenant: string): Promise<Map<string, string>> {
    const views = await withGatewayTimeout(() => this.documentPorts.catalog.collections(tenant, 'all'))
    return new Map(views.flatMap(({ name, owner }) => (owner === undefined ? [] : [[name, owner] as const])))
  }
}
