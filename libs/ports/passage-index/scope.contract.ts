import { expect, it } from 'vitest'
import type { Scope } from './passage-index'
import { never, pointing, entry, type ScopeInput, type Kit } from './kit.contract'

export const scopeContract = ({ index, scopeOf, write, similar, matching, newTenant, put, everywhere }: Kit): void => {
  it('returns a passage as written', async () => {
    const tenant = newTenant()
    const written = entry('d', 'main', 'Crème brûlée — 12 % “sugar” 🍮', pointing(1), {
      title: 'Desserts',
      headingPath: ['A', 'B'],
      position: 7,
      tables: [
        { line: 0, header: [['a', 'b']], rows: [['c | d', '']], units: 'in thousands', about: 'a, b (1998–2004)' },
      ],
    })
    await write(tenant, 'd', [written])
    const scope = { tenant, collections: ['main'] }
    expect((await similar(scope, pointing(1), 1))[0]?.passage).toEqual(written.passage)
    expect((await matching(scope, 'brulee', 1))[0]?.passage).toEqual(written.passage)
    expect((await matching(scope, '2004', 1))[0]?.passage).toEqual(written.passage)
    expect(await index().count(scopeOf(scope), never)).toBe(1)
  })

  it('keeps tenants apart, for every way of searching', async () => {
    const names = Array.from({ length: 12 }, newTenant)
    await Promise.all(names.map((tenant) => put(tenant, 'same-id', `secret of ${tenant}`)))
    for (const tenant of names) {
      for (const found of await everywhere({ tenant, collections: ['main'] }, 'secret'))
        expect(found).toEqual([`secret of ${tenant}`])
      expect(await index().count(scopeOf({ tenant, collections: ['main'] }), never)).toBe(1)
    }
    for (const found of await everywhere({ tenant: 'nobody', collections: ['main'] }, 'secret'))
      expect(found).toEqual([])
  })

  it("keeps one tenant's words out of another's ranking", async () => {
    const tenant = newTenant()
    await put(tenant, 'a', 'amber alone')
    await put(tenant, 'b', 'basalt alone')
    await put(tenant, 'c', 'cobalt alone')
    const before = await matching({ tenant, collections: ['main'] }, 'amber', 5)
    const other = newTenant()
    for (const id of ['x', 'y', 'z']) await put(other, id, 'amber amber everywhere')
    expect(await matching({ tenant, collections: ['main'] }, 'amber', 5)).toEqual(before)
  })

  it('returns a whole document in order, to readers with access', async () => {
    const tenant = newTenant()
    const passages = [2, 0, 1].map((position) => entry('d', 'main', `part ${position}`, pointing(0), { position }))
    await write(tenant, 'd', passages, { metadata: { year: '2024' } })
    await put(tenant, 'e', 'another')
    const read = async (scope: ScopeInput, id = 'd') =>
      (await index().passages(scopeOf(scope), id, null, never)).map(({ text }) => text)
    expect(await read({ tenant, collections: ['main'] })).toEqual(['part 0', 'part 1', 'part 2'])
    expect(await read({ tenant, collections: ['main'], filters: { year: '2024' } })).toHaveLength(3)
    for (const scope of [
      { tenant, collections: ['other'] },
      { tenant: newTenant(), collections: ['main'] },
      { tenant, collections: ['main'], filters: { year: '1999' } },
    ])
      expect(await read(scope)).toEqual([])
    expect(await read({ tenant, collections: ['main'] }, 'nowhere')).toEqual([])
  })

  it('reads only the named collections', async () => {
    const tenant = newTenant()
    await put(tenant, 'a', 'granite one', { collection: 'first' })
    await put(tenant, 'b', 'granite two', { collection: 'second' })
    for (const found of await everywhere({ tenant, collections: ['first'] }, 'granite'))
      expect(found).toEqual(['granite one'])
    for (const found of await everywhere({ tenant, collections: ['first', 'second'] }, 'granite'))
      expect(found.sort()).toEqual(['granite one', 'granite two'])
    for (const found of await everywhere({ tenant, collections: [] }, 'granite')) expect(found).toEqual([])
  })

  it('applies every filter, whatever its name and value contain', async () => {
    const tenant = newTenant()
    const odd = { 'a"b.$[0]': "x' OR 1=1 --", year: '2024' }
    await put(tenant, 'a', 'marble one', { metadata: odd })
    await put(tenant, 'b', 'marble two', { metadata: { year: '2024' } })
    await put(tenant, 'c', 'marble three')
    const scope = { tenant, collections: ['main'] }
    for (const found of await everywhere({ ...scope, filters: { year: '2024' } }, 'marble'))
      expect(found.sort()).toEqual(['marble one', 'marble two'])
    for (const found of await everywhere({ ...scope, filters: odd }, 'marble')) expect(found).toEqual(['marble one'])
    for (const found of await everywhere({ ...scope, filters: { year: '202' } }, 'marble')) expect(found).toEqual([])
    for (const found of await everywhere({ ...scope, filters: { missing: '' } }, 'marble')) expect(found).toEqual([])
  })

  it('applies lists, ranges of numbers and days, and exclusions', async () => {
    const tenant = newTenant()
    const odd = 'a"b.$[0]'
    await put(tenant, 'a', 'onyx a', { metadata: { year: '2022', signed: '2022-03-01', team: 'red', [odd]: '5' } })
    await put(tenant, 'b', 'onyx b', { metadata: { year: '2023', signed: '2023-06-30', team: 'blue', [odd]: '50' } })
    await put(tenant, 'c', 'onyx c', { metadata: { year: '2024', signed: '2024-01-31T12:00:00Z', pages: '2023' } })
    await put(tenant, 'd', 'onyx d', { metadata: { year: 'unknown' } })
    await put(tenant, 'e', 'onyx e')
    const seen = async (filters: Scope['filters']): Promise<string> => {
      const scope = { tenant, collections: ['main'], filters }
      const [first, ...others] = (await everywhere(scope, 'onyx')).map((found) => found.sort().join(' '))
      expect(others).toEqual([first, first])
      expect(await index().count(scopeOf(scope), never)).toBe(first?.match(/onyx/g)?.length ?? 0)
      return first?.replaceAll('onyx ', '') ?? ''
    }
    expect(await seen({ team: { in: ['red', 'blue'] } })).toBe('a b')
    expect(await seen({ team: { not: 'red' } })).toBe('b c d e')
    expect(await seen({ team: { not: ['red', 'blue'] }, year: { not: 'unknown' } })).toBe('c e')
    expect(await seen({ team: { in: ['red', 'blue'], not: 'blue' } })).toBe('a')
    expect(await seen({ year: { gte: 2023 } })).toBe('b c')
    expect(await seen({ year: { gt: 2022, lt: 2024 } })).toBe('b')
    expect(await seen({ year: { lte: 2022.5 } })).toBe('a')
    expect(await seen({ signed: { gte: '2023-01-01' } })).toBe('b c')
    expect(await seen({ signed: { gt: '2022-03-01', lte: '2024-01-31' } })).toBe('b c')
    expect(await seen({ signed: { lt: '2024-01-31T12:00:00Z' } })).toBe('a b')
    expect(await seen({ [odd]: { gte: 10 } })).toBe('b')
    expect(await seen({ year: { gte: 2023 }, team: 'blue' })).toBe('b')
    expect(await seen({ missing: { gte: 0 } })).toBe('')
  })

  it('shows a tagged document to readers with one of its tags, and an untagged one to all', async () => {
    const tenant = newTenant()
    await put(tenant, 'open', 'beryl open')
    await put(tenant, 'hr', 'beryl hr', { access: ['hr', 'board'] })
    await put(tenant, 'odd', 'beryl odd', { access: ['x" OR 1=1'] })
    const seen = async (access: Scope['access']): Promise<string[][]> =>
      (await everywhere({ tenant, access }, 'beryl')).map((found) => found.sort())
    const all = (...found: string[]): string[][] => [found, found, found]
    expect(await seen([])).toEqual(all('beryl open'))
    expect(await seen(['board'])).toEqual(all('beryl hr', 'beryl open'))
    expect(await seen(['h', 'hr ', 'x'])).toEqual(all('beryl open'))
    expect(await seen('all')).toEqual(all('beryl hr', 'beryl odd', 'beryl open'))
    expect(await index().passages(scopeOf({ tenant, access: [] }), 'hr', null, never)).toEqual([])
    expect(await index().count(scopeOf({ tenant, access: ['hr'] }), never)).toBe(2)
  })

  it('returns the neighbours of a passage', async () => {
    const tenant = newTenant()
    await write(
      tenant,
      'd',
      [3, 1, 0, 2].map((position) => entry('d', 'main', `part ${position}`, pointing(0), { position })),
    )
    const read = async (from: number, to: number): Promise<string[]> =>
      (await index().passages(scopeOf({ tenant }), 'd', { from, to }, never)).map(({ text }) => text)
    expect(await read(1, 2)).toEqual(['part 1', 'part 2'])
    expect(await read(-1, 0)).toEqual(['part 0'])
    expect(await read(4, 9)).toEqual([])
  })

  it('fills k from the scope, however many better passages are outside it', async () => {
    const tenant = newTenant()
    for (let at = 0; at < 30; at += 1)
      await put(tenant, `near-${at}`, 'quartz quartz', { collection: 'other', vector: pointing(0) })
    await put(tenant, 'far', 'quartz in a long and winding text about other things', { vector: pointing(0, 1, 1) })
    for (const found of [
      await similar({ tenant, collections: ['main'] }, pointing(0), 1),
      await matching({ tenant, collections: ['main'] }, 'quartz', 1),
    ])
      expect(found.map(({ passage }) => passage.documentId)).toEqual(['far'])
  })
}
