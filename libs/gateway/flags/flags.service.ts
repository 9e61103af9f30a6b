import { Inject, Injectable } from '@nestjs/common'
import { z } from 'zod'
import type { Flag, FlagList, NewFix } from '@plumbline/contracts'
import type { FlagRow } from '@plumbline/adapters/redis'
import type { Caller } from '../http/authenticate'
import { covers } from '../http/caller'
import { notFound } from '../http/problem'
import { cursor, limitOfPage } from '../http/validate'
import { PORTS, promptly, type GatewayPorts } from '../ports'
import { iso } from '../present/answer'
import { Asks } from '../runs/ask.service'
import { StoreClock } from '../runs/store-clock.service'

export const FlagsQuery = z.strictObject({
  cursor,
  limit: limitOfPage,
  status: z.enum(['open', 'fixed']).default('open'),
  collection: z.string().min(1).max(200).optional(),
})
export type FlagsQuery = z.infer<typeof FlagsQuery>

/** Flagged answers, and asking their questions again. */
@Injectable()
export class Flags {
  constructor(
    @Inject(PORTS) private readonly ports: GatewayPorts,
    private readonly asks: Asks,
    private readonly clock: StoreClock,
  ) {}

  async list(caller: Caller, { cursor, limit, status, collection }: FlagsQuery): Promise<FlagList> {
    const { rows, next } = await this.ports.flags.list(caller.tenant, status, {
      cursor: cursor ?? null,
      limit,
      wanted: (row) =>
        covers(caller.access, row.access) && (collection === undefined || row.collections.includes(collection)),
    })
    const owners = await this.owners(caller.tenant)
    return { items: rows.map((row) => flagOf(row, owners)), next }
  }

  /** The run's id follows from the flag: asked twice, after a crash too, the question is asked once. */
  async fix(caller: Caller, id: string, { note }: NewFix, by: string): Promise<Flag> {
    const { tenant } = caller
    const row = await this.ports.flags.get(tenant, id)
    if (!row || !covers(caller.access, row.access)) throw notFound('flag')
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
    const views = await promptly(() => this.ports.catalog.collections(tenant, 'all'))
    return new Map(views.flatMap(({ name, owner }) => (owner === undefined ? [] : [[name, owner] as const])))
  }
}

/** The same question under the same policy, read with the rights of whoever flagged it. */
const askOf = ({ id, question, policy, collections, access, filters }: FlagRow) => ({
  question,
  policy,
  ...(collections.length === 1 && { collection: collections[0] }),
  ...(access !== undefined && access !== 'all' && { access }),
  ...(filters && { filters }),
  metadata: { fixes: id },
})

const flagOf = ({ access: _, filters: _filters, ...row }: FlagRow, owners: Map<string, string>): Flag => ({
  ...row,
  owners: [...new Set(row.collections.flatMap((name) => owners.get(name) ?? []))],
})
