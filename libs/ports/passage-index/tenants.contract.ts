import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { passes } from './filters'
import {
  onlyMethod,
  type Access,
  type IndexedPassage,
  type PassageIndex,
  type Scope,
  type SearchMethods,
} from './passage-index'

const never = new AbortController().signal
const usual = { tenants: 50, queries: 10_000 }
const atOnce = 50
const dimensions = 8
const tags = ['hr', 'board', 'ops']
const years = ['2023', '2024']
const collections = ['main', 'other']

const ways: Record<string, SearchMethods> = {
  similarity: onlyMethod('similarity', { k: 30 }),
  mmr: onlyMethod('mmr', { k: 20, fetch: 30, lambda: 0.5 }),
  bm25: onlyMethod('bm25', { k: 30 }),
  all: {
    similarity: { k: 30, weight: 0.4 },
    mmr: { k: 10, weight: 0.2, fetch: 30, lambda: 0.7 },
    bm25: { k: 30, weight: 0.4 },
    constant: 10,
    limit: 30,
  },
}

type Document = { id: string; collection: string; metadata: Record<string, string>; access: string[] }

/** The documents of every tenant. Ids, words and vectors are equal, so only the tenant filter keeps results apart. */
const documents: Document[] = collections.flatMap((collection) =>
  years.flatMap((year) =>
    [[], ['hr'], ['board', 'ops']].map((access) => ({
      id: `${collection}-${year}-${access.join('-')}`,
      collection,
      metadata: { year },
      access,
    })),
  ),
)

const passagesOf = (tenant: string, { id, collection }: Document): IndexedPassage[] =>
  [0, 1].map((position) => ({
    passage: {
      id: `${id}.${position}`,
      documentId: id,
      collection,
      title: tenant,
      text: `granite ledger ${position} of ${tenant}`,
      headingPath: [],
      position,
    },
    vector: Float32Array.from({ length: dimensions }, (_, at) => (at === position ? 1 : 0.1)),
  }))

const readable = (access: Access, document: Document): boolean =>
  access === 'all' || document.access.length === 0 || document.access.some((tag) => access.includes(tag))
const allowed = ({ collections: named, filters, access }: Scope): string[] =>
  documents
    .filter((one) => named.includes(one.collection) && passes(filters, one.metadata) && readable(access, one))
    .map(({ id }) => id)

const filters: Scope['filters'][] = [
  {},
  { year: '2024' },
  { year: '2023' },
  { year: { gte: 2024 } },
  { year: '1999' },
  { year: { not: '2024' } },
  { year: { in: ['2023', '2024'], lt: 2024 } },
  { year: '2024', missing: 'x' },
  { missing: { not: 'x' } },
]

const scopeOf = (nth: number, tenant: string): Scope => ({
  tenant,
  collections: [['main'], ['other'], ['main', 'other'], []][nth % 4] ?? [],
  filters: filters[nth % filters.length] ?? {},
  access: (['all', [], ['hr'], ['ops'], tags, ['h', "hr' OR '1'='1"], ['nobody']] satisfies Access[])[nth % 7] ?? [],
})

export const tenantsContract = (
  name: string,
  open: () => Promise<PassageIndex>,
  sizes: { tenants: number; queries: number } = usual,
): void => {
  describe(`tenants of a passage index: ${name}`, () => {
    const tenants = Array.from({ length: sizes.tenants }, (_, nth) => `tenant-${nth}`)
    let index: PassageIndex
    beforeAll(async () => {
      index = await open()
      for (const tenant of tenants)
        for (const document of documents)
          await index.write(tenant, { ...document, version: '1', space: 'model' }, passagesOf(tenant, document), never)
    }, 120_000)
    afterAll(() => index.close())

    /** The text of the query names other tenants, and its vector is equally near to the documents of all tenants. */
    const ask = async (nth: number): Promise<string[]> => {
      const tenant = tenants[nth % tenants.length] ?? ''
      const other = tenants[(nth * 7 + 1) % tenants.length] ?? ''
      const scope = scopeOf(Math.floor(nth / tenants.length), tenant)
      const way = Object.keys(ways)[nth % 4] ?? 'all'
      const values = Float32Array.from({ length: dimensions }, (_, at) => Math.cos(nth + at))
      const found = await index.search(
        scope,
        { text: `granite ledger of ${other} ${tenant}`, vector: { space: 'model', values } },
        ways[way] ?? ways['all']!,
        never,
      )
      const open = allowed(scope)
      const faults = found
        .filter(({ passage }) => passage.title !== tenant || !open.includes(passage.documentId))
        .map(({ passage }) => `${tenant} by ${way} sees ${passage.id} of ${passage.title}`)
      const wanted = Math.min(open.length * 2, way === 'mmr' ? 20 : 30)
      return found.length === wanted
        ? faults
        : [...faults, `${tenant} by ${way} sees ${found.length} of ${wanted} passages`]
    }

    it(
      `answers ${sizes.queries} queries of ${sizes.tenants} tenants without a leak`,
      { timeout: 300_000 },
      async () => {
        const faults: string[] = []
        for (let from = 0; from < sizes.queries; from += atOnce)
          faults.push(
            ...(
              await Promise.all(
                Array.from({ length: Math.min(atOnce, sizes.queries - from) }, (_, at) => ask(from + at)),
              )
            ).flat(),
          )
        expect(faults).toEqual([])
      },
    )

    it('opens, counts and removes only its own documents', async () => {
      for (const [nth, tenant] of tenants.entries()) {
        const scope = scopeOf(nth, tenant)
        expect(await index.count(scope, never)).toBe(allowed(scope).length * 2)
        for (const { id } of documents) {
          const read = await index.passages(scope, id, null, never)
          expect(read.map(({ title }) => title)).toEqual(allowed(scope).includes(id) ? [tenant, tenant] : [])
        }
      }
      const everything = (tenant: string): Scope => ({ tenant, collections, filters: {}, access: 'all' })
      for (const { id } of documents) await index.remove(tenants[0]!, id, never)
      expect(await index.count(everything(tenants[0]!), never)).toBe(0)
      expect(await index.count(everything(tenants[1]!), never)).toBe(documents.length * 2)
    })
  })
}
