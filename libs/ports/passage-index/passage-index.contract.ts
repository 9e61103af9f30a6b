import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneWay } from './one-way'
import type { IndexedPassage, PassageIndex, Scope, Ways } from './passage-index'

const never = new AbortController().signal
const dimensions = 8

/** A vector in the plane of two axes, so that likeness can be chosen. */
const pointing = (axis: number, lean = 0, towards = 0): Float32Array => {
  const vector = new Float32Array(dimensions)
  vector[axis] = Math.cos(lean)
  vector[towards] = (vector[towards] ?? 0) + Math.sin(lean)
  return vector
}

const entry = (documentId: string, collection: string, text: string, vector = pointing(0), more: { title?: string; headingPath?: string[]; position?: number } = {}): IndexedPassage => ({
  passage: {
    id: `${documentId}.${more.position ?? 0}`,
    documentId,
    collection,
    title: more.title ?? documentId,
    text,
    headingPath: more.headingPath ?? [],
    position: more.position ?? 0,
  },
  vector,
})

const texts = (hits: { passage: { text: string } }[]): string[] => hits.map(({ passage }) => passage.text)
const space = 'model'
type Asked = Partial<Scope> & Pick<Scope, 'tenant'>
type Told = { collection?: string; metadata?: Record<string, string>; access?: string[]; version?: string; space?: string }

type Options = {
  /** False where rarity is counted over all tenants: then one tenant's words may shift another's scores, though never show. */
  ownRarity?: boolean
}

