import { tenantsContract } from '@plumbline/ports/passage-index/tenants.contract'
import { startQdrantServer } from '@plumbline/testing/qdrant-server'
import { afterAll, expect, it } from 'vitest'
import { openQdrantPassageIndex } from '../qdrant-passage-index'
import { absent } from './kit'

const server = await startQdrantServer({ openapi: absent })
afterAll(() => server.close())

tenantsContract('qdrant', () => openQdrantPassageIndex({ url: server.url }), { tenants: 10, queries: 1_000 })

it('asked and answered nothing that is not to be', () => expect(server.faults).toEqual([]))
