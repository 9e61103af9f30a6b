import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { openIngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import { openQueue, queuePrefix } from '@plumbline/adapters/bullmq/queues'
import { type DocumentFiles, openDocumentFiles } from '@plumbline/adapters/files/document-files'
import { acceptDocument } from '@plumbline/adapters/files/intake'
import { connectFailFast, type RedisClient, whenReady } from '@plumbline/adapters/redis/client/client'
import { openCatalog, type Catalog } from '@plumbline/adapters/redis/documents/catalog'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite/sqlite-passage-index'
import type { DocumentView } from '@plumbline/contracts'
import { stages } from '@plumbline/flow'
import { defineStage } from '@plumbline/hosting/define-stage'
import { type Host, hostStages } from '@plumbline/hosting/host-stages'
import { openBench, plainHandlers } from '@plumbline/hosting/spec/bench'
import { type PrivateRedis, silent, startPrivateRedis } from '@plumbline/platform'
import { onlyMethod, type PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import type { CompanionContext } from './companion'
import { ingestorWith } from './ingestor'

const never = new AbortController().signal
const scope = { tenant: 't', collections: ['stones'], filters: {}, access: 'all' as const }
const matching = (index: PassageIndex, text: string) =>
  index.search(scope, { text, vector: null }, onlyMethod('bm25', { k: 5 }), never)

describe('the ingestor', () => {
  let server: PrivateRedis
  let redis: RedisClient
  let folder: string
  let host: Host
  let index: PassageIndex
  let catalog: Catalog
  let files: DocumentFiles
  beforeAll(async () => {
    server = await startPrivateRedis()
    folder = await mkdtemp(join(tmpdir(), 'plumbline-ingestor-'))
    redis = connectFailFast(server.url)
    await whenReady(redis, 5_000)
    catalog = openCatalog(redis)
    files = await openDocumentFiles(join(folder, 'documents'))
    index = await openSqlitePassageIndex({ file: join(folder, 'index.sqlite') })
    host = await hostStages({
      app: 'ingestor',
      stages: [ingestorWith([])],
      env: { REDIS_URL: server.url, DATA_DIR: folder },
      log: silent,
      health: false,
    })
  })
  afterAll(async () => {
    await host.close()
    await index.close()
    redis.disconnect()
    await server.stop()
    await rm(folder, { recursive: true })
  })

  const bring = async (name: string, text: string, times = 1): Promise<DocumentView> => {
    const queue = openIngestQueue(redis, 'main')
    const jobs = openQueue(redis, 'main', 'ingest')
    const fields = { name, title: name, collection: 'stones' }
    const { id, version } = await acceptDocument(
      { catalog, files, queue },
      't',
      fields,
      { kind: 'text', text },
      { signal: never },
    )
    const revision = (await catalog.revisions('t', id))?.newest ?? ''
    for (let at = 1; at < times; at += 1)
      await jobs.add('ingest', { documentId: id, revision, tenant: 't' }, { jobId: `${id}.${at}.${version ?? ''}` })
    const over = await vi.waitUntil(
      async () => {
        const view = await catalog.document('t', id)
        const { waiting, prioritized, active, delayed } = await jobs.getJobCounts(
          'waiting',
          'prioritized',
          'active',
          'delayed',
        )
        return (
          view &&
          ['indexed', 'failed'].includes(view.status) &&
          [waiting, prioritized, active, delayed].every((count) => count === 0) &&
          view
        )
      },
      { timeout: 50_000 },
    )
    await Promise.all([queue.close(), jobs.close()])
    return over
  }

  it('indexes documents from the queue, for all readers of the index file', async () => {
    expect(await bring('d1', '# Quartz\n\nHard stone.\n\n# Talc\n\nSoft stone.')).toMatchObject({
      status: 'indexed',
      progress: { passages: 2, percent: 100 },
    })
    expect((await matching(index, 'soft')).map(({ passage }) => passage.headingPath)).toEqual([['Talc']])
    expect((await catalog.collection('t', 'stones'))?.description).toContain('Quartz')
  })

  it('indexes a document once if it is delivered three times', async () => {
    expect(await bring('d2', 'Granite everywhere.', 3)).toMatchObject({ status: 'indexed' })
    expect(await matching(index, 'granite')).toHaveLength(1)
  })

  it('reports why a document cannot be indexed', async () => {
    expect(await bring('d3', '# Nothing\n\n## But headings')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('contains only headings') as string,
    })
  })
})

/** Opens an embedder that never answers. */
const hangingEmbedder = async () => {
  const asked = Promise.withResolvers<void>()
  const server = createServer(() => asked.resolve())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked: asked.promise }
}

it('opens its companions with its stores, and stops them when it stops', async () => {
  const bench = await openBench()
  onTestFinished(() => bench.close())
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-companion-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const contexts: CompanionContext[] = []
  const stop = vi.fn(() => Promise.resolve())
  const open = (context: CompanionContext) => {
    contexts.push(context)
    return { stop }
  }
  const env = { REDIS_URL: bench.server.url, DATA_DIR: folder }
  const stages = [ingestorWith([{ name: 'a companion', open }])]
  const host = await hostStages({ app: 'accompanied', stages, env, log: silent, health: false })
  const [context] = contexts
  expect([contexts.length, context?.registry]).toEqual([1, host.registry])
  const document = await acceptDocument(
    { catalog: openCatalog(bench.redis), files: context!.files, queue: context!.queue },
    't',
    { collection: 'stones' },
    { kind: 'text', text: 'Basalt is dark.' },
    { signal: AbortSignal.timeout(5_000) },
  )
  await expect.poll(() => matching(context!.index, 'basalt')).toMatchObject([{ passage: { documentId: document.id } }])
  expect(stop).not.toHaveBeenCalled()
  await host.close()
  expect(stop).toHaveBeenCalledOnce()
})

it('a document that runs alone does not delay questions', async () => {
  const bench = await openBench()
  onTestFinished(() => bench.close())
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-beside-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const embedder = await hangingEmbedder()
  const catalog = openCatalog(bench.redis)
  const queue = openIngestQueue(bench.redis, 'main')
  const { id } = await acceptDocument(
    { catalog, files: await openDocumentFiles(join(folder, 'documents')), queue },
    't',
    { collection: 'stones' },
    { kind: 'text', text: 'Granite.' },
    { signal: AbortSignal.timeout(5_000) },
  )
  const revision = (await catalog.revisions('t', id))?.newest ?? ''
  await bench.redis.hset(`catalog:{${id}}:document`, 'starts', 1)
  await bench.redis.hset(`${queuePrefix('main')}:ingest:${id}.${revision}`, 'stc', 1)
  await queue.close()
  const env = z.object({})
  const host = await hostStages({
    app: 'beside',
    stages: [ingestorWith([]), ...stages.map((stage) => defineStage({ stage, env, handlers: plainHandlers }))],
    env: {
      REDIS_URL: bench.server.url,
      DATA_DIR: folder,
      DRAIN_MS: '10',
      EMBEDDING_MODEL: 'text-embedding-3-small',
      EMBEDDING_BASE_URL: embedder.url,
      EMBEDDING_API_KEY: 'a-key',
    },
    log: silent,
    health: false,
  })
  onTestFinished(() => host.close())
  await embedder.asked
  expect((await bench.ended(await bench.ask())).status).toBe('answered')
  expect(await catalog.document('t', id)).toMatchObject({ status: 'processing' })
})
