import {
  cachedReranker,
  openRedisCache,
  openRetrievalCache,
  withFront,
  type RetrievalCache,
} from '@plumbline/adapters/redis'
import type { Models } from '@plumbline/hosting/models'
import type { Reranker } from '@plumbline/ports/reranker'
import { front, rememberingEmbedder, type Remembering } from '../remembering'

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
    embedder: rememberingEmbedder(embedder, parts),
    reranker: reranker && remembering(reranker),
    rerankers: {
      ...(cohere && { cohere: remembering(cohere) }),
      ...(crossEncoder && { 'cross-encoder': remembering(crossEncoder) }),
    },
    cache: level === 'queries' ? undefined : openRetrievalCache({ redis: own.redis, cache }),
  }
}
