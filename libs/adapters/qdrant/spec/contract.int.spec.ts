import { startQdrantServer } from '@plumbline/testing/qdrant-server/qdrant-server'
import { passageIndexContract } from '@plumbline/ports/passage-index/passage-index.contract'
import { afterAll, expect, it } from 'vitest'
import { tenantsContract } from '@plumbline/ports/passage-index/tenants.contract'
import { openQdrantPassageIndex } from '../qdrant-passage-index'

const server = await startQdrantServer()
afterAll(() => server.close())

passageIndexContract('qdrant', () => openQdrantPassageIndex({ url: server.url }))
passageIndexContract('qdrant, quantised', () =>
  openQdrantPassageIndex({ url: server.url, prefix: 'quantised', quantisation: 'binary' }),
)

it("sent and received only what Qdrant's own API description allows", () => {
  expect(server.requests.length).toBeGreaterThan(500)
  expect(server.faults).toEqual([])
})

const unvalidated = await startQdrantServer({ validate: false })
afterAll(() => unvalidated.close())

tenantsContract('qdrant', () => openQdrantPassageIndex({ url: unvalidated.url }), { tenants: 10, queries: 1_000 })

it('sent and received nothing invalid', () => expect(unvalidated.faults).toEqual([]))
