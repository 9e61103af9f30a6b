import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { qdrantDocument } from './document'
import { startQdrantServer, type QdrantServer } from './qdrant-server'

let server: QdrantServer
beforeAll(async () => {
  if (!(await qdrantDocument()))
    throw new Error('EVAL_DATA is not set, or has no OpenAPI document of Qdrant in its folder openapi.')
  server = await startQdrantServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const settings = { vectors: { dense: { size: 2, distance: 'Cosine' } }, sparse_vectors: { words: { modifier: 'idf' } } }
const call = (method: string, path: string, body: unknown): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

it.each([
  ['a path', 'POST', '/collections/c/points/search', { vector: [1, 0], limit: 1 }],
  ['a field', 'PUT', '/collections/c', { ...settings, sharding: 'auto' }],
  ['a field deep inside', 'PUT', '/collections/c', { vectors: { dense: { size: 2, distance: 'Cosine', sise: 3 } } }],
  ['a value', 'PUT', '/collections/c', { vectors: { dense: { size: 2, distance: 'cosine' } } }],
  ['a type', 'POST', '/collections/c/points/query', { query: { nearest: [1, 0], mmr: { diversity: '0.5' } } }],
  ['a range', 'POST', '/collections/c/points/query', { query: { nearest: [1, 0], mmr: { diversity: 1.5 } } }],
  ['a parameter', 'PUT', '/collections/c/points?waits=true', { points: [] }],
  ['the value of a parameter', 'PUT', '/collections/c/points?ordering=strict', { points: [] }],
  ['no body', 'PUT', '/collections/c/points', undefined],
  ['an id', 'POST', '/collections/c/points', { ids: ['not-a-uuid'] }],
])('refuses %s that the document does not have', async (_, method, path, body) => {
  expect((await call(method, path, body)).status).toBe(400)
  expect(server.faults).not.toEqual([])
})
