import { expect, it } from 'vitest'
import type { SearchMethods } from './passage-index'
import { never, pointing, entry, texts, space, type Kit } from './kit.contract'

export const versionsContract = ({
  index,
  scopeOf,
  write,
  similar,
  matching,
  newTenant,
  put,
  everywhere,
}: Kit): void => {
  it('replaces a document in one step, complete for concurrent readers', async () => {
    const tenant = newTenant()
    const scope = { tenant, collections: ['main'] }
    const version = (mark: string, size: number) =>
      Array.from({ length: size }, (_, position) => entry('d', 'main', `slate ${mark}`, pointing(0), { position }))
    await write(tenant, 'd', version('old', 5))
    const seen = new Set<string>()
    const writes = Array.from({ length: 10 }, (_, at) =>
      write(tenant, 'd', version(at % 2 ? 'old' : 'new', at % 2 ? 5 : 9)),
    )
    const reads = Array.from({ length: 40 }, async (_, at) => {
      const hits = await (at % 2 ? matching(scope, 'slate', 50) : similar(scope, pointing(0), 50))
      seen.add(`${[...new Set(texts(hits))].join()} ${hits.length}`)
    })
    await Promise.all([...writes, ...reads])
    expect([...seen].filter((state) => !['slate old 5', 'slate new 9'].includes(state))).toEqual([])
    expect(await index().count(scopeOf(scope), never)).toBe(5)
  })

  it('shows the same version in all ways while a document is replaced repeatedly', { timeout: 60_000 }, async () => {
    const tenant = newTenant()
    const version = (mark: string, size: number) =>
      Array.from({ length: size }, (_, position) => {
        const { passage, vector } = entry('d', 'main', `slate ${mark}`, pointing(0), { position })
        return { passage: { ...passage, id: `${mark}.${position}` }, vector }
      })
    const ways: SearchMethods = {
      similarity: { k: 50, weight: 1 },
      mmr: { k: 50, weight: 1, fetch: 50, lambda: 0.5 },
      bm25: { k: 50, weight: 1 },
      constant: 10,
      limit: 100,
    }
    const look = async (): Promise<string> => {
      const found = await index().search(
        scopeOf({ tenant }),
        { text: 'slate', vector: { space, values: pointing(0) } },
        ways,
        never,
      )
      return `${[...new Set(texts(found))].sort().join()} ${found.length}`
    }
    await write(tenant, 'd', version('old', 5))
    const seen = new Set([await look()])
    let writing = true
    const readers = Array.from({ length: 2 }, async () => {
      while (writing) seen.add(await look())
    })
    for (let at = 0; at < 20; at += 1) {
      await write(tenant, 'd', at % 2 ? version('old', 5) : version('new', 9))
      seen.add(await look())
    }
    writing = false
    await Promise.all(readers)
    expect([...seen].sort()).toEqual(['slate new 9', 'slate old 5'])
  })

  it('moves a document to another collection when it is written there', async () => {
    const tenant = newTenant()
    await put(tenant, 'd', 'flint', { collection: 'first' })
    await put(tenant, 'd', 'flint', { collection: 'second' })
    expect(await index().count(scopeOf({ tenant, collections: ['first'] }), never)).toBe(0)
    expect(await index().count(scopeOf({ tenant, collections: ['second'] }), never)).toBe(1)
  })

  it("removes a document; a second removal, or another tenant's, changes nothing", async () => {
    const tenant = newTenant()
    await put(tenant, 'd', 'obsidian')
    await index().remove(newTenant(), 'd', never)
    expect(await index().count(scopeOf({ tenant, collections: ['main'] }), never)).toBe(1)
    await index().remove(tenant, 'd', never)
    await index().remove(tenant, 'd', never)
    for (const found of await everywhere({ tenant, collections: ['main'] }, 'obsidian')) expect(found).toEqual([])
  })

  it('keeps nothing of a document that is written empty', async () => {
    const tenant = newTenant()
    await put(tenant, 'd', 'jasper')
    await write(tenant, 'd', [])
    for (const found of await everywhere({ tenant, collections: ['main'] }, 'jasper')) expect(found).toEqual([])
  })

  it('stops on its signal, before and while calls wait', async () => {
    const tenant = newTenant()
    await put(tenant, 'a', 'basalt')
    const scope = { tenant, collections: ['main'] }
    const stop = new AbortController()
    const waiting = Array.from({ length: 5 }, () => similar(scope, pointing(0), 5, stop.signal))
    stop.abort(new Error('stop'))
    for (const outcome of await Promise.allSettled(waiting))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'stop' } })
    await expect(matching(scope, 'basalt', 5, stop.signal)).rejects.toThrow('stop')
    expect(await matching(scope, 'basalt', 5)).toHaveLength(1)
  })
}
