import { openCohereReranker } from '@plumbline/adapters/rerankers/cohere-reranker'
import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import { openOpenAiEmbedder } from '@plumbline/adapters/openai/openai-embedder'
import { centsIn, listPrices } from '@plumbline/adapters/providers/prices'
import { resilience } from '@plumbline/adapters/providers/resilience'
import { connectFailFast, type RedisClient } from '@plumbline/adapters/redis/client/client'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { openIngestCatalog } from '@plumbline/adapters/redis/documents/ingest-catalog'
import { ownRedis } from '@plumbline/adapters/redis/spec/own-redis.spec'
import type { ModelCall } from '@plumbline/contracts'
import { silent, startPrivateRedis, type WorkerEnv } from '@plumbline/platform'
import { memoryPassageIndex } from '@plumbline/ports/passage-index/memory-passage-index'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { answer } from '@plumbline/testing/model-server/answer'
import { type ModelServer, startModelServer } from '@plumbline/testing/model-server/model-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cachedCollections, withCaches } from '../handler/caches'
import { retrievalDefaults } from './retrieval-defaults'
import { retrieve } from './retrieve'

const never = new AbortController().signal
const parts = { ...resilience, centsOf: centsIn(listPrices) }
const texts: Record<string, string> = {
  slate: 'slate splits into thin plates for roofs',
  amber: 'amber floats on salt water',
  marble: 'marble takes a polish',
}
const question = 'Which stone splits into plates for roofs?'

const { redis } = await ownRedis()
let server: ModelServer
let index: PassageIndex
/** A query with a reranker makes two searches: one with all search methods, and one by words alone. */
let searches = 0
beforeAll(async () => {
  server = await startModelServer()
})
beforeEach(async () => {
  server.reset()
  const memory = memoryPassageIndex()
  index = {
    ...memory,
    search: (...asked) => {
      searches += 1
      return memory.search(...asked)
    },
  }
  for (const id of Object.keys(texts)) await put(id)
  searches = 0
  server.reset()
})
afterAll(async () => {
  await server.close()
})

const opened = async () => ({
  embedder: await openOpenAiEmbedder(
    { baseUrl: server.openaiUrl, apiKey: 'k', model: 'text-embedding-3-small' },
    parts,
  ),
  cohere: openCohereReranker({ baseUrl: server.url, apiKey: 'k', model: 'rerank-v3.5' }, parts),
})

/** Writes to the index first and then to the catalog, like the ingestor does. */
const put = async (id: string, text = texts[id] ?? ''): Promise<void> => {
  const { embedder } = await opened()
  const ingest = openIngestCatalog(redis)
  await openCatalog(redis).createDocument('t', id, text, {
    told: { title: id, collection: 'main' },
    source: { kind: 'text' },
    digest: text,
  })
  const begun = await ingest.begin(id, text, { isolated: true })
  if (begun.kind !== 'open') throw new Error(begun.kind)
  const { version } = begun.open
  const [vector = new Float32Array(embedder.dimensions)] = await embedder.embed([text], never)
  const passage = {
    id: `${id}-${text.length}`,
    documentId: id,
    collection: 'main',
    title: id,
    text,
    headingPath: [],
    position: 0,
    version,
  }
  await index.write(
    't',
    { id, collection: 'main', version, metadata: {}, access: [], space: embedder.name },
    [{ passage, vector }],
    never,
  )
  await ingest.finish(begun.open, 1)
}

/** Searches like a newly started worker, whose in-process cache is still empty. */
const ask = async (
  level: WorkerEnv['CACHE'],
  more: { query?: string; tenant?: string; access?: 'all' | string[]; by?: RedisClient; perQuery?: number } = {},
) => {
  const { query = question, tenant = 't', access = 'all', by = redis, perQuery = 2 } = more
  const { embedder, cohere } = await opened()
  const calls: ModelCall[] = []
  const remembered = withCaches(
    { embedder, reranker: cohere, rerankers: { cohere } },
    { level, redis: by, log: silent, patienceMs: 20_000 },
  )
  const settings = { ...retrievalDefaults, evidence: { ...retrievalDefaults.evidence, perQuery } }
  const retrieved = await retrieve(
    { index, ...remembered },
    {
      scope: { tenant, collections: ['main'], filters: {}, access },
      queries: [query],
      signal: never,
      onCall: (call) => void calls.push(call),
    },
    settings,
  )
  return { ...retrieved, skills: calls.map(({ skill }) => skill) }
}
const keptOf = (name: string) => expect.poll(() => redis.hlen(`cache:{${name}}:entries`)).toBeGreaterThan(0)

