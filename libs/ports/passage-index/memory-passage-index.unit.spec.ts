import { expect, it } from 'vitest'
import { memoryPassageIndex } from './memory-passage-index'
import { passageIndexContract } from './passage-index.contract'
import { tenantsContract } from './tenants.contract'
import { onlyMethod, type Scope } from './passage-index'

passageIndexContract('memory', () => Promise.resolve(memoryPassageIndex()))
tenantsContract('memory', () => Promise.resolve(memoryPassageIndex()), { tenants: 20, queries: 3_000 })

const search = (scope: Scope) =>
  memoryPassageIndex().search(
    scope,
    { text: 'slate', vector: null },
    onlyMethod('bm25', { k: 1 }),
    new AbortController().signal,
  )

it('requires tenant, collections, filters and access tags in a query', async () => {
  expect(await search({ tenant: 't', collections: ['main'], filters: {}, access: [] })).toEqual([])
  const without = [
    // @ts-expect-error a tenant is required
    () => search({ collections: ['main'], filters: {}, access: [] }),
    // @ts-expect-error collections are required
    () => search({ tenant: 't', filters: {}, access: [] }),
    // @ts-expect-error filters are required
    () => search({ tenant: 't', collections: ['main'], access: [] }),
    // @ts-expect-error access tags are required
    () => search({ tenant: 't', collections: ['main'], filters: {} }),
  ]
  expect(without).toHaveLength(4)
})
