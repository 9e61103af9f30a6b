import { startPrivateCluster, startPrivateRedis } from '@plumbline/platform'
import { connectFailFast, whenReady } from '../client/client'
import type { RedisClient } from '../client/client'
import { openCatalog, type Catalog } from '../documents/catalog'
import { type IngestCatalog, type OpenDocument, openIngestCatalog } from '../documents/ingest-catalog'

type Start = () => Promise<{ url: string; stop(): Promise<void> }>
export const servers: [string, Start][] = [
  ['one Redis', () => startPrivateRedis()],
  ['a cluster', () => startPrivateCluster()],
]

let made = 0
/** Returns a name that is unique within the file. */
export const fresh = (prefix: string): string => `${prefix}${(made += 1)}`

export const document = (title: string, collection = 'default', digest: string | null = title) => ({
  told: { title, collection },
  source: digest === null ? { kind: 'url' as const, url: `https://example.org/${title}` } : { kind: 'text' as const },
  digest,
})

export type OwnCatalog = {
  redis: RedisClient
  catalog: Catalog
  ingest: IngestCatalog
  begin(id: string, revision: string): Promise<OpenDocument>
  finished(id: string, revision: string): ReturnType<IngestCatalog['finish']>
  stop(): Promise<void>
}

/** Opens a catalog on its own Redis server. Stopping the catalog also stops the server. */
export const ownCatalog = async (start: Start): Promise<OwnCatalog> => {
  const server = await start()
  const redis = connectFailFast(server.url)
  await whenReady(redis, 5_000)
  const ingest = openIngestCatalog(redis)
  const begin: OwnCatalog['begin'] = async (id, revision) => {
    const begun = await ingest.begin(id, revision, { isolated: true })
    if (begun.kind !== 'open') throw new Error(begun.kind)
    return begun.open
  }
  return {
    redis,
    catalog: openCatalog(redis),
    ingest,
    begin,
    finished: async (id, revision) => ingest.finish(await begin(id, revision), 1),
    stop: async () => {
      redis.disconnect()
      await server.stop()
    },
  }
}

/** Ingests a document like the ingestor does. Returns the version that questions find. */
export const ingested = async (
  redis: RedisClient,
  [tenant, collection, id, content]: [string, string, string, string],
): Promise<string> => {
  const revision = `${id}-${content}`
  await openCatalog(redis).createDocument(tenant, id, revision, {
    told: { title: id, collection },
    source: { kind: 'text' },
    digest: content,
  })
  const ingest = openIngestCatalog(redis)
  const begun = await ingest.begin(id, revision, { isolated: true })
  if (begun.kind !== 'open') throw new Error(begun.kind)
  await ingest.finish(begun.open, 1)
  return begun.open.version
}
