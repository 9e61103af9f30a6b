import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openIngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import { openDocumentFiles } from '@plumbline/adapters/files/document-files'
import { acceptDocument } from '@plumbline/adapters/files/intake'
import { connectFailFast, whenReady } from '@plumbline/adapters/redis/client/client'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { hostStages } from '@plumbline/hosting/host-stages'
import { createStop, silent, startPrivateRedis } from '@plumbline/platform'
import { startModelServer } from '@plumbline/testing/model-server/model-server'
import { Stopped } from '@plumbline/worker'
import { createMutex, fairShare, largeDocumentSlots } from './concurrency'
import { ingestorWith } from './ingestor'

type Doc = { tenant: string; controller: AbortController }
const slow = 'The slow report.'
let stop: ReturnType<typeof createStop>
let ingesting: Awaited<ReturnType<typeof openIngestion>>

const openIngestion = async () => {
  const server = await startPrivateRedis()
  stop.add('redis', () => server.stop())
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-share-'))
  stop.add('folder', () => rm(folder, { recursive: true }))
  const model = await startModelServer({ validate: false })
  stop.add('model', () => model.close())
  const redis = connectFailFast(server.url)
  stop.add('client', () => redis.disconnect())
  await whenReady(redis, 5_000)
  const catalog = openCatalog(redis)
  const files = await openDocumentFiles(join(folder, 'documents'))
  const queue = openIngestQueue(redis, 'main')
  stop.add('queue', () => queue.close())
  const host = await hostStages({
    app: 'ingestor',
    stages: [ingestorWith([])],
    env: {
      REDIS_URL: server.url,
      DATA_DIR: folder,
      DRAIN_MS: '100',
      EMBEDDING_MODEL: 'text-embedding-3-small',
      EMBEDDING_BASE_URL: model.openaiUrl,
      EMBEDDING_API_KEY: 'a-key',
      EMBEDDING_DIMENSIONS: '64',
    },
    log: silent,
    health: false,
  })
  stop.add('host', () => host.close())
  const bring = async (tenant: string, title: string, text: string): Promise<string> => {
    const brought = { kind: 'text', text } as const
    const options = { signal: AbortSignal.timeout(10_000) }
    return (
      await acceptDocument(
        { catalog, files, queue },
        tenant,
        { title, collection: 'c', format: 'html' },
        brought,
        options,
      )
    ).id
  }
  const statusOf = async (tenant: string, id: string) => (await catalog.document(tenant, id))?.status
  const embedding = (): number => model.requests.filter(({ body }) => JSON.stringify(body).includes(slow)).length
  return { model, bring, statusOf, embedding }
}

beforeEach(async () => {
  stop = createStop(silent, 10_000)
  ingesting = await openIngestion()
})
afterEach(() => stop.run())

it(
  'a tenant with slow documents has all slots while nobody else waits, and gives up half when another tenant comes',
  { timeout: 180_000 },
  async () => {
    const { model, bring, statusOf, embedding } = ingesting
    model.latency({ kind: 'fixed', ms: 600_000 }, ({ text }) => text.includes(slow))
    const long = []
    for (let n = 0; n < 6; n += 1) long.push(await bring('big', `Report ${n}`, `${slow} Number ${n}.`))
    // The long timeout allows for the start of the process that parses HTML.
    await expect.poll(embedding, { timeout: 40_000 }).toBe(2)
    const short = []
    for (let n = 0; n < 3; n += 1) short.push(await bring('small', `Note ${n}`, `A note, number ${n}.`))
    for (const id of short) await expect.poll(() => statusOf('small', id), { timeout: 20_000 }).toBe('indexed')
    // The oldest document was never stopped, and the big tenant has the other slot again.
    await expect.poll(embedding).toBeGreaterThan(2)
    expect(await statusOf('big', long[0] ?? '')).toBe('processing')
  },
)

const never = new AbortController().signal

it('gives a free slot to the tenant with the fewest, and stops a document beyond half of the slots', async () => {
  const places = largeDocumentSlots(2)
  const documentOf = (tenant: string): Doc => ({ tenant, controller: new AbortController() })
  const enter = (document: Doc) => places.enter(document, document.controller.signal)
  const [first, second, third] = ['big', 'big', 'big'].map(documentOf) as [Doc, Doc, Doc]
  const small = documentOf('small')
  const leaveFirst = await enter(first)
  const leaveSecond = await enter(second)
  const order: string[] = []
  const waits = [
    enter(third).then((leave) => void (leave && order.push('big'))),
    enter(small).then((leave) => void (leave && order.push('small'))),
  ]
  expect([first, second].map(({ controller }) => controller.signal.aborted)).toEqual([false, true])
  expect(second.controller.signal.reason).toBeInstanceOf(Stopped)
  leaveSecond?.()
  leaveFirst?.()
  await Promise.all(waits)
  expect(order).toEqual(['small', 'big'])
  const gone = documentOf('big')
  const waited = enter(gone)
  gone.controller.abort()
  expect(await waited).toBeNull()
})

it('runs work one after another, even if earlier work fails', async () => {
  const alone = createMutex()
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = alone(async () => {
    await gate.promise
    order.push('first')
    throw new Error('broken')
  }, never)
  const second = alone(() => Promise.resolve(void order.push('second')), never)
  gate.resolve()
  await expect(first).rejects.toThrow('broken')
  await second
  expect(order).toEqual(['first', 'second'])
})

it('does not wait if the signal was aborted before', async () => {
  const alone = createMutex()
  const first = Promise.withResolvers<void>()
  void alone(() => first.promise, never)
  await expect(alone(() => Promise.resolve(), AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
})

it('stops waiting when the signal aborts, and keeps the order of the others', async () => {
  const alone = createMutex()
  const gate = Promise.withResolvers<void>()
  const order: string[] = []
  const first = alone(async () => {
    await gate.promise
    order.push('first')
  }, never)
  const stop = new AbortController()
  const second = alone(() => Promise.resolve(void order.push('second')), stop.signal)
  const third = alone(() => Promise.resolve(void order.push('third')), never)
  stop.abort(new Error('stop'))
  await expect(second).rejects.toThrow('stop')
  gate.resolve()
  await Promise.all([first, third])
  expect(order).toEqual(['first', 'third'])
})

it('short texts that start together read the queue once', async () => {
  let reads = 0
  const share = fairShare(4, () => Promise.resolve([`${(reads += 1)}`]))
  const starting = Array.from({ length: 6 }, () => share.enter({ tenant: '1', controller: new AbortController() }))
  for (const leave of await Promise.all(starting)) leave?.()
  expect(reads).toBe(1)
})
