import { expect, it } from 'vitest'
import type { Scope } from './passage-index'
import { memoryPassageIndex, oneWay } from './index'

const search = (scope: Scope) =>
  memoryPassageIndex().search(
    scope,
    { text: 'slate', vector: null },
    oneWay('bm25', { k: 1 }),
    new AbortController().signal,
  )

it('takes a query only with its tenant, collections, filters and access tags', async () => {
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
