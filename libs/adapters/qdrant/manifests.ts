import type { Scope } from '@plumbline/ports/passage-index'
import { ask, unlessAbsent, type Api } from './api'
import { is, within, type Manifest, type ManifestPayload, type Tombstone } from './payload'
import { uuidOf } from './names'

const manifestId = (tenant: string, documentId: string): string => uuidOf('manifest', tenant, documentId)
export const isHeld = (payload: ManifestPayload | undefined): payload is Extract<ManifestPayload, Manifest> =>
  payload !== undefined && 'homes' in payload

/** More spaces, or more sizes of documents, than there are. */
const mostValues = 10_000

export type Manifests = {
  read(tenant: string, documentId: string, signal: AbortSignal): Promise<ManifestPayload | undefined>
  /** By document; those that are not held are missing. */
  lookUp(tenant: string, documentIds: Iterable<string>, signal: AbortSignal): Promise<Map<string, Manifest>>
  /** Whether the document now counts as told: only where nobody else changed it since `before` was read. */
  replace(
    tenant: string,
    documentId: string,
    before: Tombstone | undefined,
    next: ManifestPayload,
    signal: AbortSignal,
  ): Promise<boolean>
  /** Which spaces the documents of a scope are in. */
  aliases(scope: Scope, signal: AbortSignal): Promise<string[]>
  /** How many passages the documents of a scope have. */
  size(scope: Scope, signal: AbortSignal): Promise<number>
}

export const manifestsIn = (api: Api, collection: string): Manifests => {
  // Of several replicas, one may not have heard yet which version counts.
  const retrieve = async (ids: string[], signal: AbortSignal): Promise<ManifestPayload[]> => {
    const asked = {
      collection_name: collection,
      consistency: 'majority' as const,
      ids,
      with_payload: true,
      with_vector: false,
    }
    const found = await unlessAbsent(
      ask(signal, (init) => api.getPoints(asked, init)),
      [],
    )
    return found.map(({ payload }) => payload as unknown as ManifestPayload)
  }
  const read: Manifests['read'] = async (tenant, documentId, signal) =>
    (await retrieve([manifestId(tenant, documentId)], signal))[0]
  const values = async (key: string, scope: Scope, signal: AbortSignal) => {
    const asked = { collection_name: collection, key, filter: within(scope), limit: mostValues, exact: true }
    return (
      await unlessAbsent(
        ask(signal, (init) => api.facet(asked, init)),
        { hits: [] },
      )
    ).hits
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
      await ask(signal, (init) =>
        api.upsertPoints({ collection_name: collection, wait: true, ordering: 'strong', points, ...condition }, init),
      )
      return (await read(tenant, documentId, signal))?.version === next.version
    },
    aliases: async (scope, signal) => (await values('alias', scope, signal)).map(({ value }) => String(value)),
    size: async (scope, signal) =>
      (await values('size', scope, signal)).reduce((sum, { value, count }) => sum + Number(value) * count, 0),
  }
}
