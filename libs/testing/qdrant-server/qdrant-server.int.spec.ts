import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startQdrantServer, type QdrantServer } from './qdrant-server'

let server: QdrantServer
beforeAll(async () => void (server = await startQdrantServer()))
beforeEach(() => server.reset())
afterAll(() => server.close())

type Answer = { status: number; body: { result?: never; status: unknown } }
const call = async (method: string, path: string, body?: unknown, url = server.url): Promise<Answer> => {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}
const settings = { vectors: { dense: { size: 2, distance: 'Cosine' } }, sparse_vectors: { words: { modifier: 'idf' } } }
const uuid = (n: number): string => `00000000-0000-8000-8000-00000000000${n}`
const point = (n: number, dense: number[], words: number[] = [], payload: object = {}) => ({
  id: uuid(n),
  vector: { dense, words: { indices: words, values: words.map(() => 1) } },
  payload,
})
const filled = async (...points: object[]): Promise<void> => {
  await call('PUT', '/collections/c', settings)
  await call('PUT', '/collections/c/index?wait=true', {
    field_name: 'tenant',
    field_schema: { type: 'keyword', is_tenant: true },
  })
  expect(await call('PUT', '/collections/c/points?wait=true', { points })).toMatchObject({ status: 200 })
}
const query = async (body: object): Promise<{ id: string; score: number }[]> => {
  const answer = await call('POST', '/collections/c/points/query', body)
  expect(answer).toMatchObject({ status: 200 })
  return (answer.body.result as unknown as { points: { id: string; score: number }[] }).points
}
const ids = async (body: object): Promise<string[]> => (await query(body)).map(({ id }) => id.slice(-1))

describe('unsupported features', () => {
  it('is refused also where nothing is held to the document', async () => {
    const blind = await startQdrantServer({ validate: false })
    expect(await call('PUT', '/collections/c', { ...settings, shards: 1 }, blind.url)).toMatchObject({ status: 501 })
    expect(blind.faults).toHaveLength(1)
    await blind.close()
  })
  it.each([
    ['what Qdrant can and it cannot', 'GET', '/collections/c', undefined],
    ['a setting that it would pass over', 'PUT', '/collections/c', { ...settings, replication_factor: 2 }],
    ['a condition', 'POST', '/collections/c/points/count', { filter: { must: [{ is_empty: { key: 'tenant' } }] } }],
  ])('refuses %s', async (_, method, path, body) => {
    expect((await call(method, path, body)).status).toBe(501)
    expect(server.faults).toHaveLength(1)
  })
})

