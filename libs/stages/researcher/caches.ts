import { lexicalEmbedder, lexicalReranker } from '@plumbline/adapters/offline'
import { cachedEmbedder, cachedReranker, openRedisCache, openRetrievalCache, withFront, type RedisClient, type RetrievalCache } from '@plumbline/adapters/redis'
import type { Models } from '@plumbline/hosting/models'
import type { Log, WorkerEnv } from '@plumbline/platform'
import type { Embedder } from '@plumbline/ports/embedder'
import type { Reranker } from '@plumbline/ports/reranker'

type Remembered = Pick<Models, 'embedder' | 'reranker' | 'rerankers'>
type With = { level: WorkerEnv['CACHE']; redis: RedisClient; log: Log }

/** What a process has at hand itself: vectors and ranks are as true in a minute as now. */
const front = { entries: 256, forMs: 60_000 }

/** The lexical ones are done sooner than Redis is asked. */
export const rememberingEmbedder = (embedder: Embedder, { level, redis, log }: With): Embedder =>
  level === 'off' || embedder.name === lexicalEmbedder.name ? embedder : cachedEmbedder(embedder, withFront(openRedisCache({ redis, log }), front))

export const withCaches = ({ embedder, reranker, rerankers }: Remembered, parts: With): Remembered & { cache: RetrievalCache | undefined } => {
  const { level, redis, log } = parts
  if (level === 'off') return { embedder, reranker, rerankers, cache: undefined }
  const cache = openRedisCache({ redis, log })
  const inFront = withFront(cache, front)
  const remembering = (by: Reranker): Reranker => (by.name === lexicalReranker.name ? by : cachedReranker(by, inFront))
  const { cohere, 'cross-encoder': crossEncoder } = rerankers
  return {
    embedder: rememberingEmbedder(embedder, parts),
    reranker: remembering(reranker),
    rerankers: {
      ...rerankers,
      ...(cohere && { cohere: remembering(cohere) }),
      ...(crossEncoder && { 'cross-encoder': remembering(crossEncoder) }),
    },
    cache: level === 'queries' ? undefined : openRetrievalCache({ redis, cache }),
  }
}
