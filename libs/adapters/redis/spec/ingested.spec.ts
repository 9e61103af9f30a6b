import { openIngestCatalog } from '../ingest-catalog'
import { RedisCatalog } from '../redis-catalog'
import type { RedisClient } from '../scripts'

/** Takes a document through, as the ingestor does; returns the version that questions find. */
export const ingested = async (
  redis: RedisClient,
  [tenant, collection, id, content]: [string, string, string, string],
): Promise<string> => {
  const revision = `${id}-${content}`
  await new RedisCatalog(redis).createDocument(tenant, id, revision, {
    told: { title: id, collection },
    source: { kind: 'text' },
    digest: content,
  })
  const ingest = openIngestCatalog(redis)
  const begun = await ingest.begin(id, revision)
  if (begun.kind !== 'open') throw new Error(begun.kind)
  await ingest.finish(begun.open, 1)
  return begun.open.version
}
