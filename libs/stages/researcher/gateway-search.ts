import { openCatalog, type RedisClient } from '@plumbline/adapters/redis'
import type { Models } from '@plumbline/hosting/models/models'
import type { Log, WorkerEnv } from '@plumbline/platform'
import { orAborted } from '@plumbline/platform'
import type { Embedder } from '@plumbline/ports/search-models'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { keptCollections, withCaches } from '../handler/caches'
import { searchPassages } from './search'

/** Whoever looks at a page does not wait as long for vectors as a research step does: then words alone are searched. */
const vectorsMs = 4_000

const promptly = (embedder: Embedder): Embedder => ({
  ...embedder,
  embed: (texts, signal, onCall) => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(vectorsMs)])
    return orAborted(embedder.embed(texts, limited, onCall), limited)
  },
})

type Opened = { index: PassageIndex; models: Pick<Models, 'embedder' | 'reranker' | 'rerankers'> }
type Parts = { redis: RedisClient; log: Log; level: WorkerEnv['CACHE']; open(): Promise<Opened> }

/** The search that a gateway offers: the researcher's own. What it needs is opened when it is first used, so that a gateway starts without it. */
export const openGatewaySearch = ({ redis, log, level, open }: Parts) => {
  const catalog = openCatalog(redis)
  const collections = keptCollections((tenant, name) => catalog.collection(tenant, name))
  const opened = async () => {
    const { index, models } = await open()
    const { embedder, ...others } = withCaches(models, { level, redis, log })
    return { index, search: searchPassages({ index, collections, embedder: promptly(embedder), ...others }) }
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
