import { lexicalEmbedder } from '@plumbline/adapters/offline'
import { cachedEmbedder, openRedisCache, withFront, type RedisClient } from '@plumbline/adapters/redis'
import type { Log, WorkerEnv } from '@plumbline/platform'
import type { Embedder } from '@plumbline/ports/embedder'

/** `patienceMs`: how long Redis may take to answer before it is gone without. */
export type Remembering = { level: WorkerEnv['CACHE']; redis: RedisClient; log: Log; patienceMs?: number }

/** What a process has at hand itself: vectors and ranks are as true in a minute as now. */
export const front = { entries: 256, forMs: 60_000 }

/** The lexical ones are done sooner than Redis is asked. */
export const rememberingEmbedder = (embedder: Embedder, { level, ...parts }: Remembering): Embedder =>
  level === 'off' || embedder.name === lexicalEmbedder.name
    ? embedder
    : cachedEmbedder(embedder, withFront(openRedisCache(parts), front))
