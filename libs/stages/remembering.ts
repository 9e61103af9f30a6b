import { lexicalEmbedder } from '@plumbline/adapters/offline'
import { cachedEmbedder, openRedisCache, withFront, type RedisClient } from '@plumbline/adapters/redis'
import type { Log, WorkerEnv } from '@plumbline/platform'
import type { Embedder } from '@plumbline/ports/embedder'

export type Remembering = { level: WorkerEnv['CACHE']; redis: RedisClient; log: Log }

/** What a process has at hand itself: vectors and ranks are as true in a minute as now. */
export const front = { entries: 256, forMs: 60_000 }

/** The lexical ones are done sooner than Redis is asked. */
export const rememberingEmbedder = (embedder: Embedder, { level, redis, log }: Remembering): Embedder =>
  level === 'off' || embedder.name === lexicalEmbedder.name ? embedder : cachedEmbedder(embedder, withFront(openRedisCache({ redis, log }), front))
