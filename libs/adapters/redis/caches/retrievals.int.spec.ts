import { describe, expect, it } from 'vitest'
import type { Evidence } from '@plumbline/contracts'
import { openRedisCache } from './cache'
import { openRetrievalCache, type Searching } from './retrievals'
import { keys } from '../client/keys'
import { openCatalog } from '../documents/catalog'
import { ingested } from '../spec/own-catalog.spec'
import { ownRedis } from '../spec/own-redis.spec'

const { redis } = await ownRedis()
const catalog = openCatalog(redis)
const cache = openRetrievalCache({
  redis,
  cache: openRedisCache({ redis, log: { warn: () => undefined }, patienceMs: 5_000 }),
})

const index = (id: string, content: string, collection = 'main', tenant = 't'): Promise<string> =>
  ingested(redis, [tenant, collection, id, content])
const passage = (documentId: string, version: string | undefined, more: Partial<Evidence> = {}): Evidence => ({
  id: `p-${documentId}`,
  documentId,
  collection: 'main',
  title: documentId,
  text: `Of ${documentId}.`,
  headingPath: ['A'],
  position: 0,
  version,
  scores: { bm25: 1.25, rerank: 0.5 },
  query: 'an older wording',
  ...more,
})
const asked: Searching = {
  scope: { tenant: 't', collections: ['main'], filters: { year: '2022', kind: 'a' }, access: ['hr', 'it'] },
  query: 'What is the PUE of Dublin in 2022?',
  vector: new Float32Array([0.6, 0.8, 0]),
  by: { settings: { perQuery: 2 }, embedder: 'e', reranker: 'r' },
}
const ask = (more: Partial<Omit<Searching, 'scope'>> & { scope?: Partial<Searching['scope']> } = {}) =>
  cache.look({ ...asked, ...more, scope: { ...asked.scope, ...more.scope } })
const keep = async (passages: Evidence[]): Promise<void> => {
  const looked = await ask()
  if (looked.kind === 'miss') await looked.keep(passages)
}
const kept = async (): Promise<Evidence[]> => {
  const found = [passage('d1', await index('d1', 'one')), passage('d2', await index('d2', 'two'))]
  await keep(found)
  return found
}

describe('earlier results of a query', () => {
  it('is returned with its scores for the same question, with the new wording of the question', async () => {
    const found = await kept()
    for (const query of [asked.query, ' What is  the PUE of\nDublin in 2022?'])
      expect(await ask({ query })).toEqual({ kind: 'hit', passages: found.map((each) => ({ ...each, query })) })
  })

  it('is returned even if vectors differ a little, or filters and tags have another order', async () => {
    await kept()
    expect((await ask({ vector: new Float32Array([0.61, 0.79, 0.02]) })).kind).toBe('hit')
    expect((await ask({ scope: { filters: { kind: 'a', year: '2022' }, access: ['it', 'hr'] } })).kind).toBe('hit')
  })

  it('is also returned if it is empty, until a document is added', async () => {
    await index('d1', 'one')
    await keep([])
    expect(await ask()).toEqual({ kind: 'hit', passages: [] })
    await index('d2', 'two')
    expect((await ask()).kind).toBe('miss')
  })

  it.each<[string, Parameters<typeof ask>[0]]>([
    ['tenant', { scope: { tenant: 'u' } }],
    ['collection', { scope: { collections: ['other'] } }],
    ['set of collections', { scope: { collections: ['main', 'other'] } }],
    ['filter', { scope: { filters: { year: '2019', kind: 'a' } } }],
    ['number of filters', { scope: { filters: {} } }],
    ['reader, who may see less', { scope: { access: ['hr'] } }],
    ['reader, who may see more', { scope: { access: ['hr', 'it', 'ceo'] } }],
    ['reader, who may see all', { scope: { access: 'all' } }],
    ['reader without any tag', { scope: { access: [] } }],
    ['number of passages wanted', { by: { settings: { perQuery: 3 }, embedder: 'e', reranker: 'r' } }],
    ['embedder', { by: { settings: { perQuery: 2 }, embedder: 'f', reranker: 'r' } }],
    ['reranker', { by: { settings: { perQuery: 2 }, embedder: 'e', reranker: 'none' } }],
    ['year', { query: 'What is the PUE of Dublin in 2019?' }],
    ['name', { query: 'What is the PUE of dublin in 2022?' }],
    ['denial', { query: 'What is not the PUE of Dublin in 2022?' }],
    ['vector', { vector: new Float32Array([0.8, 0.6, 0]) }],
    ['length of vectors', { vector: new Float32Array([0.6, 0.8]) }],
    ['vector, of nothing', { vector: new Float32Array(3) }],
  ])('is never given across another %s', async (_, other) => {
    await index('e', 'one', 'other')
    await index('f', 'one', 'main', 'u')
    await kept()
    expect((await ask(other)).kind).toBe('miss')
    expect((await ask()).kind).toBe('hit')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['a document is added', () => index('d3', 'three')],
    ['a document is replaced', () => index('d1', 'other')],
    ['a document is removed', () => catalog.removeDocument('t', 'd2')],
    [
      'the collection is set otherwise',
      () => catalog.putCollection('t', 'main', { description: 'Other.', retrieval: { neighbours: 1 } }),
    ],
  ])('is gone when %s', async (_, change) => {
    await kept()
    expect((await ask()).kind).toBe('hit')
    await change()
    expect((await ask()).kind).toBe('miss')
  })

  it('stays when another collection changes', async () => {
    await kept()
    await index('x', 'new', 'other')
    expect((await ask()).kind).toBe('hit')
  })

  it('is not returned if questions no longer find the document of a passage', async () => {
    const [first] = await kept()
    await keep([])
    await redis.hset(keys.document('d1'), 'servedVersion', 'another')
    expect((await ask()).kind).toBe('miss')
    await redis.hset(keys.document('d1'), 'servedVersion', first?.version ?? '')
    expect((await ask()).kind).toBe('hit')
    await redis.del(keys.document('d1'))
    expect((await ask()).kind).toBe('miss')
  })

  it('excludes passages without a version, and collections without a change count', async () => {
    await index('d0', 'one')
    await keep([passage('d0', undefined)])
    expect((await ask()).kind).toBe('miss')
    await kept()
    await redis.hdel(keys.changes('t'), 'main')
    expect((await ask()).kind).toBe('miss')
  })

  it('is stored under the collection versions from before the search', async () => {
    const version = await index('d1', 'one')
    const looked = await ask()
    await index('d2', 'two')
    if (looked.kind === 'miss') await looked.keep([passage('d1', version)])
    expect((await ask()).kind).toBe('miss')
  })

  it('is stored once by many concurrent searches, and read by all', async () => {
    const version = await index('d1', 'one')
    await Promise.all(Array.from({ length: 8 }, () => keep([passage('d1', version)])))
    expect(await redis.hlen(keys.cached('retrievals:t'))).toBe(1)
    expect((await Promise.all(Array.from({ length: 8 }, () => ask()))).map(({ kind }) => kind)).toEqual(
      Array.from({ length: 8 }, () => 'hit'),
    )
  })

  it('is bypassed if unreadable, and stores nothing above its size limit', async () => {
    const version = await index('d0', 'one')
    await keep([passage('d0', version, { text: 'x'.repeat(300_000) })])
    expect((await ask()).kind).toBe('miss')
    await kept()
    const [field = ''] = await redis.hkeys(keys.cached('retrievals:t'))
    await redis.hset(keys.cached('retrievals:t'), field, '{"query":1}')
    expect((await ask()).kind).toBe('miss')
  })
})
