import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { AppError, type Log } from '@plumbline/platform'
import type { Embedder } from '@plumbline/ports/search-models'
import type { Reranker } from '@plumbline/ports/search-models'
import { withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import { withScripts, type RedisClient } from '../client/client'
import cacheGet from './cache-get.lua'
import cachePut from './cache-put.lua'

export type CacheLimits = { ttlMs: number; entries: number; maxBytes: number }

/** All tenants share `vectors` and `reranks`. Each tenant has its own copy of the other caches. */
export const cacheLimits = {
  vectors: { ttlMs: 24 * 3_600_000, entries: 2_000, maxBytes: 65_536 },
  reranks: { ttlMs: 3_600_000, entries: 2_000, maxBytes: 16_384 },
  retrievals: { ttlMs: 600_000, entries: 256, maxBytes: 262_144 },
  answers: { ttlMs: 3_600_000, entries: 256, maxBytes: 262_144 },
  /** The limits of pinned answers. The keys in Redis use the older name `kept`. */
  kept: { ttlMs: 90 * 24 * 3_600_000, entries: 2_000, maxBytes: 262_144 },
} satisfies Record<string, CacheLimits>

type Options = {
  redis: RedisClient
  log: Pick<Log, 'warn'>
  /** `patienceMs` is the timeout of a call to the cache. After an error or a timeout, the cache rests for `restMs`. */
  patienceMs?: number
  restMs?: number
}
type CacheSpace = { name: string; limits: CacheLimits }

export type Cache = {
  get(place: CacheSpace, key: string): Promise<Buffer | null>
  put(place: CacheSpace, key: string, value: Uint8Array): Promise<void>
  within<Value>(work: () => Promise<Value>): Promise<Value | null>
}

export const digestOf = (parts: unknown): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

export const readEntry = <Shape extends z.ZodType>(shape: Shape, bytes: Buffer): z.output<Shape> | null => {
  try {
    return shape.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}

type BufferScripts = { cacheGetBuffer(entries: string, ends: string, field: string): Promise<Buffer | null> }

/** The cache never throws, because it treats an error or a timeout as a missing entry. */
export const openRedisCache = ({ redis, log, patienceMs = 50, restMs = 2_000 }: Options): Cache => {
  const scripts = withScripts(redis, {
    cacheGet: { lua: cacheGet, numberOfKeys: 2 },
    cachePut: { lua: cachePut, numberOfKeys: 2 },
  })
  const binary = redis as unknown as BufferScripts
  const calls = withTimeout(patienceMs)
  let restsUntil = 0

  const within = async <Value>(work: () => Promise<Value>): Promise<Value | null> => {
    if (performance.now() < restsUntil) return null
    try {
      return await calls(work)
    } catch (error) {
      restsUntil = performance.now() + restMs
      log.warn({ err: error }, 'cache bypassed: redis timeout')
      return null
    }
  }
  return {
    within,
    get: ({ name }, key) => within(() => binary.cacheGetBuffer(keys.cached(name), keys.cachedEnds(name), key)),
    put: async ({ name, limits: { ttlMs, entries, maxBytes } }, key, value) => {
      if (value.byteLength > maxBytes) return
      await within(() =>
        scripts.cachePut(
          keys.cached(name),
          keys.cachedEnds(name),
          key,
          Buffer.from(value.buffer, value.byteOffset, value.byteLength),
          ttlMs,
          entries,
        ),
      )
    },
  }
}

/** Keeps a copy of the cached values in memory. Use this only for values that never change before they expire. */
export const withFront = (cache: Cache, { entries, forMs }: { entries: number; forMs: number }): Cache => {
  const front = new LRUCache<string, Buffer>({ max: entries, ttl: forMs })
  return {
    ...cache,
    get: async (place, key) => {
      const at = `${place.name} ${key}`
      const known = front.get(at)
      if (known) return known
      const value = await cache.get(place, key)
      if (value) front.set(at, value)
      return value
    },
    put: async (place, key, value) => {
      if (value.byteLength > place.limits.maxBytes) return
      front.set(`${place.name} ${key}`, Buffer.from(value))
      await cache.put(place, key, value)
    },
  }
}

const vectors = { name: 'vectors', limits: cacheLimits.vectors }
const reranks = { name: 'reranks', limits: cacheLimits.reranks }

export const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
/** The bytes are copied, because a Float32Array cannot start at every position of a Redis reply. */
export const vectorOf = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer)

const nextOf = (vectors: Iterator<Float32Array>): Float32Array => {
  const { value, done } = vectors.next()
  if (done) throw new AppError('embedder.short', 'later')
  return value
}

/**
 * Use this embedder only for questions. Vectors of documents are needed only once, and would push the vectors of
 * questions out of the cache.
 */
export const cachedEmbedder = (embedder: Embedder, cache: Cache): Embedder => {
  const { name, dimensions } = embedder
  const keyOf = (text: string): string => digestOf([name, dimensions, text])
  const known = async (text: string): Promise<Float32Array | null> => {
    const bytes = await cache.get(vectors, keyOf(text))
    return bytes?.byteLength === dimensions * 4 ? vectorOf(bytes) : null
  }
  return {
    name,
    dimensions,
    embed: async (texts, signal, onCall) => {
      signal.throwIfAborted()
      const found = await Promise.all(texts.map(known))
      const missing = texts.filter((_, at) => !found[at])
      const made = missing.length > 0 ? await embedder.embed(missing, signal, onCall) : []
      for (const [at, vector] of made.entries()) void cache.put(vectors, keyOf(missing[at] ?? ''), bytesOf(vector))
      const rest = made.values()
      return found.map((vector) => vector ?? nextOf(rest))
    },
  }
}

const Order = z.array(z.tuple([z.number().int().min(0), z.number()]))

const orderOf = (bytes: Buffer | null, documents: number): { index: number; score: number }[] | null => {
  const read = bytes && readEntry(Order, bytes)
  return read?.every(([index]) => index < documents) ? read.map(([index, score]) => ({ index, score })) : null
}

export const cachedReranker = (reranker: Reranker, cache: Cache): Reranker => ({
  name: reranker.name,
  rerank: async (query, documents, topN, signal, onCall) => {
    signal.throwIfAborted()
    const key = digestOf([reranker.name, topN, query, documents])
    const known = orderOf(await cache.get(reranks, key), documents.length)
    if (known) return known
    const order = await reranker.rerank(query, documents, topN, signal, onCall)
    void cache.put(reranks, key, Buffer.from(JSON.stringify(order.map(({ index, score }) => [index, score]))))
    return order
  },
})
