import type { Scope } from '@plumbline/ports/passage-index/passage-index'
import { ask, unlessAbsent, type Api, type Condition, type Filter } from './api'
import type { Collections } from './collections'
import {
  is,
  ofDocument,
  uuidOf,
  within,
  type Manifest,
  type ManifestPayload,
  type Names,
  type Tombstone,
} from './payload'

export type Parts = { api: Api; names: Names; collections: Collections; manifests: Manifests }

export type Leftovers = {
  drop(collection: string, tenant: string, documentId: string, version: string, signal: AbortSignal): Promise<void>
  /**
   * Removes the points of other versions of a document. Keeps versions that are newer than `kept`, because a writer may
   * still be writing them.
   */
  tidy(tenant: string, documentId: string, kept: Tombstone, signal: AbortSignal): Promise<void>
  count(collection: string, tenant: string, documentId: string, must: Condition[], signal: AbortSignal): Promise<number>
  exist(tenant: string, documentId: string, signal: AbortSignal): Promise<boolean>
}

export const leftoversIn = ({ api, names, collections }: Pick<Parts, 'api' | 'names' | 'collections'>): Leftovers => {
  const everywhere = async (signal: AbortSignal): Promise<string[]> => {
    const found = (await collections.standing(signal)).filter(({ alias }) => alias.startsWith(names.spaces))
    return [...new Set(found.map(({ collection }) => collection))]
  }
  const remove = async (collection: string, filter: Filter, signal: AbortSignal): Promise<void> => {
    const asked = { collection_name: collection, wait: true, filter }
    await unlessAbsent<unknown>(ask(api.deletePoints, asked, signal), null)
  }
  const count: Leftovers['count'] = async (collection, tenant, documentId, must, signal) => {
    const asked = { collection_name: collection, filter: ofDocument(tenant, documentId, ...must), exact: true }
    return (await unlessAbsent(ask(api.countPoints, asked, signal), { count: 0 })).count
  }
  return {
    count,
    drop: (collection, tenant, documentId, version, signal) =>
      remove(collection, ofDocument(tenant, documentId, is('version', version)), signal),
    tidy: async (tenant, documentId, { version, epoch }, signal) => {
      const older = ofDocument(tenant, documentId, { key: 'epoch', range: { lte: epoch } })
      const filter = { ...older, must_not: [is('version', version)] }
      for (const collection of await everywhere(signal)) await remove(collection, filter, signal)
    },
    exist: async (tenant, documentId, signal) => {
      for (const collection of await everywhere(signal))
        if ((await count(collection, tenant, documentId, [], signal)) > 0) return true
      return false
    },
  }
}

const manifestId = (tenant: string, documentId: string): string => uuidOf('manifest', tenant, documentId)
export const isHeld = (payload: ManifestPayload | undefined): payload is Extract<ManifestPayload, Manifest> =>
  payload !== undefined && 'homes' in payload

/** The maximum number of different values of a field that Qdrant returns. Real data has fewer values. */
const mostValues = 10_000

export type Manifests = {
  read(tenant: string, documentId: string, signal: AbortSignal): Promise<ManifestPayload | undefined>
  lookUp(tenant: string, documentIds: Iterable<string>, signal: AbortSignal): Promise<Map<string, Manifest>>
  replace(
    tenant: string,
    documentId: string,
    before: Tombstone | undefined,
    next: ManifestPayload,
    signal: AbortSignal,
  ): Promise<boolean>
  aliases(scope: Scope, signal: AbortSignal): Promise<string[]>
  size(scope: Scope, signal: AbortSignal): Promise<number>
}

export const manifestsIn = (api: Api, collection: string): Manifests => {
  // Reads from a majority of the replicas, because a single replica may not have the current version yet.
  const retrieve = async (ids: string[], signal: AbortSignal): Promise<ManifestPayload[]> => {
    const asked = {
      collection_name: collection,
      consistency: 'majority' as const,
      ids,
      with_payload: true,
      with_vector: false,
    }
    const found = await unlessAbsent(ask(api.getPoints, asked, signal), [])
    return found.map(({ payload }) => payload as unknown as ManifestPayload)
  }
  const read: Manifests['read'] = async (tenant, documentId, signal) =>
    (await retrieve([manifestId(tenant, documentId)], signal))[0]
  const values = async (key: string, scope: Scope, signal: AbortSignal) => {
    const asked = { collection_name: collection, key, filter: within(scope), limit: mostValues, exact: true }
    return (await unlessAbsent(ask(api.facet, asked, signal), { hits: [] })).hits
  }
  return {
    read,
    lookUp: async (tenant, documentIds, signal) => {
      const ids = [...new Set(documentIds)].map((documentId) => manifestId(tenant, documentId))
      const held = ids.length > 0 ? (await retrieve(ids, signal)).filter(isHeld) : []
      return new Map(held.map((manifest) => [manifest.documentId, manifest]))
    },
    replace: async (tenant, documentId, before, next, signal) => {
      const condition = before
        ? { update_filter: { must: [is('version', before.version)] } }
        : { update_mode: 'insert_only' as const }
      const points = [{ id: manifestId(tenant, documentId), vector: {}, payload: next }]
      const asked = { collection_name: collection, wait: true, ordering: 'strong' as const, points, ...condition }
      await ask(api.upsertPoints, asked, signal)
      return (await read(tenant, documentId, signal))?.version === next.version
    },
    aliases: async (scope, signal) => (await values('alias', scope, signal)).map(({ value }) => String(value)),
    size: async (scope, signal) =>
      (await values('size', scope, signal)).reduce((sum, { value, count }) => sum + Number(value) * count, 0),
  }
}