export const passageIndexContract = (name: string, open: () => Promise<PassageIndex>, { ownRarity = true }: Options = {}): void => {
  describe(`passage index: ${name}`, () => {
    let index: PassageIndex
    beforeAll(async () => void (index = await open()))
    afterAll(() => index.close())

    const scopeOf = (asked: Asked): Scope => ({ collections: ['main'], filters: {}, access: 'all', ...asked })
    const write = (tenant: string, id: string, passages: IndexedPassage[], { collection = 'main', metadata = {}, access = [], version = '1', space: own = space }: Told = {}) =>
      index.write(tenant, { id, collection, version, metadata, access, space: own }, passages, never)
    const search = async (asked: Asked, text: string, vector: Float32Array, ways: Ways, signal = never, own = space) =>
      (await index.search(scopeOf(asked), { text, vector: { space: own, values: vector } }, ways, signal)).map(({ passage, scores }) => ({ passage, score: scores.similarity ?? scores.mmr ?? scores.bm25 ?? NaN }))
    const similar = (asked: Asked, vector: Float32Array, k: number, signal = never) => search(asked, '', vector, oneWay('similarity', { k }), signal)
    const diverse = (asked: Asked, vector: Float32Array, settings: { k: number; fetch: number; lambda: number }) => search(asked, '', vector, oneWay('mmr', settings))
    const matching = (asked: Asked, text: string, k: number, signal = never) => search(asked, text, pointing(0), oneWay('bm25', { k }), signal)

    let tenants = 0
    const newTenant = (): string => `tenant-${(tenants += 1)}`
    const put = (tenant: string, id: string, text: string, more: Told & { vector?: Float32Array; title?: string; headingPath?: string[] } = {}) =>
      write(tenant, id, [entry(id, more.collection ?? 'main', text, more.vector, more)], more)
    const everywhere = async (scope: Asked, query: string, vector = pointing(0)): Promise<string[][]> => [
      texts(await similar(scope, vector, 50)),
      texts(await diverse(scope, vector, { k: 50, fetch: 50, lambda: 0.5 })),
      texts(await matching(scope, query, 50)),
    ]

    it('gives back the passage as it was written', async () => {
      const tenant = newTenant()
      const written = entry('d', 'main', 'Crème brûlée — 12 % “sugar” 🍮', pointing(1), { title: 'Desserts', headingPath: ['A', 'B'], position: 7 })
      await write(tenant, 'd', [written])
      const scope = { tenant, collections: ['main'] }
      expect((await similar(scope, pointing(1), 1))[0]?.passage).toEqual(written.passage)
      expect((await matching(scope, 'brulee', 1))[0]?.passage).toEqual(written.passage)
      expect(await index.count(scopeOf(scope), never)).toBe(1)
    })

    it('keeps tenants apart, by every way of searching', async () => {
      const names = Array.from({ length: 12 }, newTenant)
      await Promise.all(names.map((tenant) => put(tenant, 'same-id', `secret of ${tenant}`)))
      for (const tenant of names) {
        for (const found of await everywhere({ tenant, collections: ['main'] }, 'secret')) expect(found).toEqual([`secret of ${tenant}`])
        expect(await index.count(scopeOf({ tenant, collections: ['main'] }), never)).toBe(1)
      }
      for (const found of await everywhere({ tenant: 'nobody', collections: ['main'] }, 'secret')) expect(found).toEqual([])
    })

    it.runIf(ownRarity)("does not let one tenant's words weigh in another's ranking", async () => {
      const tenant = newTenant()
      await put(tenant, 'a', 'amber alone')
      await put(tenant, 'b', 'basalt alone')
      await put(tenant, 'c', 'cobalt alone')
      const before = await matching({ tenant, collections: ['main'] }, 'amber', 5)
      const other = newTenant()
      for (const id of ['x', 'y', 'z']) await put(other, id, 'amber amber everywhere')
      expect(await matching({ tenant, collections: ['main'] }, 'amber', 5)).toEqual(before)
    })

    it('gives a whole document in its order, to whoever may read it', async () => {
      const tenant = newTenant()
      const passages = [2, 0, 1].map((position) => entry('d', 'main', `part ${position}`, pointing(0), { position }))
      await write(tenant, 'd', passages, { metadata: { year: '2024' } })
      await put(tenant, 'e', 'another')
      const read = async (scope: Asked, id = 'd') => (await index.passages(scopeOf(scope), id, null, never)).map(({ text }) => text)
      expect(await read({ tenant, collections: ['main'] })).toEqual(['part 0', 'part 1', 'part 2'])
      expect(await read({ tenant, collections: ['main'], filters: { year: '2024' } })).toHaveLength(3)
      for (const scope of [{ tenant, collections: ['other'] }, { tenant: newTenant(), collections: ['main'] }, { tenant, collections: ['main'], filters: { year: '1999' } }]) expect(await read(scope)).toEqual([])
      expect(await read({ tenant, collections: ['main'] }, 'nowhere')).toEqual([])
    })

    it('reads only the named collections', async () => {
      const tenant = newTenant()
      await put(tenant, 'a', 'granite one', { collection: 'first' })
      await put(tenant, 'b', 'granite two', { collection: 'second' })
      for (const found of await everywhere({ tenant, collections: ['first'] }, 'granite')) expect(found).toEqual(['granite one'])
      for (const found of await everywhere({ tenant, collections: ['first', 'second'] }, 'granite')) expect(found.sort()).toEqual(['granite one', 'granite two'])
      for (const found of await everywhere({ tenant, collections: [] }, 'granite')) expect(found).toEqual([])
    })

    it('applies every filter, whatever its name and value look like', async () => {
      const tenant = newTenant()
      const odd = { 'a"b.$[0]': "x' OR 1=1 --", year: '2024' }
      await put(tenant, 'a', 'marble one', { metadata: odd })
      await put(tenant, 'b', 'marble two', { metadata: { year: '2024' } })
      await put(tenant, 'c', 'marble three')
      const scope = { tenant, collections: ['main'] }
      for (const found of await everywhere({ ...scope, filters: { year: '2024' } }, 'marble')) expect(found.sort()).toEqual(['marble one', 'marble two'])
      for (const found of await everywhere({ ...scope, filters: odd }, 'marble')) expect(found).toEqual(['marble one'])
      for (const found of await everywhere({ ...scope, filters: { year: '202' } }, 'marble')) expect(found).toEqual([])
      for (const found of await everywhere({ ...scope, filters: { missing: '' } }, 'marble')) expect(found).toEqual([])
    })

    it('shows a document with tags to whoever has one of them, and one without to all', async () => {
      const tenant = newTenant()
      await put(tenant, 'open', 'beryl open')
      await put(tenant, 'hr', 'beryl hr', { access: ['hr', 'board'] })
      await put(tenant, 'odd', 'beryl odd', { access: ['x" OR 1=1'] })
      const seen = async (access: Scope['access']): Promise<string[][]> => (await everywhere({ tenant, access }, 'beryl')).map((found) => found.sort())
      const all = (...found: string[]): string[][] => [found, found, found]
      expect(await seen([])).toEqual(all('beryl open'))
      expect(await seen(['board'])).toEqual(all('beryl hr', 'beryl open'))
      expect(await seen(['h', 'hr ', 'x'])).toEqual(all('beryl open'))
      expect(await seen('all')).toEqual(all('beryl hr', 'beryl odd', 'beryl open'))
      expect(await index.passages(scopeOf({ tenant, access: [] }), 'hr', null, never)).toEqual([])
      expect(await index.count(scopeOf({ tenant, access: ['hr'] }), never)).toBe(2)
    })

    it('fuses what the ways found by weighted reciprocal rank: each passage once, best first', async () => {
      const tenant = newTenant()
      await put(tenant, 'both', 'onyx onyx', { vector: pointing(0, 0.1, 1) })
      await put(tenant, 'near', 'a stone', { vector: pointing(0) })
      await put(tenant, 'far', 'onyx among many other words of a long text', { vector: pointing(2) })
      const ways: Ways = { similarity: { k: 2, weight: 1 }, mmr: { k: 2, weight: 0.5, fetch: 3, lambda: 0.9 }, bm25: { k: 5, weight: 1 }, constant: 10, limit: 3 }
      const query = { text: 'onyx', vector: { space, values: pointing(0) } }
      const found = await index.search(scopeOf({ tenant }), query, ways, never)
      expect(found.map(({ passage }) => passage.documentId)).toEqual(['both', 'near', 'far'])
      const ranked = [1 / 12 + 0.5 / 12 + 1 / 11, 1 / 11 + 0.5 / 11, 1 / 12]
      expect(found.map(({ scores }) => scores.fused)).toEqual(ranked.map((score) => expect.closeTo(score, 6) as number))
      expect(await index.search(scopeOf({ tenant }), query, { ...ways, limit: 1 }, never)).toHaveLength(1)
      const wordsOnly = await index.search(scopeOf({ tenant }), { text: 'onyx', vector: null }, ways, never)
      expect(wordsOnly.map(({ passage }) => passage.documentId)).toEqual(['both', 'far'])
    })

    it('never compares vectors of different spaces; words find all of them', async () => {
      const tenant = newTenant()
      await put(tenant, 'a', 'pyrite one', { space: 'one' })
      await put(tenant, 'b', 'pyrite two', { space: 'two' })
      expect(texts(await search({ tenant }, '', pointing(0), oneWay('similarity', { k: 5 }), never, 'one'))).toEqual(['pyrite one'])
      expect(texts(await search({ tenant }, '', pointing(0), oneWay('similarity', { k: 5 }), never, 'two'))).toEqual(['pyrite two'])
      expect(texts(await matching({ tenant }, 'pyrite', 5)).sort()).toEqual(['pyrite one', 'pyrite two'])
      await put(tenant, 'a', 'pyrite one', { space: 'two' })
      expect(await search({ tenant }, '', pointing(0), oneWay('similarity', { k: 5 }), never, 'one')).toEqual([])
    })

    it('gives the neighbours of a passage', async () => {
      const tenant = newTenant()
      await write(tenant, 'd', [3, 1, 0, 2].map((position) => entry('d', 'main', `part ${position}`, pointing(0), { position })))
      const read = async (from: number, to: number): Promise<string[]> => (await index.passages(scopeOf({ tenant }), 'd', { from, to }, never)).map(({ text }) => text)
      expect(await read(1, 2)).toEqual(['part 1', 'part 2'])
      expect(await read(-1, 0)).toEqual(['part 0'])
      expect(await read(4, 9)).toEqual([])
    })

    it('fills k from the scope alone, however many better ones stand outside it', async () => {
      const tenant = newTenant()
      for (let at = 0; at < 30; at += 1) await put(tenant, `near-${at}`, 'quartz quartz', { collection: 'other', vector: pointing(0) })
      await put(tenant, 'far', 'quartz in a long and winding text about other things', { vector: pointing(0, 1, 1) })
      for (const found of [await similar({ tenant, collections: ['main'] }, pointing(0), 1), await matching({ tenant, collections: ['main'] }, 'quartz', 1)])
        expect(found.map(({ passage }) => passage.documentId)).toEqual(['far'])
    })

    it('replaces a document in one step, seen whole by whoever reads meanwhile', async () => {
      const tenant = newTenant()
      const scope = { tenant, collections: ['main'] }
      const version = (mark: string, size: number) => Array.from({ length: size }, (_, position) => entry('d', 'main', `slate ${mark}`, pointing(0), { position }))
      await write(tenant, 'd', version('old', 5))
      const seen = new Set<string>()
      const writes = Array.from({ length: 10 }, (_, at) => write(tenant, 'd', version(at % 2 ? 'old' : 'new', at % 2 ? 5 : 9)))
      const reads = Array.from({ length: 40 }, async (_, at) => {
        const hits = await (at % 2 ? matching(scope, 'slate', 50) : similar(scope, pointing(0), 50))
        seen.add(`${[...new Set(texts(hits))].join()} ${hits.length}`)
      })
      await Promise.all([...writes, ...reads])
      expect([...seen].filter((state) => !['slate old 5', 'slate new 9'].includes(state))).toEqual([])
      expect(await index.count(scopeOf(scope), never)).toBe(5)
    })

    it('shows all ways the same version of a document that is replaced again and again', { timeout: 60_000 }, async () => {
      const tenant = newTenant()
      const version = (mark: string, size: number) =>
        Array.from({ length: size }, (_, position) => {
          const { passage, vector } = entry('d', 'main', `slate ${mark}`, pointing(0), { position })
          return { passage: { ...passage, id: `${mark}.${position}` }, vector }
        })
      const ways: Ways = { similarity: { k: 50, weight: 1 }, mmr: { k: 50, weight: 1, fetch: 50, lambda: 0.5 }, bm25: { k: 50, weight: 1 }, constant: 10, limit: 100 }
      const look = async (): Promise<string> => {
        const found = await index.search(scopeOf({ tenant }), { text: 'slate', vector: { space, values: pointing(0) } }, ways, never)
        return `${[...new Set(texts(found))].sort().join()} ${found.length}`
      }
      await write(tenant, 'd', version('old', 5))
      const seen = new Set([await look()])
      let writing = true
      const readers = Array.from({ length: 3 }, async () => {
        while (writing) seen.add(await look())
      })
      for (let at = 0; at < 30; at += 1) await write(tenant, 'd', at % 2 ? version('old', 5) : version('new', 9))
      writing = false
      await Promise.all(readers)
      expect([...seen].sort()).toEqual(['slate new 9', 'slate old 5'])
    })

    it('moves a document to another collection when it is written there', async () => {
      const tenant = newTenant()
      await put(tenant, 'd', 'flint', { collection: 'first' })
      await put(tenant, 'd', 'flint', { collection: 'second' })
      expect(await index.count(scopeOf({ tenant, collections: ['first'] }), never)).toBe(0)
      expect(await index.count(scopeOf({ tenant, collections: ['second'] }), never)).toBe(1)
    })

    it('forgets a removed document; removing it again, or one of another tenant, changes nothing', async () => {
      const tenant = newTenant()
      await put(tenant, 'd', 'obsidian')
      await index.remove(newTenant(), 'd', never)
      expect(await index.count(scopeOf({ tenant, collections: ['main'] }), never)).toBe(1)
      await index.remove(tenant, 'd', never)
      await index.remove(tenant, 'd', never)
      for (const found of await everywhere({ tenant, collections: ['main'] }, 'obsidian')) expect(found).toEqual([])
    })

    it('keeps nothing of a document that is written empty', async () => {
      const tenant = newTenant()
      await put(tenant, 'd', 'jasper')
      await write(tenant, 'd', [])
      for (const found of await everywhere({ tenant, collections: ['main'] }, 'jasper')) expect(found).toEqual([])
    })

    it('matches words in text, title and headings, by relevance', async () => {
      const tenant = newTenant()
      await put(tenant, 'a', 'about rivers', { title: 'Tungsten' })
      await put(tenant, 'b', 'about lakes', { headingPath: ['Metals', 'Tungsten and its uses'] })
      await put(tenant, 'c', 'tungsten tungsten tungsten')
      await put(tenant, 'd', 'nothing of the kind')
      const scope = { tenant, collections: ['main'] }
      const hits = await matching(scope, 'tungsten', 10)
      expect(hits.map(({ passage }) => passage.documentId).sort()).toEqual(['a', 'b', 'c'])
      expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a))
      expect(hits.every(({ score }) => score > 0)).toBe(true)
    })

    it('takes any text for words: quotes, operators, wildcards, nothing at all', async () => {
      const tenant = newTenant()
      await put(tenant, 'a', `the "quoted" O'Neill C++ user_type 1.21 NEAR gneiss`)
      const scope = { tenant, collections: ['main'] }
      const count = async (query: string): Promise<number> => (await matching(scope, query, 5)).length
      for (const query of ['"quoted', `O'Neill`, 'C++', 'user_type', 'type', '1.21', 'gneiss AND', 'NOT gneiss', 'NEAR(gneiss, 2)', 'text:gneiss', '^gneiss', '{title} : gneiss', '(gneiss', 'gneiss*', 'gneiss; DROP TABLE passages'])
        expect(`${query}: ${await count(query)}`).toBe(`${query}: 1`)
      for (const query of ['', '   ', '"', '""', '*', '()', '"*"', '—', '\0', '🍮', "';--", 'gne*']) expect(`${query}: ${await count(query)}`).toBe(`${query}: 0`)
      expect(await count(`${'long '.repeat(5_000)} gneiss`)).toBe(1)
    })

    it('matches across accents, case, widths and scripts without spaces', async () => {
      const tenant = newTenant()
      await put(tenant, 'a', 'São Paulo ÅNGSTRÖM')
      await put(tenant, 'b', '東京の気温は高い')
      await put(tenant, 'c', 'Москва и Киев')
      await put(tenant, 'd', 'ＡＢＣ１２')
      const scope = { tenant, collections: ['main'] }
      const found = async (query: string): Promise<string[]> => (await matching(scope, query, 5)).map(({ passage }) => passage.documentId)
      expect(await Promise.all(['sao', 'angstrom', '気温', 'МОСКВА', 'abc12'].map(found))).toEqual([['a'], ['a'], ['b'], ['c'], ['d']])
    })

    it('ranks by likeness and gives at most k', async () => {
      const tenant = newTenant()
      for (const lean of [0.9, 0.1, 0.5]) await put(tenant, `at-${lean}`, `${lean}`, { vector: pointing(0, lean, 1) })
      const hits = await similar({ tenant, collections: ['main'] }, pointing(0), 2)
      expect(texts(hits)).toEqual(['0.1', '0.5'])
      expect(hits[0]?.score).toBeCloseTo(Math.cos(0.1), 4)
    })

    it('never compares vectors of different length, and a vector without direction breaks nothing', async () => {
      const tenant = newTenant()
      await put(tenant, 'long', 'zinc', { vector: new Float32Array(dimensions + 1).fill(1) })
      await put(tenant, 'empty', 'iron', { vector: new Float32Array(dimensions) })
      await put(tenant, 'plain', 'gold', { vector: pointing(0) })
      expect(texts(await similar({ tenant, collections: ['main'] }, pointing(0), 5))).toEqual(['gold', 'iron'])
      expect(await similar({ tenant, collections: ['main'] }, new Float32Array(dimensions), 5)).toHaveLength(2)
    })

    it('prefers what is new among what is near, as lambda says', async () => {
      const tenant = newTenant()
      await put(tenant, 'best', 'best', { vector: pointing(0, 0.2, 1) })
      await put(tenant, 'copy', 'copy', { vector: pointing(0, 0.21, 1) })
      await put(tenant, 'other', 'other', { vector: pointing(0, 0.8, 2) })
      const scope = { tenant, collections: ['main'] }
      const picks = async (lambda: number, fetch = 10): Promise<string[]> => texts(await diverse(scope, pointing(0), { k: 2, fetch, lambda }))
      expect(await picks(1)).toEqual(['best', 'copy'])
      expect(await picks(0.5)).toEqual(['best', 'other'])
      expect(await picks(0.5, 2)).toEqual(['best', 'copy'])
    })

    it('stops when told to: before, and while calls wait', async () => {
      const tenant = newTenant()
      await put(tenant, 'a', 'basalt')
      const scope = { tenant, collections: ['main'] }
      const stop = new AbortController()
      const waiting = Array.from({ length: 5 }, () => similar(scope, pointing(0), 5, stop.signal))
      stop.abort(new Error('stop'))
      for (const outcome of await Promise.allSettled(waiting)) expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'stop' } })
      await expect(matching(scope, 'basalt', 5, stop.signal)).rejects.toThrow('stop')
      expect(await matching(scope, 'basalt', 5)).toHaveLength(1)
    })
  })
}
