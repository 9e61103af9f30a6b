import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { document, fresh, ownCatalog, type OwnCatalog, servers } from '../spec/own-catalog.spec'

describe.each(servers)('the titles of a collection on %s', (_, start) => {
  let own: OwnCatalog
  beforeAll(async () => {
    own = await ownCatalog(start)
  })
  afterAll(() => own.stop())

  const opened = async (tenant: string, access?: string[]) => {
    const id = fresh('d')
    const { told, ...brought } = document(id, 'c')
    await own.catalog.createDocument(tenant, id, 'v1', { ...brought, told: { ...told, ...(access && { access }) } })
    const open = await own.begin(id, 'v1')
    return { id, note: (title: string, hasFile = true) => own.ingest.noteTitle(open, title, hasFile) }
  }
  const lone = { isShared: false, again: null }
  const shared = { isShared: true, again: null }

  it('are shared by two documents, and the first one is to be indexed again until it is', async () => {
    const tenant = fresh('t')
    const [first, second, third] = [await opened(tenant), await opened(tenant), await opened(tenant)]
    expect(await first.note('FORM 10-K')).toEqual(lone)
    expect(await first.note('FORM 10-K')).toEqual(lone)
    expect(await second.note(' Form  10-k')).toEqual({ isShared: true, again: first.id })
    expect(await second.note('FORM 10-K')).toEqual({ isShared: true, again: first.id })
    expect(await first.note('FORM 10-K')).toEqual(shared)
    expect(await third.note('FORM 10-K')).toEqual(shared)
    expect(await third.note('Tides')).toEqual(lone)
  })

  it('are no longer shared when the other document is removed or has another title', async () => {
    const tenant = fresh('t')
    const [first, second, third] = [await opened(tenant), await opened(tenant), await opened(tenant)]
    await first.note('Tides')
    await own.catalog.removeDocument(tenant, first.id)
    expect(await first.note('Tides')).toEqual(lone)
    expect(await second.note('Tides')).toEqual(lone)
    expect(await second.note('Winds')).toEqual(lone)
    expect(await third.note('Tides')).toEqual(lone)
    await own.catalog.removeFromCollection(tenant, 'c', second.id)
    await own.catalog.removeFromCollection(tenant, 'c', third.id)
    expect(await own.redis.exists(`catalog:{${tenant}}:headings:c:titles`)).toBe(0)
  })

  it('name a lone document that was left without the name of its file, when the title is shared again', async () => {
    const tenant = fresh('t')
    const [first, second, third] = [await opened(tenant), await opened(tenant), await opened(tenant)]
    await first.note('Tides')
    await second.note('Tides')
    await own.catalog.removeDocument(tenant, first.id)
    expect(await second.note('Tides')).toEqual(lone)
    expect(await third.note('Tides')).toEqual({ isShared: true, again: second.id })
  })

  it('tell nothing of documents that have other access tags, and index none again that has no file', async () => {
    const tenant = fresh('t')
    const [text, tagged, file] = [await opened(tenant), await opened(tenant, ['board']), await opened(tenant)]
    expect(await text.note('Tides', false)).toEqual(lone)
    expect(await tagged.note('Tides')).toEqual(lone)
    expect(await file.note('Tides')).toEqual(shared)
  })
})
