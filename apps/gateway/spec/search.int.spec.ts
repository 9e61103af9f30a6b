import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite/sqlite-passage-index'
import { createClient, ProblemError } from '@plumbline/client'
import { type Models, openModels } from '@plumbline/hosting/models/models'
import { ModelsEnv } from '@plumbline/hosting/models/models.env'
import { chunk } from '@plumbline/knowledge/chunking/chunk'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { openGatewaySearch } from '@plumbline/stages/researcher/gateway-search'
import { indexed } from '@plumbline/testing/indexed'
import { answer } from '@plumbline/testing/model-server/answer'
import { type ModelServer, startModelServer } from '@plumbline/testing/model-server/model-server'
import { openHouse, type House } from './house.spec'
import { openIngestion } from './ingestion.spec'
import { silent } from '@plumbline/platform/log'

let [house, index, server]: [House | undefined, PassageIndex | undefined, ModelServer | undefined] = [
  undefined,
  undefined,
  undefined,
]
/** The gateway's embedder. A spec may change it before the first search of a new gateway. */
let models: Pick<Models, 'embedder' | 'reranker' | 'rerankers'> | undefined
let removals = 0
let failAt = Infinity

const apiKeys = 'admin-of-a:a:admin:*,asker-of-a:a:asker,legal-of-a:a:asker:legal,admin-of-b:b:admin'
const as = (key: string) => createClient({ url: house!.url, key })
const signal = AbortSignal.timeout(60_000)

beforeAll(async () => {
  server = await startModelServer()
  house = await openHouse({
    apiKeys,
    removePassages: async (tenant, id, signal) => {
      removals += 1
      if (removals === failAt) throw new Error('the index is away: econnrefused')
      await index!.remove(tenant, id, signal)
    },
    openSearch: ({ redis, log }) =>
      openGatewaySearch({ redis, log, level: 'on', open: () => Promise.resolve({ index: index!, models: models! }) }),
  })
  index = await openSqlitePassageIndex({ file: join(house.dataDir, 'index.sqlite') })
  models = await openModels(
    ModelsEnv.parse({
      EMBEDDING_MODEL: 'text-embedding-3-small',
      EMBEDDING_BASE_URL: server.openaiUrl,
      EMBEDDING_API_KEY: 'k',
      EMBEDDING_DIMENSIONS: '64',
    }),
    { redis: house.redis, log: silent },
  )
})
afterAll(async () => {
  await house?.close()
  await index?.close()
  await server?.close()
})

/** Adds a document and does an ingestor's work, so that the document can be found. */
const bring = async (
  title: string,
  text: string,
  collection: string,
  access?: string[],
  metadata?: Record<string, string>,
): Promise<string> => {
  const { id } = await as('admin-of-a').addDocument({ title, text, collection, name: title, ...(access && { access }) })
  const ingestion = await openIngestion(house!, 'a')(id)
  await ingestion.parsed({ markup: 'markdown', parts: [{ text }] })
  const passages = chunk({ id, collection, title }, { markup: 'markdown', parts: [{ text }] })
  const vectors = await lexicalEmbedder.embed(
    passages.map((passage) => passage.text),
    signal,
  )
  await index!.write(
    'a',
    indexed(id, collection, lexicalEmbedder, { ...(access && { access }), ...(metadata && { metadata }) }),
    passages.map((passage, at) => ({ passage, vector: vectors[at]! })),
    signal,
  )
  await ingestion.finish(passages.length)
  return id
}
const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: unknown) => (error instanceof ProblemError ? error.problem.status : 0),
  )