describe('caches shared by workers', () => {
  it('off: nothing', async () => {
    for (let n = 0; n < 2; n += 1) expect((await ask('off')).skills).toEqual(['embed', 'rerank'])
    expect(await redis.keys('cache:*')).toEqual([])
  })

  it('queries: vectors and ranks, for which nobody pays again, and the index is searched', async () => {
    const first = await ask('queries')
    await keptOf('vectors')
    await keptOf('reranks')
    const second = await ask('queries')
    expect(second).toEqual({ ...first, skills: [] })
    expect(searches).toBe(4)
  })

  it('on: what the same question found too, which says so', async () => {
    const first = await ask('on')
    expect(first.cached).toBeUndefined()
    await keptOf('retrievals:t')
    const query = ' Which stone  splits into plates for roofs? '
    const second = await ask('on', { query })
    expect(second).toMatchObject({ cached: 1, degraded: [] })
    expect(second.passages).toEqual(first.passages.map((passage) => ({ ...passage, query })))
    expect(second.skills).toEqual(['embed'])
    expect(searches).toBe(2)
  })

  it('on: nothing across tenants, readers, settings or facts', async () => {
    await ask('on')
    await keptOf('retrievals:t')
    for (const other of [
      { tenant: 'u' },
      { access: [] },
      { perQuery: 3 },
      { query: 'Which stone splits into 2 plates for roofs?' },
      { query: 'Which stone never splits into plates for roofs?' },
    ])
      expect((await ask('on', other)).cached).toBeUndefined()
    expect((await ask('on')).cached).toBe(1)
  })

  it('on: a document that is replaced is found as it is now, and one that is removed is not', async () => {
    await ask('on')
    await keptOf('retrievals:t')
    await put('slate', 'slate splits into plates for roofs as of now')
    const replaced = await ask('on')
    expect(replaced.cached).toBeUndefined()
    expect(replaced.passages.map(({ text }) => text)).toContain('slate splits into plates for roofs as of now')
    await expect.poll(async () => (await ask('on')).cached).toBe(1)
    await index.remove('t', 'slate', never)
    await openCatalog(redis).removeDocument('t', 'slate')
    const removed = await ask('on')
    expect(removed.cached).toBeUndefined()
    expect(removed.passages.map(({ documentId }) => documentId)).not.toContain('slate')
  })

  it('nothing that was found without the embedder or the reranker is kept', async () => {
    server.script({ kind: 'rerank' }, answer.status(400))
    expect((await ask('on')).degraded).toEqual(['reranker'])
    server.reset()
    server.script({ kind: 'embeddings' }, answer.status(400))
    expect((await ask('on', { query: 'What floats on salt water?' })).degraded).toEqual(['embedder'])
    expect(await redis.exists('cache:{retrievals:t}:entries')).toBe(0)
  })

  it('no call is worse for a Redis that is away', async () => {
    const gone = await startPrivateRedis()
    const away = connectFailFast(gone.url)
    await gone.stop()
    const answered = await ask('on', { by: away })
    expect(answered).toMatchObject({ degraded: [], skills: ['embed', 'rerank'] })
    expect(answered.passages[0]?.documentId).toBe('slate')
    away.disconnect()
  })

  it('fast results are not cached', () => {
    const lexical = withCaches(
      { embedder: lexicalEmbedder, reranker: null, rerankers: {} },
      { level: 'answers', redis, log: silent },
    )
    expect([lexical.embedder, lexical.reranker]).toEqual([lexicalEmbedder, null])
    expect(lexical.cache).toHaveProperty('look')
  })
})

describe('kept collections', () => {
  it('are read once for many steps, and again after a failure', async () => {
    const asked: string[] = []
    const read = cachedCollections((tenant, name) => {
      asked.push(`${tenant} ${name}`)
      if (asked.length === 1) return Promise.reject(new Error('down'))
      return Promise.resolve(name === 'gone' ? null : { name, description: '', documents: 0, version: 0 })
    })
    const namesOf = async (tenant: string, names: string[]) => (await read(tenant, names)).map(({ name }) => name)
    await expect(read('t', ['main'])).rejects.toThrow('down')
    expect(await Promise.all([['main'], ['main', 'gone'], ['gone'], []].map((names) => namesOf('t', names)))).toEqual([
      ['main'],
      ['main'],
      [],
      [],
    ])
    expect(await namesOf('u', ['main'])).toEqual(['main'])
    expect(asked).toEqual(['t main', 't main', 't gone', 'u main'])
  })
})
