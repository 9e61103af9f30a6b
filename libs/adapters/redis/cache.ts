import { createHash } from 'node:crypto'
import type { Log } from '@plumbline/platform'
import type { z } from 'zod'
import { keys } from './keys'
import { callsWithin } from './redis-errors'
import { withScripts, type RedisClient } from './scripts'

export type CacheLimits = { ttlMs: number; entries: number; maxBytes: number }

/** Every cache: how long it keeps an entry, how many entries it has, and how large one may be. `vectors` and `reranks` are one for all, the others one for each tenant. */
export const cacheLimits = {
  vectors: { ttlMs: 24 * 3_600_000, entries: 2_000, maxBytes: 65_536 },
  reranks: { ttlMs: 3_600_000, entries: 2_000, maxBytes: 16_384 },
  retrievals: { ttlMs: 600_000, entries: 256, maxBytes: 262_144 },
  answers: { ttlMs: 3_600_000, entries: 256, maxBytes: 262_144 },
} satisfies Record<string, CacheLimits>

type Options = {
  redis: RedisClient
  log: Pick<Log, 'warn'>
  /** How long a look may take before it is gone without, and how long nothing is asked after it did. */
  patienceMs?: number
  restMs?: number
}
type Place = { name: string; limits: CacheLimits }

export type Cache = {
  get(place: Place, key: string): Promise<Buffer | null>
  put(place: Place, key: string, value: Uint8Array): Promise<void>
  /** Work with Redis that a cache needs besides; null where it fails or is slow. */
  within<Value>(work: () => Promise<Value>): Promise<Value | null>
}

export const digestOf = (parts: unknown): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

/** What was kept as JSON; nothing where it is not of this shape. */
export const readKept = <Shape extends z.ZodType>(shape: Shape, bytes: Buffer): z.output<Shape> | null => {
  try {
    return shape.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}

type BufferScripts = { cacheGetBuffer(entries: string, ends: string, field: string): Promise<Buffer | null> }

/** A cache that all workers share. It never fails: what it cannot say in time it does not know. */
export const openRedisCache = ({ redis, log, patienceMs = 50, restMs = 2_000 }: Options): Cache => {
  const scripts = withScripts(redis)
  const binary = redis as unknown as BufferScripts
  const calls = callsWithin(patienceMs)
  let restsUntil = 0

  const within = async <Value>(work: () => Promise<Value>): Promise<Value | null> => {
    if (performance.now() < restsUntil) return null
    try {
      return await calls(work)
    } catch (error) {
      restsUntil = performance.now() + restMs
      log.warn({ err: error }, 'the cache is gone without for a moment: Redis does not answer in time')
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

/** What this process has just seen, before Redis is asked: only for what is true for as long as it is kept. */
export const withFront = (cache: Cache, { entries, forMs }: { entries: number; forMs: number }): Cache => {
  const front = new Map<string, { value: Buffer; until: number }>()
  const keep = (at: string, value: Buffer): void => {
    front.delete(at)
    front.set(at, { value, until: performance.now() + forMs })
    const [oldest] = front.keys()
    if (front.size > entries && oldest !== undefined) front.delete(oldest)
  }
  return {
    ...cache,
    get: async (place, key) => {
      const at = `${place.name} ${key}`
      const known = front.get(at)
      if (known && known.until > performance.now()) {
        front.delete(at)
        front.set(at, known)
        return known.value
      }
      const value = await cache.get(place, key)
      if (value) keep(at, value)
      return value
    },
    put: async (place, key, value) => {
      if (value.byteLength > place.limits.maxBytes) return
      keep(`${place.name} ${key}`, Buffer.from(value))
      await cache.put(place, key, value)
    },
  }
}
