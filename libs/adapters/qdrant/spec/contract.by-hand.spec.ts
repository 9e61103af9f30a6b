import { randomUUID } from 'node:crypto'
import { QdrantClient } from '@qdrant/js-client-rest'
import { passageIndexContract } from '@plumbline/ports/passage-index/passage-index.contract'
import { afterAll } from 'vitest'
import { openQdrantPassageIndex } from '../qdrant-passage-index'

const { QDRANT_URL: url, QDRANT_API_KEY: apiKey } = process.env
if (!url)
  throw new Error('QDRANT_URL is not set: name a Qdrant server, on which collections are made and deleted again.')
const prefix = `spec-${randomUUID()}`

passageIndexContract('qdrant itself', () => openQdrantPassageIndex({ url, apiKey, prefix }))

afterAll(async () => {
  const client = new QdrantClient({ url, headers: apiKey ? { 'api-key': apiKey } : {}, checkCompatibility: false })
  const { collections } = await client.getCollections()
  for (const { name } of collections.filter((one) => one.name.startsWith(prefix))) await client.deleteCollection(name)
})
