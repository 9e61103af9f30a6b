import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openIngestQueue, openQueue } from '@plumbline/adapters/bullmq'
import { openDocumentFiles, takeDocument, type DocumentFiles } from '@plumbline/adapters/files'
import { connectFailFast, RedisCatalog, whenReady, type RedisClient } from '@plumbline/adapters/redis'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite'
import type { DocumentView } from '@plumbline/contracts'
import { hostStages, type Host } from '@plumbline/hosting'
import { silent, startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { oneWay, type PassageIndex } from '@plumbline/ports/passage-index'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ingestor } from './ingestor.module'

const never = new AbortController().signal
const scope = { tenant: 't', collections: ['stones'], filters: {}, access: 'all' as const }
const matching = (index: PassageIndex, text: string) =>
  index.search(scope, { text, vector: null }, oneWay('bm25', { k: 5 }), never)

describe('the ingestor', () => {
  let server: PrivateRedis
  let redis: RedisClient
  let folder: string
  let host: Host
  let index: PassageIndex
  let catalog: RedisCatalog
  let files: DocumentFiles
  beforeAll(async () => {
    server = await startPrivateRedis()
    folder = await mkdtemp(join(tmpdir(), 'plumbline-ingestor-'))
    redis = connectFailFast(server.url)
    await whenReady(redis, 5_000)
    catalog = new RedisCatalog(redis)
    files = await openDocumentFiles(join(folder, 'documents'))
    index = await openSqlitePassageIndex({ file: join(folder, 'index.sqlite') })
    host = await hostStages({
      app: 'ingestor',
      stages: [ingestor],
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
    const { id, version } = await takeDocument(
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
      { timeout: 15_000 },
    )
    await Promise.all([queue.close(), jobs.close()])
    return over
  }

  it('indexes what the queue names, for every reader of the file', async () => {
    expect(await bring('d1', '# Quartz\n\nHard stone.\n\n# Talc\n\nSoft stone.')).toMatchObject({
      status: 'indexed',
      progress: { passages: 2, percent: 100 },
    })
    expect((await matching(index, 'soft')).map(({ passage }) => passage.headingPath)).toEqual([['Talc']])
    expect((await catalog.collection('t', 'stones'))?.description).toContain('Quartz')
  })

  it('does once what is delivered three times', async () => {
    expect(await bring('d2', 'Granite everywhere.', 3)).toMatchObject({ status: 'indexed' })
    expect(await matching(index, 'granite')).toHaveLength(1)
  })

  it('tells whoever brought it why a document cannot be indexed', async () => {
    expect(await bring('d3', '# Nothing\n\n## But headings')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no text') as string,
    })
  })
})
