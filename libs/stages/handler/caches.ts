import { builtInName } from '@plumbline/encoder/built-in-embedder'
import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import type { RetrievalCache } from '@plumbline/adapters/redis/caches/retrievals'
import type { RedisClient } from '@plumbline/adapters/redis/client/client'
import { cachedEmbedder, cachedReranker, openRedisCache, withFront } from '@plumbline/adapters/redis/caches/cache'
import { openRetrievalCache } from '@plumbline/adapters/redis/caches/retrievals'
import type { CollectionView } from '@plumbline/contracts'
import type { Models } from '@plumbline/hosting/models/models'
import type { Log, WorkerEnv } from '@plumbline/platform'
import type { Embedder } from '@plumbline/ports/search-models'
import type { Reranker } from '@plumbline/ports/search-models'
import { LRUCache } from 'lru-cache'

export type Remembering = { level: WorkerEnv['CACHE']; redis: RedisClient; log: Log; patienceMs?: number }

/** The cache in this process, asked before Redis. It may be a minute old, because its content rarely changes. */
const front = { entries: 256, forMs: 60_000 }

/** Embedders that run in this process get no cache, because asking Redis would take longer than embedding again. */
export const embedderWithCache = (embedder: Embedder, { level, ...parts }: Remembering): Embedder =>
  level === 'off' || [lexicalEmbedder.name, builtInName].includes(embedder.name)
    ? embedder
    : cachedEmbedder(embedder, withFront(openRedisCache(parts), front))

type Remembered = Pick<Models, 'embedder' | 'reranker' | 'rerankers'>

export const withCaches = (
  { embedder, reranker, rerankers }: Remembered,
  parts: Remembering,
): Remembered & { cache: RetrievalCache | undefined } => {
  const { level, ...own } = parts
  if (level === 'off') return { embedder, reranker, rerankers, cache: undefined }
  const cache = openRedisCache(own)
  const inFront = withFront(cache, front)
  const remembering = (by: Reranker): Reranker => cachedReranker(by, inFront)
  const { cohere, 'cross-encoder': crossEncoder } = rerankers
  return {
    embedder: embedderWithCache(embedder, parts),
    reranker: reranker && remembering(reranker),
    rerankers: {
      ...(cohere && { cohere: remembering(cohere) }),
      ...(crossEncoder && { 'cross-encoder': remembering(crossEncoder) }),
    },
    cache: level === 'queries' ? undefined : openRetrievalCache({ redis: own.redis, cache }),
  }
}

export type ReadCollections = (tenant: string, names: readonly string[]) => Promise<CollectionView[]>
type ReadOne = (tenant: string, name: string) => Promise<CollectionView | null>

/** Caches each collection for two seconds, because research steps read collections often and they rarely change. */
export const cachedCollections = (read: ReadOne): ReadCollections => {
  const kept = new LRUCache<string, Promise<CollectionView | null>>({ max: 1_000, ttl: 2_000 })
  const one: ReadOne = (tenant, name) => {
    const key = JSON.stringify([tenant, name])
    const known = kept.get(key)
    if (known) return known
    const view = read(tenant, name)
    kept.set(key, view)
    view.catch(() => kept.delete(key))
    return view
  }
  return async (tenant, names) =>
    (await Promise.all(names.map((name) => one(tenant, name)))).filter((view) => view !== null)
}
