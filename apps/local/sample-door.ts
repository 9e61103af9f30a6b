import { join } from 'node:path'
import { openIngestQueue } from '@plumbline/adapters/bullmq'
import { openDocumentFiles, takeDocument } from '@plumbline/adapters/files'
import { connectFailFast, documentIdOf, RedisCatalog, whenReady } from '@plumbline/adapters/redis'
import type { SampleDoor } from './sample'

const takeWithinMs = 30_000

type Where = { tenant: string; lane: string; dataDir: string; collection: string }

/** Where whoever reads the screen will look for it: in local mode's tenant, or in that of the first key. */
export const sampleTenant = (apiKeys = ''): string => {
  const tenants = apiKeys.split(',').flatMap((entry) => entry.split(':')[1] ?? [])
  return tenants.includes('default') ? 'default' : (tenants[0] ?? 'default')
}

/** Straight to the catalog: the sample collection needs no key of anybody's. A file names its document, so that a changed one replaces it. */
export const openSampleDoor = async (
  redisUrl: string,
  { tenant, lane, dataDir, collection }: Where,
): Promise<SampleDoor & { close(): Promise<void> }> => {
  const redis = connectFailFast(redisUrl)
  await whenReady(redis, 5_000)
  const catalog = new RedisCatalog(redis)
  const queue = openIngestQueue(redis, lane)
  const files = await openDocumentFiles(join(dataDir, 'documents'))
  const idOf = (file: string): string => documentIdOf(tenant, collection, { name: file })
  return {
    document: (file) => catalog.document(tenant, idOf(file)),
    describe: (name, description) => catalog.putCollection(tenant, name, { description }),
    add: async ({ file, title, text, digest }) => {
      const known = await catalog.document(tenant, idOf(file))
      // What is sent again unchanged is missing from an index that was begun anew.
      if (known?.status === 'indexed' && known.metadata?.digest === digest)
        await catalog.removeDocument(tenant, idOf(file))
      const fields = { name: file, title, collection, metadata: { digest }, format: 'markdown' as const }
      await takeDocument(
        { catalog, files, queue },
        tenant,
        fields,
        { kind: 'text', text },
        { signal: AbortSignal.timeout(takeWithinMs) },
      )
    },
    close: async () => {
      await queue.close()
      redis.disconnect()
    },
  }
}
