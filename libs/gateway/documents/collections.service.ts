import { Injectable } from '@nestjs/common'
import type { Reader } from '@plumbline/adapters/redis/documents/collections'
import {
  type CollectionList,
  type CollectionSettings,
  type CollectionView,
  manualsCollection,
  type Reindexing,
  type SomeCollections,
} from '@plumbline/contracts'
import type { Caller } from '../http/authenticate'
import { hasRole } from '../http/caller'
import { notFound, wrongField } from '../http/problem'
import { RunPorts, DocumentPorts, withGatewayTimeout } from '../ports'

const freshMs = 1_000
const tenantsKept = 1_000
const readersKept = 100

type CachedViews = { until: number; views: Promise<CollectionView[]> }
const readerOf = (caller: Caller): Reader => (hasRole(caller, 'admin') ? 'all' : caller.access)
export type ReadableCollections = { names: string[]; policy?: string }

const searchedUnnamed = (views: readonly CollectionView[]): string[] => {
  const names = views.map(({ name }) => name)
  const others = names.filter((name) => name !== manualsCollection)
  return others.length > 0 ? others : names
}

@Injectable()
export class Collections {
  private readonly kept = new Map<string, Map<string, CachedViews>>()

  constructor(
    private readonly runPorts: RunPorts,
    private readonly documentPorts: DocumentPorts,
  ) {}

  async put(tenant: string, name: string, settings: CollectionSettings): Promise<CollectionView> {
    const { policy } = settings
    if (policy !== undefined) this.runPorts.policies.byName(policy)
    const view = await withGatewayTimeout(() => this.documentPorts.catalog.putCollection(tenant, name, settings))
    this.forget(tenant)
    return view
  }

  async get(caller: Caller, name: string): Promise<CollectionView> {
    const view = await withGatewayTimeout(() =>
      this.documentPorts.catalog.collection(caller.tenant, name, readerOf(caller)),
    )
    if (!view) throw notFound('collection')
    return view
  }

  async reindex(caller: Caller, name: string): Promise<Reindexing> {
    const { tenant } = caller
    await this.get(caller, name)
    let documents = 0
    for await (const job of this.documentPorts.catalog.reindex(tenant, name)) {
      await this.documentPorts.ingest.add(job, await this.documentPorts.catalog.waiting(tenant))
      documents += 1
    }
    return { documents }
  }

  async list(caller: Caller): Promise<CollectionList> {
    return {
      items: await withGatewayTimeout(() => this.documentPorts.catalog.collections(caller.tenant, readerOf(caller))),
    }
  }

  async readableCollections(
    caller: Caller,
    named: SomeCollections | undefined,
    reading: Reader,
  ): Promise<ReadableCollections> {
    if (named === undefined) return { names: searchedUnnamed(await this.recent(caller.tenant, reading)) }
    const names = [...new Set([named].flat())]
    const views = await Promise.all(names.map((name) => this.named(caller, name)))
    const policy = views.every((view) => view.policy === views[0]?.policy) ? views[0]?.policy : undefined
    return { names, ...(policy !== undefined && { policy }) }
  }

  /** Removes the tenant from the cache of this gateway. The caches of other gateways expire within a second. */
  forget(tenant: string): void {
    this.kept.delete(tenant)
  }

  private async named(caller: Caller, name: string): Promise<CollectionView> {
    const { tenant } = caller
    const reader = readerOf(caller)
    const views = await this.recent(tenant, reader)
    const view =
      views.find((one) => one.name === name) ??
      (await withGatewayTimeout(() => this.documentPorts.catalog.collection(tenant, name, reader)))
    if (!view)
      throw wrongField(
        'collection',
        `there is no collection ${name}; GET /v1/collections lists all collections`,
        'unknown-collection',
      )
    return view
  }

  private recent(tenant: string, reader: Reader): Promise<CollectionView[]> {
    const now = performance.now()
    const tags = JSON.stringify(reader)
    const ofTenant = this.kept.get(tenant) ?? new Map<string, CachedViews>()
    const kept = ofTenant.get(tags)
    if (kept && kept.until > now) return kept.views
    if (this.kept.size >= tenantsKept) this.kept.clear()
    if (ofTenant.size >= readersKept) ofTenant.clear()
    const views = withGatewayTimeout(() => this.documentPorts.catalog.collections(tenant, reader))
    this.kept.set(tenant, ofTenant.set(tags, { until: now + freshMs, views }))
    views.catch(() => this.forget(tenant))
    return views
  }
}
