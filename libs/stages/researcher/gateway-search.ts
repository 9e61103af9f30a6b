import type { RedisClient } from '@plumbline/adapters/redis/client/client'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import type { Models } from '@plumbline/hosting/models/models'
import type { Log, WorkerEnv } from '@plumbline/platform'
import { rejectOnAbort } from '@plumbline/platform'
import type { Embedder } from '@plumbline/ports/search-models'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { cachedCollections, withCaches } from '../handler/caches'
import { searchPassages } from './search'

/** The time limit for embedding a query. After this time, the search uses only words. */
const vectorsMs = 4_000

const withVectorTimeout = (embedder: Embedder): Embedder => ({
  ...embedder,
  embed: (texts, signal, onCall) => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(vectorsMs)])
    return rejectOnAbort(embedder.embed(texts, limited, onCall), limited)
  },
})

type Opened = { index: PassageIndex; models: Pick<Models, 'embedder' | 'reranker' | 'rerankers'> }
type Parts = { redis: RedisClient; log: Log; level: WorkerEnv['CACHE']; open(): Promise<Opened> }

/** Opens index and models on first use, so that the gateway can start without them. */
export const openGatewaySearch = ({ redis, log, level, open }: Parts) => {
  const catalog = openCatalog(redis)
  const collections = cachedCollections((tenant, name) => catalog.collection(tenant, name))
  const opened = async () => {
    const { index, models } = await open()
    const { embedder, ...others } = withCaches(models, { level, redis, log })
    return { index, search: searchPassages({ index, collections, embedder: withVectorTimeout(embedder), ...others }) }
  }
  let kept: ReturnType<typeof opened> | undefined
  const once = () =>
    (kept ??= opened().catch((error: unknown) => {
      kept = undefined
      throw error
    }))
  return {
    search: async (asked: Parameters<ReturnType<typeof searchPassages>>[0]) => (await once()).search(asked),
    ofDocument: async (...asked: Parameters<PassageIndex['passages']>) => (await once()).index.passages(...asked),
  }
}
