import { memoryPassageIndex } from '@plumbline/ports/passage-index/memory-passage-index'
import { onlyMethod, type SearchMethods } from '@plumbline/ports/passage-index/passage-index'
import type { Recorded } from '@plumbline/testing/qdrant-server/qdrant-server'
import { describe, expect, it } from 'vitest'
import { openQdrantPassageIndex } from '../qdrant-passage-index'
import { along, changes, documentOf, never, passagesOf, scope, serverOfSpecs } from './kit'

const server = await serverOfSpecs()

const open = (more: Partial<Parameters<typeof openQdrantPassageIndex>[0]> = {}) =>
  openQdrantPassageIndex({ url: server.url, ...more })
const made = (path: RegExp): unknown[] =>
  server.requests.filter((request) => path.test(request.path)).map(({ body }) => body)
const queries = (): Recorded[] => server.requests.filter(({ path }) => path.endsWith('/points/query'))
const ways: SearchMethods = {
  similarity: { k: 7, weight: 0.1 },
  mmr: { k: 5, weight: 0.05, fetch: 9, lambda: 0.7 },
  bm25: { k: 8, weight: 0.85 },
  constant: 60,
  limit: 6,
}
const query = { text: 'slate roofs', vector: { space: 'one', values: along(1, 0.5) } }

type Leaf = { filter?: { must: object[] }; prefetch?: Leaf[] }
const leaves = (asked: Leaf): Leaf[] => (asked.prefetch?.length ? asked.prefetch.flatMap(leaves) : [asked])

describe('the Qdrant collection of an index', () => {
  it('has a partition per tenant, a dense and a sparse vector, an index for each filter, and an alias', async () => {
    await (await open()).write('t', documentOf('d'), passagesOf('d', 'v', 1), never)
    expect(made(/space[^/]*\.4\.first$/)).toEqual([
      {
        vectors: { dense: { size: 4, distance: 'Cosine' } },
        sparse_vectors: { words: { modifier: 'idf' } },
        hnsw_config: { m: 0, payload_m: 16 },
        quantization_config: null,
      },
    ])
    const indexes = Object.fromEntries(
      (
        made(/space.*first\/index$/) as { field_name: string; field_schema: { type: string; is_tenant?: boolean } }[]
      ).map(({ field_name: name, field_schema: { type, is_tenant: tenant } }) => [name, tenant ? 'tenant' : type]),
    )
    expect(indexes).toEqual({
      tenant: 'tenant',
      collection: 'keyword',
      documentId: 'keyword',
      pairs: 'keyword',
      access: 'keyword',
      'values[].name': 'keyword',
      'values[].number': 'float',
      'values[].time': 'float',
      version: 'keyword',
      position: 'integer',
      epoch: 'integer',
    })
    expect([...server.store.aliases.keys()].sort()).toEqual([
      'plumbline.documents',
      expect.stringMatching(/^plumbline\.space\.one-[\da-f]{8}\.4$/),
    ])
  })
  it.each([
    ['scalar', { scalar: { type: 'int8', quantile: 0.99, memory: 'pinned' } }],
    ['binary', { binary: { memory: 'pinned' } }],
  ] as const)('is compressed as configured: %s', async (quantisation, config) => {
    const index = await open({ quantisation, prefix: 'q' })
    await index.write('t', documentOf('d'), passagesOf('d', 'v', 1), never)
    expect(made(/^\/collections\/q\.space[^/]*first$/)).toEqual([
      expect.objectContaining({
        quantization_config: config,
        vectors: { dense: { size: 4, distance: 'Cosine', memory: 'cold' } },
      }),
    ])
    await index.search(scope, query, onlyMethod('similarity', { k: 3 }), never)
    expect(queries().at(-1)?.body).toMatchObject({ params: { quantization: { rescore: true, oversampling: 2 } } })
  })
  it('is not created by reads and removals', async () => {
    const index = await open()
    expect(await index.search(scope, query, ways, never)).toEqual([])
    expect(await index.count(scope, never)).toBe(0)
    expect(await index.passages(scope, 'd', null, never)).toEqual([])
    await index.remove('t', 'd', never)
    expect(server.store.collections.size).toBe(0)
  })
})

