import { Injectable } from '@nestjs/common'
import type { Evidence, Search, SearchResults } from '@plumbline/contracts'
import { marksOf } from '@plumbline/knowledge/quotes/closest-quotes'
import type { Caller } from '../http/authenticate'
import { Common, DocumentPorts, LimitPorts } from '../ports'
import { StoreClock } from '../runs/store-clock.service'
import { Budget } from '../runs/usage'
import { bounds } from '../settings'
import { Collections } from './collections.service'

@Injectable()
export class Searches {
  constructor(
    private readonly collections: Collections,
    private readonly budget: Budget,
    private readonly clock: StoreClock,
    private readonly common: Common,
    private readonly documentPorts: DocumentPorts,
    private readonly limitPorts: LimitPorts,
  ) {}

  async search(caller: Caller, asked: Search): Promise<SearchResults> {
    const { tenant, access } = caller
    const { names } = await this.collections.readableCollections(caller, asked.collection, access)
    await this.budget.check(tenant, this.clock.now())
    if (names.length === 0) return { items: [], collections: [] }
    const readable = async () => (await this.collections.readableCollections(caller, undefined, access)).names
    const { passages, degraded, elsewhere } = await this.documentPorts.passages.search({
      scope: { tenant, collections: names, filters: asked.filters ?? {}, access },
      query: asked.query,
      limit: asked.limit,
      ...(asked.collection !== undefined && { readable }),
      signal: AbortSignal.timeout(bounds.searchMs),
      onCall: ({ usage }) => this.charge(tenant, usage),
    })
    const marked = (passage: Evidence) => ({ ...passage, marks: marksOf(asked.query, passage.text) })
    return {
      items: passages.map(marked),
      collections: names,
      ...(elsewhere !== undefined && { elsewhere }),
      ...(degraded.length > 0 && { degraded }),
    }
  }

  /** An error is only logged, so that the search still succeeds. */
  private charge(tenant: string, usage: Parameters<LimitPorts['spending']['chargeTenant']>[1]): void {
    this.limitPorts.spending
      .chargeTenant(tenant, usage, this.clock.now())
      .catch((error: unknown) => this.common.log.error({ err: error, tenant, usage }, 'cost of a search not counted'))
  }
}
