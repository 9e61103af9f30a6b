import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openIngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import { type DocumentFiles, openDocumentFiles } from '@plumbline/adapters/files/document-files'
import { acceptDocument } from '@plumbline/adapters/files/intake'
import { connectFailFast, type RedisClient, whenReady } from '@plumbline/adapters/redis/client/client'
import { type Catalog, openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { openQdrantPassageIndex } from '@plumbline/adapters/qdrant/qdrant-passage-index'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite/sqlite-passage-index'
import { builtInEmbedders } from '@plumbline/encoder/built-in-embedder'
import { type Host, hostStages } from '@plumbline/hosting/host-stages'
import { AppError, type PrivateRedis, silent, startPrivateRedis } from '@plumbline/platform'
import { onlyMethod, type PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import type { Embedder } from '@plumbline/ports/search-models'
import { startQdrantServer } from '@plumbline/testing/qdrant-server/qdrant-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ingestorWith } from './ingestor'
import { addVectorsLater } from './later-vectors'

const never = new AbortController().signal
const tenant = 't'
const { questions } = builtInEmbedders()
const question = 'How much paid time off do I get?'

let server: PrivateRedis
let redis: RedisClient
let folder: string
let index: PassageIndex
let catalog: Catalog
let files: DocumentFiles
let host: Host | undefined

beforeAll(async () => {
  server = await startPrivateRedis()
  folder = await mkdtemp(join(tmpdir(), 'plumbline-vectors-'))
  redis = connectFailFast(server.url)
  await whenReady(redis, 5_000)
  catalog = openCatalog(redis)
  files = await openDocumentFiles(join(folder, 'documents'))
  index = await openSqlitePassageIndex({ file: join(folder, 'index.sqlite') })
})
afterAll(async () => {
  await host?.close()
  await index.close()
  redis.disconnect()
  await server.stop()
  await rm(folder, { recursive: true })
})

const start = async (EMBEDDING_MODEL: string, more: Record<string, string> = {}): Promise<void> => {
  await host?.close()
  const env = { REDIS_URL: server.url, DATA_DIR: folder, EMBEDDING_MODEL, ...more }
  host = await hostStages({ app: 'ingestor', stages: [ingestorWith([])], env, log: silent, health: false })
}
const bring = async (name: string, collection: string, text: string): Promise<string> => {
  const queue = openIngestQueue(redis, 'main')
  const fields = { name, title: name, collection }
  const { id } = await acceptDocument(
    { catalog, files, queue },
    tenant,
    fields,
    { kind: 'text', text },
    { signal: never },
  )
  await queue.close()
  await vi.waitUntil(async () => (await catalog.document(tenant, id))?.status === 'indexed', { timeout: 50_000 })
  return id
}
const byMeaning = async (collection: string, within = index): Promise<string[]> => {
  const [values] = await questions.embed([question], never)
  const found = await within.search(
    { tenant, collections: [collection], filters: {}, access: 'all' },
    { text: question, vector: { space: questions.name, values: values! } },
    onlyMethod('similarity', { k: 1 }),
    never,
  )
  return found.map(({ passage }) => passage.documentId)
}
const hasVectors = (id: string) =>
  vi.waitUntil(async () => (await catalog.document(tenant, id))?.vectors === undefined, { timeout: 50_000 })

/** Adds all missing vectors, and returns the calls of the catalog. */
const addAll = async (embedder: Embedder): Promise<unknown[]> => {
  const noted: unknown[] = []
  await addVectorsLater(
    {
      vectors: index.laterVectors!,
      embedder,
      catalog: {
        noteVectors: (_id, _version, vectors) => Promise.resolve(void noted.push(vectors)),
        useEmbedder: (_tenant, collection) => Promise.resolve(void noted.push(collection)),
      },
      charge: () => undefined,
      yieldToQuestions: () => Promise.resolve(),
      process: { inFlight: { size: 1, questionTasks: 0 } },
      log: silent,
    },
    never,
  )
  return noted
}

describe('vectors of the built-in encoder', () => {
  it('are added after a document is indexed, so that it is found by its meaning', async () => {
    await start('built-in')
    const vacation = await bring('vacation', 'staff', 'Employees have 15 days of vacation every year.')
    await bring('pump', 'staff', 'The pump needs oil once a month.')
    await hasVectors(vacation)
    expect(await byMeaning('staff')).toEqual([vacation])
    expect(await catalog.collection(tenant, 'staff')).toMatchObject({ embedder: questions.name })
  })

  it('are added to older documents, and the collection changes its embedder when all have vectors', async () => {
    await start('none')
    const vacation = await bring('vacation', 'older', 'Employees have 15 days of vacation every year.')
    await bring('pump', 'older', 'The pump needs oil once a month.')
    const { embedder: before } = (await catalog.collection(tenant, 'older')) ?? {}
    expect(before).toMatch(/^lexical/)
    expect(await byMeaning('older')).toEqual([])
    await start('built-in')
    const added = await bring('boiler', 'older', 'The boiler is checked in May.')
    await vi.waitUntil(async () => (await catalog.collection(tenant, 'older'))?.embedder === questions.name, {
      timeout: 50_000,
    })
    await hasVectors(added)
    await vi.waitUntil(async () => (await byMeaning('older'))[0] === vacation, { timeout: 50_000 })
  })

  it('are added in Qdrant too, and until then every search finds each document by its words', async () => {
    const qdrant = await startQdrantServer()
    const stored = await openQdrantPassageIndex({ url: qdrant.url })
    const byWords = async (): Promise<number> => {
      const scope = { tenant, collections: ['remote'], filters: {}, access: 'all' as const }
      const query = { text: 'vacation pump', vector: null }
      return (await stored.search(scope, query, onlyMethod('bm25', { k: 9 }), never)).length
    }
    await start('none', { QDRANT_URL: qdrant.url })
    const vacation = await bring('vacation', 'remote', 'Employees have 15 days of vacation every year.')
    await bring('pump', 'remote', 'The pump needs oil once a month.')
    await start('built-in', { QDRANT_URL: qdrant.url })
    const found: number[] = []
    await vi.waitUntil(
      async () => {
        found.push(await byWords())
        return (await stored.laterVectors?.missing(questions, null, never)) === 0
      },
      { timeout: 50_000 },
    )
    expect([...new Set(found)]).toEqual([2])
    expect((await byMeaning('remote', stored))[0]).toBe(vacation)
    expect(await catalog.collection(tenant, 'remote')).toMatchObject({ embedder: questions.name })
    const added = await bring('boiler', 'remote', 'The boiler is checked in May.')
    await hasVectors(added)
    await host?.close()
    host = undefined
    expect(qdrant.faults).toEqual([])
    await qdrant.close()
  })

  it('report their progress in a long document, and change the embedder of its collection last', async () => {
    await start('none')
    const id = await bring(
      'long',
      'long',
      Array.from({ length: 90 }, (_, at) => `# Part ${at}\n\nText ${at}.`).join('\n\n'),
    )
    await host?.close()
    host = undefined
    const noted = await addAll(questions)
    expect(noted).toEqual([{ done: 64, of: 90, secondsLeft: expect.any(Number) as number }, 'long', null])
    expect(await index.laterVectors!.next(questions, never)).toBeNull()
    expect(await catalog.document(tenant, id)).toMatchObject({ status: 'indexed' })
  })

  it('are made from the beginning of a passage that is too long for the embedding server', async () => {
    await start('none')
    const vacation = await bring(
      'vacation',
      'strict',
      `Employees have 15 days of vacation. ${'More text. '.repeat(60)}`,
    )
    const pump = await bring('pump', 'strict', 'The pump needs oil once a month.')
    await host?.close()
    host = undefined
    const refused: number[] = []
    const strict: Embedder = {
      ...questions,
      embed: async (texts, ...rest) => {
        const longest = Math.max(...texts.map(({ length }) => length))
        if (longest <= 300) return questions.embed(texts, ...rest)
        refused.push(longest)
        throw new AppError('provider.rejected', 'never')
      },
    }
    await addAll(strict)
    expect(refused.length).toBeGreaterThan(0)
    expect(await byMeaning('strict')).toEqual([vacation])
    expect(await index.laterVectors!.next(questions, never)).toBeNull()
    expect(await catalog.document(tenant, pump)).toMatchObject({ status: 'indexed' })
  })

  it('are not tried text by text if the embedding server is away', async () => {
    await start('none')
    await bring('vacation', 'away', 'Employees have 15 days of vacation every year.')
    await host?.close()
    host = undefined
    let calls = 0
    const away: Embedder = {
      ...questions,
      embed: () => {
        calls += 1
        return Promise.reject(new AppError('provider.unavailable', 'later'))
      },
    }
    await expect(addAll(away)).rejects.toMatchObject({ code: 'provider.unavailable' })
    expect(calls).toBe(1)
  })
})