describe('a write', () => {
  it('sends batches of limited size, and waits until Qdrant has applied each batch', async () => {
    const index = await open()
    const passages = passagesOf('d', 'v', 300).map((one, at) => ({
      ...one,
      passage: { ...one.passage, text: at < 10 ? 'long '.repeat(40_000) : one.passage.text },
    }))
    await index.write('t', documentOf('d'), passages, never)
    const batches = changes(server.requests).filter(({ path }) => path.includes('.space.'))
    const sizes = batches.map(({ body }) => (body as { points: unknown[] }).points.length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(300)
    expect(Math.max(...sizes)).toBe(128)
    expect(Math.max(...batches.map(({ bytes }) => bytes))).toBeLessThan(8_000_000)
    expect(batches.every((one) => one.query.wait === 'true')).toBe(true)
  })
})

describe('a search', () => {
  it('is one query for all search methods, each with the whole filter, and with weighted ranks', async () => {
    const index = await open()
    await index.write(
      't',
      documentOf('d', { metadata: { year: '2024' }, access: ['hr'] }),
      passagesOf('d', 'v', 3),
      never,
    )
    const narrow = { ...scope, filters: { year: '2024' }, access: ['hr'] }
    expect(await index.search(narrow, query, ways, never)).toHaveLength(3)
    const first = queries()[0]
    expect(first?.path).toMatch(/^\/collections\/plumbline\.space\.one-[\da-f]{8}\.4\/points\/query$/)
    const near = { using: 'dense', query: { nearest: [1, 0.5, 0, 0] } }
    const filter = {
      must: [
        { key: 'tenant', match: { value: 't' } },
        { key: 'collection', match: { any: ['main'] } },
        { key: 'pairs', match: { value: '["year","2024"]' } },
        { key: 'access', match: { any: ['open', ':hr'] } },
      ],
    }
    const rrf = { rrf: { k: 61 } }
    expect(first?.body).toMatchObject({
      prefetch: [
        { prefetch: [{ ...near, limit: 7 }], query: rrf, limit: 7 },
        {
          prefetch: [
            {
              prefetch: [{ ...near, limit: 9 }],
              query: {
                nearest: [1, 0.5, 0, 0],
                mmr: { diversity: expect.closeTo(0.3) as number, candidates_limit: 9 },
              },
              using: 'dense',
              limit: 5,
            },
          ],
          query: rrf,
          limit: 5,
        },
        {
          prefetch: [
            {
              using: 'words',
              params: { idf: { corpus: { must: [{ key: 'tenant', match: { value: 't' } }] } } },
              limit: 8,
            },
          ],
          query: rrf,
          limit: 8,
        },
      ],
      query: {
        formula: { sum: [{ mult: [0.1, '$score[0]'] }, { mult: [0.05, '$score[1]'] }, { mult: [0.85, '$score[2]'] }] },
      },
      limit: 6,
    })
    for (const leaf of leaves(first?.body as Leaf)) expect(leaf.filter).toEqual(filter)
  })

  it('sends three requests if no document changed recently, and filters by tenant', async () => {
    const index = await open()
    await index.write('t', documentOf('d'), passagesOf('d', 'v', 3), never)
    for (const { points } of server.store.collections.values())
      for (const { payload } of points.values()) if ('since' in payload) payload.since = Date.now() - 3_600_000
    const before = server.requests.length
    await index.search(scope, query, ways, never)
    const asked = server.requests.slice(before)
    expect(asked.map(({ path }) => path.split('/').at(-1)).sort()).toEqual(['facet', 'points', 'query'])
    for (const { body } of asked.filter(({ path }) => !path.endsWith('/points')))
      for (const leaf of leaves(body as Leaf))
        expect(leaf.filter?.must[0]).toEqual({ key: 'tenant', match: { value: 't' } })
  })

  it('returns the same passages in the same order as the index in memory, whatever the weights', async () => {
    const random = (
      (state) => () =>
        (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
    )(11)
    const vocabulary = Array.from({ length: 40 }, (_, at) => `word${at.toString(36)}`)
    const [index, memory] = [await open(), memoryPassageIndex()]
    for (let at = 0; at < 40; at += 1) {
      const passages = passagesOf(`d${at}`, 'v', 1).map((one) => ({
        passage: {
          ...one.passage,
          text: Array.from({ length: 30 }, () => vocabulary[Math.floor(random() ** 2 * 40)]).join(' '),
        },
        vector: along(random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5),
      }))
      for (const one of [index, memory]) await one.write('t', documentOf(`d${at}`), passages, never)
    }
    for (const weights of [
      [1, 1, 1],
      [0.1, 0.05, 0.85],
      [3, 0, 1],
    ] as const) {
      const mine: SearchMethods = {
        similarity: { k: 9, weight: weights[0] },
        mmr: { k: 6, weight: weights[1], fetch: 15, lambda: 0.6 },
        bm25: { k: 0, weight: 0 },
        constant: 60,
        limit: 10,
      }
      const asked = { text: 'worda', vector: { space: 'one', values: along(0.3, -0.2, 0.4, 0.1) } }
      const [found, held] = await Promise.all([index, memory].map((one) => one.search(scope, asked, mine, never)))
      expect(found?.map(({ passage }) => passage.id)).toEqual(held?.map(({ passage }) => passage.id))
      for (const [nth, { scores }] of (found ?? []).entries())
        expect(scores.fused).toBeCloseTo(held?.[nth]?.scores.fused ?? NaN, 6)
    }
    // Each index computes the rarity of words differently, so full-text results are the same but in another order.
    const words = { ...ways, bm25: { k: 40, weight: 0.85 }, limit: 40 }
    const [found, held] = await Promise.all(
      [index, memory].map((one) => one.search(scope, { ...query, text: 'worda word1 word7' }, words, never)),
    )
    expect(found?.map(({ passage }) => passage.id).sort()).toEqual(held?.map(({ passage }) => passage.id).sort())
  })
})
