import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openIngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import { openDocumentFiles } from '@plumbline/adapters/files/document-files'
import { acceptDocument } from '@plumbline/adapters/files/intake'
import { connectFailFast, whenReady } from '@plumbline/adapters/redis/client/client'
import { checkStoreShape } from '@plumbline/adapters/redis/client/keys'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { openIngestCatalog } from '@plumbline/adapters/redis/documents/ingest-catalog'
import { openSources } from '@plumbline/features/sources/store/sources'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite/sqlite-passage-index'
import type { Format, TakenDocument } from '@plumbline/contracts'
import { startPrivateRedis } from '@plumbline/platform'
import { startModelServer } from '@plumbline/testing/model-server/model-server'
import { fleet, startProcess, type Proc } from '@plumbline/testing/processes'

export const tenant = 'default'
const dist = join(import.meta.dirname, '..')

/** `embedMs`: the duration of one embedding call. If missing, documents are not embedded. */
type Options = { ingestors: number; embedMs?: number; env?: Record<string, string> }

const openLibrary = async ({ ingestors, embedMs, env: more }: Options) => {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-library-'))
  const server = await startPrivateRedis()
  const model = await startModelServer({ validate: false })
  model.latency({ kind: 'fixed', ms: embedMs ?? 0 })
  const env = {
    REDIS_URL: server.url,
    DATA_DIR: dir,
    HOST: '127.0.0.1',
    HEALTH_PORT: '0',
    // Vectors are off by default, because most tests concern reading and indexing.
    EMBEDDING_MODEL: 'none',
    ...(embedMs !== undefined && {
      EMBEDDING_MODEL: 'text-embedding-3-small',
      EMBEDDING_BASE_URL: model.openaiUrl,
      EMBEDDING_API_KEY: 'a-key',
      EMBEDDING_DIMENSIONS: '64',
    }),
    ...more,
  }
  const redis = connectFailFast(server.url)
  redis.on('error', () => undefined)
  await whenReady(redis, 5_000)
  await checkStoreShape(redis)
  const catalog = openCatalog(redis)
  const files = await openDocumentFiles(join(dir, 'documents'))
  const queue = openIngestQueue(redis, 'main')
  const index = await openSqlitePassageIndex({ file: join(dir, 'index.sqlite') })
  const crew = fleet(ingestors, (n): Proc => startProcess(`ingestor-${n}`, join(dist, 'ingestor/main.mjs'), [], env))
  const send = (name: string, text: string, format: Format = 'markdown'): Promise<TakenDocument> =>
    acceptDocument(
      { catalog, files, queue },
      tenant,
      { name, title: name, collection: 'fire', format },
      { kind: 'text', text },
      { signal: AbortSignal.timeout(30_000) },
    )
  const { fileState } = openIngestCatalog(redis)
  /** Returns the stored files after the removal of unneeded ones. */
  const stored = async (): Promise<string[]> => {
    await files.sweep({ fileState, untouchedMs: 0, keepUnknownMs: 60_000, signal: AbortSignal.timeout(30_000) })
    return readdir(join(dir, 'documents'), { recursive: true })
  }
  const close = async (): Promise<void> => {
    await crew.stop('SIGKILL')
    await index.close()
    await queue.close()
    redis.disconnect()
    await Promise.all([server.stop(), model.close()])
    await rm(dir, { recursive: true, force: true })
  }
  return { catalog, sources: openSources(redis), index, crew, model, send, stored, close }
}
export type Library = Awaited<ReturnType<typeof openLibrary>>

export const inLibrary = async <T>(options: Options, work: (library: Library) => Promise<T>): Promise<T> => {
  const library = await openLibrary(options)
  try {
    return await work(library)
  } finally {
    await library.close()
  }
}
