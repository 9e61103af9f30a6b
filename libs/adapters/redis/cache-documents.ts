import { keys } from './keys'
import type { RedisClient } from './scripts'

export type DocumentVersion = { documentId: string; version?: string | undefined }

/** How often each of the collections has changed, by name; null where one does not say. Read anew each time, as a kept number would outlive a change. */
export const versionsOf = async (
  redis: RedisClient,
  tenant: string,
  collections: readonly string[],
): Promise<Record<string, string> | null> => {
  const names = [...new Set(collections)].sort()
  if (names.length === 0) return null
  const versions = await redis.hmget(keys.changes(tenant), ...names)
  return versions.includes(null) ? null : Object.fromEntries(names.map((name, at) => [name, versions[at] ?? '']))
}

/** Whether all of these documents are there and questions find just these versions: a removal may be told to the collection before the index has done it. */
export const areServed = async (
  redis: RedisClient,
  tenant: string,
  documents: readonly DocumentVersion[],
): Promise<boolean> => {
  const each = new Map(documents.map((document) => [`${document.documentId} ${document.version ?? ''}`, document]))
  const held = await Promise.all(
    [...each.values()].map(async ({ documentId, version }) => {
      const [owner, served] = await redis.hmget(keys.document(documentId), 'tenant', 'servedVersion')
      return version !== undefined && owner === tenant && served === version
    }),
  )
  return held.every(Boolean)
}
