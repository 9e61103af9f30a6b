import { randomUUID } from 'node:crypto'
import { startQdrantServer } from '@plumbline/testing/qdrant-server'
import { passageIndexContract } from '@plumbline/ports/passage-index/passage-index.contract'
import { afterAll, describe, expect, it } from 'vitest'
import { openQdrantPassageIndex } from '../qdrant-passage-index'

const server = await startQdrantServer()
if (!server.validating)
  process.stdout.write("LOUD: Qdrant's OpenAPI document is absent; its requests are not validated\n")
afterAll(() => server.close())

passageIndexContract('qdrant', () => openQdrantPassageIndex({ url: server.url }))
passageIndexContract('qdrant, quantised', () =>
  openQdrantPassageIndex({ url: server.url, prefix: 'quantised', quantisation: 'binary' }),
)

it("asked and answered nothing that Qdrant's own document does not know", () => {
  expect(server.requests.length).toBeGreaterThan(500)
  expect(server.faults).toEqual([])
})

const real = process.env.QDRANT_URL
if (!real) process.stdout.write('LOUD: QDRANT_URL is not set; the contract is not run against a real Qdrant\n')
describe.skipIf(!real)('a real server', () => {
  const [apiKey, prefix] = [process.env.QDRANT_API_KEY, `spec-${randomUUID()}`]
  passageIndexContract('qdrant itself', () => openQdrantPassageIndex({ url: real ?? '', apiKey, prefix }))
  afterAll(async () => {
    const { QdrantClient } = await import('@qdrant/js-client-rest')
    const client = new QdrantClient({
      url: real ?? '',
      headers: apiKey ? { 'api-key': apiKey } : {},
      checkCompatibility: false,
    })
    const { collections } = await client.getCollections()
    for (const { name } of collections.filter((one) => one.name.startsWith(prefix))) await client.deleteCollection(name)
  })
})
