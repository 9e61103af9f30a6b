import { expect, it } from 'vitest'
import { onlyMethod, type SearchMethods } from './passage-index'
import { dimensions, never, pointing, space, texts, type Kit } from './kit.contract'

export const searchMethodsContract = ({
  index,
  scopeOf,
  search,
  similar,
  diverse,
  matching,
  newTenant,
  put,
}: Kit): void => {
  it('fuses what the ways found by weighted reciprocal rank: each passage once, best first', async () => {
    const tenant = newTenant()
    await put(tenant, 'both', 'onyx onyx', { vector: pointing(0, 0.1, 1) })
    await put(tenant, 'near', 'a stone', { vector: pointing(0) })
    await put(tenant, 'far', 'onyx among many other words of a long text', { vector: pointing(2) })
    const ways: SearchMethods = {
      similarity: { k: 2, weight: 1 },
      mmr: { k: 2, weight: 0.5, fetch: 3, lambda: 0.9 },
      bm25: { k: 5, weight: 1 },
      constant: 10,
      limit: 3,
    }
    const query = { text: 'onyx', vector: { space, values: pointing(0) } }
    const found = await index().search(scopeOf({ tenant }), query, ways, never)
    expect(found.map(({ passage }) => passage.documentId)).toEqual(['both', 'near', 'far'])
    const ranked = [1 / 12 + 0.5 / 12 + 1 / 11, 1 / 11 + 0.5 / 11, 1 / 12]
    expect(found.map(({ scores }) => scores.fused)).toEqual(ranked.map((score) => expect.closeTo(score, 6) as number))
    expect(await index().search(scopeOf({ tenant }), query, { ...ways, limit: 1 }, never)).toHaveLength(1)
    const wordsOnly = await index().search(scopeOf({ tenant }), { text: 'onyx', vector: null }, ways, never)
    expect(wordsOnly.map(({ passage }) => passage.documentId)).toEqual(['both', 'far'])
  })

  it('never compares vectors of different spaces; words find all of them', async () => {
    const tenant = newTenant()
    await put(tenant, 'a', 'pyrite one', { space: 'one' })
    await put(tenant, 'b', 'pyrite two', { space: 'two' })
    expect(texts(await search({ tenant }, '', pointing(0), onlyMethod('similarity', { k: 5 }), never, 'one'))).toEqual([
      'pyrite one',
    ])
    expect(texts(await search({ tenant }, '', pointing(0), onlyMethod('similarity', { k: 5 }), never, 'two'))).toEqual([
      'pyrite two',
    ])
    expect(texts(await matching({ tenant }, 'pyrite', 5)).sort()).toEqual(['pyrite one', 'pyrite two'])
    await put(tenant, 'a', 'pyrite one', { space: 'two' })
    expect(await search({ tenant }, '', pointing(0), onlyMethod('similarity', { k: 5 }), never, 'one')).toEqual([])
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

  it('accepts any text: quotes, operators, wildcards, nothing at all', async () => {
    const tenant = newTenant()
    await put(tenant, 'a', `the "quoted" O'Neill C++ user_type 1.21 NEAR gneiss`)
    const scope = { tenant, collections: ['main'] }
    const count = async (query: string): Promise<number> => (await matching(scope, query, 5)).length
    for (const query of [
      '"quoted',
      `O'Neill`,
      'C++',
      'user_type',
      'type',
      '1.21',
      'gneiss AND',
      'NOT gneiss',
      'NEAR(gneiss, 2)',
      'text:gneiss',
      '^gneiss',
      '{title} : gneiss',
      '(gneiss',
      'gneiss*',
      'gneiss; DROP TABLE passages',
    ])
      expect(`${query}: ${await count(query)}`).toBe(`${query}: 1`)
    for (const query of ['', '   ', '"', '""', '*', '()', '"*"', '—', '\0', '🍮', "';--", 'gne*'])
      expect(`${query}: ${await count(query)}`).toBe(`${query}: 0`)
    expect(await count(`${'long '.repeat(5_000)} gneiss`)).toBe(1)
  })

  it('matches across accents, case, widths and scripts without spaces', async () => {
    const tenant = newTenant()
    await put(tenant, 'a', 'São Paulo ÅNGSTRÖM')
    await put(tenant, 'b', '東京の気温は高い')
    await put(tenant, 'c', 'Москва и Киев')
    await put(tenant, 'd', 'ＡＢＣ１２')
    const scope = { tenant, collections: ['main'] }
    const found = async (query: string): Promise<string[]> =>
      (await matching(scope, query, 5)).map(({ passage }) => passage.documentId)
    expect(await Promise.all(['sao', 'angstrom', '気温', 'МОСКВА', 'abc12'].map(found))).toEqual([
      ['a'],
      ['a'],
      ['b'],
      ['c'],
      ['d'],
    ])
  })

  it('matches the forms of a word in English, German, French and Japanese', async () => {
    const tenant = newTenant()
    await put(tenant, 'en', 'Employees earn leave every month.')
    await put(tenant, 'de', 'Der Anspruch verfällt nach zwei Kündigungen.')
    await put(tenant, 'fr', 'Les données sont conservées pendant deux années.')
    await put(tenant, 'ja', '有給休暇は年に十日あります')
    const scope = { tenant, collections: ['main'] }
    const found = async (query: string): Promise<string[]> =>
      (await matching(scope, query, 5)).map(({ passage }) => passage.documentId)
    const queries = [
      'What does an employee earn?',
      'Was gilt bei einer Kündigung?',
      'La durée de conservation ?',
      '休暇は何日',
    ]
    expect(await Promise.all(queries.map(found))).toEqual([['en'], ['de'], ['fr'], ['ja']])
  })

  it('matches a version by its first number, and no number in a date', async () => {
    const tenant = newTenant()
    const texts = ['Node 20.11', 'Node v20.11.1', 'Node 20.x', 'Node of 2026-10-20', 'Node of 20.11 kg', 'Node 18.20']
    for (const [at, text] of texts.entries()) await put(tenant, `d${at}`, text)
    const scope = { tenant, collections: ['main'] }
    const found = async (query: string): Promise<string[]> =>
      (await matching(scope, query, 10)).map(({ passage }) => passage.documentId).sort()
    expect(await found('20')).toEqual(['d0', 'd1', 'd2'])
    expect((await matching(scope, 'Node 20', 10)).slice(0, 4).map(({ passage }) => passage.documentId)).not.toContain(
      'd3',
    )
    expect(await found('20.11')).toEqual(['d0', 'd1', 'd4'])
  })

  it('ranks by similarity and returns at most k', async () => {
    const tenant = newTenant()
    for (const lean of [0.9, 0.1, 0.5]) await put(tenant, `at-${lean}`, `${lean}`, { vector: pointing(0, lean, 1) })
    const hits = await similar({ tenant, collections: ['main'] }, pointing(0), 2)
    expect(texts(hits)).toEqual(['0.1', '0.5'])
    expect(hits[0]?.score).toBeCloseTo(Math.cos(0.1), 4)
  })

  it('never compares vectors of different lengths, and tolerates a zero vector', async () => {
    const tenant = newTenant()
    await put(tenant, 'long', 'zinc', { vector: new Float32Array(dimensions + 1).fill(1) })
    await put(tenant, 'empty', 'iron', { vector: new Float32Array(dimensions) })
    await put(tenant, 'plain', 'gold', { vector: pointing(0) })
    expect(texts(await similar({ tenant, collections: ['main'] }, pointing(0), 5))).toEqual(['gold', 'iron'])
    expect(await similar({ tenant, collections: ['main'] }, new Float32Array(dimensions), 5)).toHaveLength(2)
  })

  it('prefers new passages among near ones, as lambda says', async () => {
    const tenant = newTenant()
    await put(tenant, 'best', 'best', { vector: pointing(0, 0.2, 1) })
    await put(tenant, 'copy', 'copy', { vector: pointing(0, 0.21, 1) })
    await put(tenant, 'other', 'other', { vector: pointing(0, 0.8, 2) })
    const scope = { tenant, collections: ['main'] }
    const picks = async (lambda: number, fetch = 10): Promise<string[]> =>
      texts(await diverse(scope, pointing(0), { k: 2, fetch, lambda }))
    expect(await picks(1)).toEqual(['best', 'copy'])
    expect(await picks(0.5)).toEqual(['best', 'other'])
    expect(await picks(0.5, 2)).toEqual(['best', 'copy'])
  })
}