describe('a search', () => {
  it('finds what a question of the same reader would, with its words marked, and is paid for', async () => {
    await bring('Moons', '# Moons\n\nMars has two moons.', 'space')
    await bring('Contract', '# Contract\n\nThe moons of Mars are ours.', 'law', ['legal'])
    const before = (await as('asker-of-a').usage()).usage.calls
    const { items, collections, degraded } = await as('asker-of-a').search({ query: 'moons of Mars' })
    expect(items.map(({ title }) => title)).toEqual(['Moons'])
    expect(items[0]?.marks.map(([from, to]) => items[0]?.text.slice(from, to))).toEqual(['Mars', 'moons'])
    expect(items[0]?.scores.bm25).toBeGreaterThan(0)
    expect([collections, degraded]).toEqual([['space'], undefined])
    expect((await as('asker-of-a').usage()).usage.calls).toBe(before + 1)
    expect((await as('legal-of-a').search({ query: 'moons of Mars' })).items).toHaveLength(2)
    expect((await as('admin-of-b').search({ query: 'moons of Mars' })).items).toEqual([])
  })

  it('filters by metadata: by word, list, range and negation', async () => {
    for (const [title, year] of [
      ['Old', '2019'],
      ['Mid', '2022'],
      ['New', '2024'],
    ] as const)
      await bring(title, `# ${title}\n\nComets pass.`, 'comets', undefined, {
        year,
        kind: title === 'Mid' ? 'draft' : 'final',
      })
    const found = async (filters: object) =>
      (await as('asker-of-a').search({ query: 'comets', collection: 'comets', filters: filters as never })).items
        .map(({ title }) => title)
        .sort()
    expect(await found({ year: '2022' })).toEqual(['Mid'])
    expect(await found({ year: { gte: 2020, lt: 2024 } })).toEqual(['Mid'])
    expect(await found({ year: { in: ['2019', '2024'] } })).toEqual(['New', 'Old'])
    expect(await found({ kind: { not: 'draft' }, year: { gt: 2019 } })).toEqual(['New'])
    expect(
      await statusOf(as('asker-of-a').search({ query: 'x', filters: { year: { gte: 1, lt: '2024-01-01' } } })),
    ).toBe(400)
  })

  it('keeps to its collection, and follows how that is set to be searched', async () => {
    await as('admin-of-a').putCollection('space', { description: 'Space', retrieval: { bm25: { k: 0 } } })
    const { items } = await as('admin-of-a').search({ query: 'moons', collection: 'law', limit: 1 })
    expect(items.map(({ collection }) => collection)).toEqual(['law'])
    expect(await statusOf(as('admin-of-a').search({ query: 'moons', collection: 'nope' }))).toBe(400)
    expect(await statusOf(as('asker-of-a').search({ query: ' ' }))).toBe(400)
    await as('admin-of-a').putCollection('space', { description: 'Space' })
  })

  it('covers a list of collections, and names a readable one with the words if the named ones have none', async () => {
    const search = async (key: string, query: string, collection?: string[]) => {
      const { items, collections, elsewhere } = await as(key).search({ query, ...(collection && { collection }) })
      return { found: [...new Set(items.map((item) => item.collection))].sort(), collections, elsewhere }
    }
    const both = ['space', 'comets']
    const found = await search('asker-of-a', 'moons and comets', both)
    expect(found).toEqual({ found: ['comets', 'space'], collections: both, elsewhere: undefined })
    expect((await search('asker-of-a', 'moons', ['comets'])).elsewhere).toBe('space')
    expect((await search('legal-of-a', 'contract', ['comets'])).elsewhere).toBe('law')
    expect((await search('asker-of-a', 'contract', ['comets'])).elsewhere).toBeUndefined()
    expect((await search('asker-of-a', 'moons')).elsewhere).toBeUndefined()
    expect(await statusOf(as('asker-of-a').search({ query: 'moons', collection: ['space', 'nope'] }))).toBe(400)
  })

  it('continues by words while the embedding model is down, and says so', async () => {
    server!.script({ kind: 'embeddings' }, answer.status(500))
    const { items, degraded } = await as('admin-of-a').search({ query: 'how many moons has Mars', collection: 'space' })
    expect(items.map(({ title }) => title)).toEqual(['Moons'])
    expect(degraded).toEqual(['embedder'])
    server!.reset()
  })
})

describe('the passages of a document', () => {
  it('are in order, page by page, for readers with access', async () => {
    const sections = Array.from({ length: 5 }, (_, nth) => `## Part ${nth}\n\nThis is part ${nth}.`)
    const id = await bring('Parts', sections.join('\n\n'), 'parts', ['legal'])
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await as('legal-of-a').passages(id, { limit: 2, ...(cursor && { cursor }) })
      found.push(...page.items.map(({ headingPath }) => headingPath.at(-1) ?? ''))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(found).toEqual(['Part 0', 'Part 1', 'Part 2', 'Part 3', 'Part 4'])
    expect(await statusOf(as('asker-of-a').passages(id))).toBe(404)
    expect(await statusOf(as('admin-of-b').passages(id))).toBe(404)
    expect(await statusOf(as('legal-of-a').passages(id, { cursor: 'x' }))).toBe(400)
  })
})

describe('a document', () => {
  it('is indexed again by an admin, and served as it was until then', async () => {
    const id = await bring('Again', '# Again\n\nOnce more.', 'again')
    expect(await statusOf(as('asker-of-a').reindexDocument(id))).toBe(403)
    expect(await statusOf(as('admin-of-b').reindexDocument(id))).toBe(404)
    expect(await as('admin-of-a').reindexDocument(id)).toMatchObject({ id, status: 'queued' })
    expect((await as('asker-of-a').search({ query: 'once more', collection: 'again' })).items).toHaveLength(1)
    await (await openIngestion(house!, 'a')(id)).finish(1)
    expect(await as('admin-of-a').document(id)).toMatchObject({ status: 'indexed' })
  })
})

describe('a collection', () => {
  it('goes with everything in it, also where a removal broke off before', async () => {
    const ids = [await bring('One', 'First words.', 'old'), await bring('Two', 'Second words.', 'old', ['legal'])]
    await as('admin-of-a').putCollection('old', { description: 'Old things' })
    expect(await statusOf(as('asker-of-a').removeCollection('old'))).toBe(403)
    expect(await statusOf(as('admin-of-b').removeCollection('old'))).toBe(404)
    failAt = removals + 2
    expect(await statusOf(as('admin-of-a').removeCollection('old'))).toBe(503)
    expect(await as('admin-of-a').collection('old')).toMatchObject({ description: 'Old things' })
    await as('admin-of-a').removeCollection('old')
    expect(await statusOf(as('admin-of-a').collection('old'))).toBe(404)
    expect(await statusOf(as('admin-of-a').removeCollection('old'))).toBe(404)
    expect(await Promise.all(ids.map((id) => statusOf(as('admin-of-a').document(id))))).toEqual([404, 404])
    const scope = { tenant: 'a', collections: ['old'], filters: {}, access: 'all' as const }
    expect(await index!.count(scope, signal)).toBe(0)
    const left = (await house!.redis.keys('catalog:*')).filter(
      (key) => key.includes('old') || ids.some((id) => key.includes(id)),
    )
    expect(left).toEqual([])
    const { documents, description } = await bring('Three', 'Third words.', 'old').then(() =>
      as('admin-of-a').collection('old'),
    )
    expect([documents, description]).toEqual([1, 'Three'])
  })
})