describe('the same behavior as Qdrant', () => {
  it('fuses by ranks from 0, and takes weights for a stretch of the ranks', async () => {
    await filled(point(1, [1, 0]), point(2, [0, 1], [7]))
    const prefetch = [
      { query: { nearest: [1, 0] }, using: 'dense', limit: 2 },
      { query: { nearest: { indices: [7], values: [1] } }, using: 'words', limit: 2 },
    ]
    const scores = (await query({ prefetch, query: { rrf: { k: 61 } } })).map(({ score }) => score)
    expect(scores).toEqual([1 / 62 + 1 / 61, 1 / 61])
    const weighed = (await query({ prefetch, query: { rrf: { k: 2, weights: [3, 1] } } })).map(({ score }) =>
      Number(score.toFixed(6)),
    )
    expect(weighed).toEqual([1.1, 0.75])
    expect(
      await call('POST', '/collections/c/points/query', { prefetch, query: { rrf: { weights: [1] } } }),
    ).toMatchObject({ status: 400 })
  })
  it('chooses by MMR at the root and over a prefetch, but as a leaf among prefetches only brings candidates', async () => {
    await filled(point(1, [1, 0.1]), point(2, [1, 0.11]), point(3, [1, -0.9]))
    const mmr = { query: { nearest: [1, 0], mmr: { diversity: 0.7, candidates_limit: 3 } }, using: 'dense', limit: 2 }
    expect(await ids(mmr)).toEqual(['1', '3'])
    const ranked = { query: { rrf: { k: 2 } }, limit: 2 }
    expect(await ids({ prefetch: [mmr], ...ranked })).toEqual(['1', '2'])
    expect(
      await ids({
        prefetch: [{ ...mmr, prefetch: [{ query: { nearest: [1, 0] }, using: 'dense', limit: 3 }] }],
        ...ranked,
      }),
    ).toEqual(['1', '3'])
  })
  it('counts rarity over the given corpus', async () => {
    await filled(
      point(1, [1, 0], [7], { tenant: 'a' }),
      point(2, [1, 0], [7], { tenant: 'b' }),
      point(3, [1, 0], [8], { tenant: 'b' }),
    )
    const words = { query: { nearest: { indices: [7], values: [1] } }, using: 'words' }
    const of = async (tenant: string) =>
      (
        await query({ ...words, params: { idf: { corpus: { must: [{ key: 'tenant', match: { value: tenant } }] } } } })
      )[0]?.score
    expect(await of('a')).toBeCloseTo(Math.log(1 + 0.5 / 1.5))
    expect(await of('b')).toBeCloseTo(Math.log(1 + 1.5 / 1.5))
  })
  it('needs an index for whatever is filtered by', async () => {
    await filled(point(1, [1, 0]))
    expect(
      await call('POST', '/collections/c/points/count', {
        filter: { must: [{ key: 'colour', match: { value: 'red' } }] },
      }),
    ).toMatchObject({ status: 400 })
  })
  it('turns aliases in one step, or not at all', async () => {
    await filled(point(1, [1, 0]))
    const create = (collection: string) => ({ create_alias: { collection_name: collection, alias_name: 'a' } })
    expect(await call('POST', '/collections/aliases', { actions: [create('c')] })).toMatchObject({ status: 200 })
    expect(
      await call('POST', '/collections/aliases', {
        actions: [{ delete_alias: { alias_name: 'a' } }, create('nowhere')],
      }),
    ).toMatchObject({ status: 404 })
    expect(await call('POST', '/collections/a/points/count', { exact: true })).toMatchObject({
      status: 200,
      body: { result: { count: 1 } },
    })
    await call('DELETE', '/collections/c')
    expect(await call('GET', '/aliases')).toMatchObject({ body: { result: { aliases: [] } } })
  })
  it('changes a point only if its condition is met, and inserts a point only if none exists', async () => {
    await filled(point(1, [1, 0], [], { tenant: 'a' }))
    const count = async (tenant: string) =>
      (
        await call('POST', '/collections/c/points/count', {
          filter: { must: [{ key: 'tenant', match: { value: tenant } }] },
        })
      ).body.result
    const becoming = (tenant: string, more: object) =>
      call('PUT', '/collections/c/points', { points: [point(1, [1, 0], [], { tenant })], ...more })
    await becoming('b', { update_filter: { must: [{ key: 'tenant', match: { value: 'z' } }] } })
    await becoming('c', { update_mode: 'insert_only' })
    expect(await count('a')).toEqual({ count: 1 })
    await becoming('d', { update_filter: { must: [{ key: 'tenant', match: { value: 'a' } }] } })
    expect(await count('d')).toEqual({ count: 1 })
  })
  it.each([
    [409, 'PUT', '/collections/c', settings],
    [404, 'POST', '/collections/nowhere/points/count', {}],
    [400, 'PUT', '/collections/c/points', { points: [point(1, [1, 0, 0])] }],
    [422, 'PUT', '/collections/c/points', { points: [point(1, [1, 0], [7, 7])] }],
    [400, 'POST', '/collections/c/points/query', { query: { rrf: { k: 2 } } }],
  ])('answers %d where it must', async (status, method, path, body) => {
    await filled(point(1, [1, 0]))
    expect(await call(method, path, body)).toMatchObject({
      status,
      body: { status: { error: expect.any(String) as string } },
    })
    expect(server.faults).toEqual([])
  })
})
