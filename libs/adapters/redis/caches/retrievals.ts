import { z } from 'zod'
import { Evidence } from '@plumbline/contracts'
import { normal } from '@plumbline/knowledge/text'
import type { Scope } from '@plumbline/ports/passage-index/passage-index'
import { keys } from '../client/keys'
import type { RedisClient } from '../client/client'
import { bytesOf, type Cache, cacheLimits, digestOf, readEntry, vectorOf } from './cache'

export type Searching = { scope: Scope; query: string; vector: Float32Array; by: unknown }
type CacheResult = { kind: 'hit'; passages: Evidence[] } | { kind: 'miss'; keep(passages: Evidence[]): Promise<void> }
export type RetrievalCache = { look(searching: Searching): Promise<CacheResult> }

/** Increase this number when the shape of entries changes, so that entries of another release are ignored. */
const shape = 1
const nearest = 0.97

const Kept = z.object({ query: z.string(), vector: z.base64(), passages: z.array(Evidence) })

const cosine = (a: Float32Array, b: Float32Array): number => {
  let [dot, left, right] = [0, 0, 0]
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0
    dot += value * other
    left += value * value
    right += other * other
  }
  return a.length === b.length ? dot / Math.sqrt(left * right) : 0
}

export const isNear = (
  a: { query: string; vector: Float32Array },
  b: { query: string; vector: Float32Array },
): boolean => normal(a.query) === normal(b.query) && cosine(a.vector, b.vector) > nearest

export const scopeParts = ({ tenant, filters, access }: Scope): unknown[] => [
  tenant,
  Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)),
  access === 'all' ? 'all' : [...access].sort(),
]

const unknown: CacheResult = { kind: 'miss', keep: () => Promise.resolve() }

export const openRetrievalCache = ({ redis, cache }: { redis: RedisClient; cache: Cache }): RetrievalCache => {
  const read = async (
    tenant: string,
    entry: Buffer,
    asked: { query: string; vector: Float32Array },
  ): Promise<Evidence[] | null> => {
    const kept = readEntry(Kept, entry)
    if (!kept) return null
    const { query, vector, passages } = kept
    if (!isNear({ query, vector: vectorOf(Buffer.from(vector, 'base64')) }, asked)) return null
    return (await cache.within(() => areVersionsServed(redis, tenant, passages))) ? passages : null
  }
  return {
    look: async ({ scope, query, vector, by }) => {
      const { tenant, collections } = scope
      const versions = await cache.within(() => versionsOf(redis, tenant, collections))
      if (!versions) return unknown
      const place = { name: `retrievals:${tenant}`, limits: cacheLimits.retrievals }
      const key = digestOf([shape, scopeParts(scope), collections, versions, by, normal(query)])
      const entry = await cache.get(place, key)
      const passages = entry && (await read(tenant, entry, { query, vector }))
      if (passages) return { kind: 'hit', passages: passages.map((passage) => ({ ...passage, query })) }
      // The key contains the collection versions from before the search, so that a change during the search makes the
      // entry invalid.
      const keep = (found: Evidence[]): Promise<void> =>
        cache.put(
          place,
          key,
          Buffer.from(
            JSON.stringify({ query, vector: Buffer.from(bytesOf(vector)).toString('base64'), passages: found }),
          ),
        )
      return { kind: 'miss', keep }
    },
  }
}

export type DocumentVersion = { documentId: string; version?: string | undefined }

/**
 * Returns the change count of each collection, or null if a count is missing. Do not cache the result, because an old
 * count would hide changes.
 */
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

/** Returns true if these versions are current. Reads the catalog, because the index may still contain old versions. */
export const areVersionsServed = async (
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
