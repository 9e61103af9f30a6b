import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewDocument } from '@plumbline/contracts'
import { startPrivateCluster, startPrivateRedis } from '@plumbline/platform'
import { connectFailFast, RedisCatalog, whenReady, type RedisClient } from './index'

const servers: [string, () => Promise<{ url: string; stop(): Promise<void> }>][] = [
  ['one Redis', () => startPrivateRedis()],
  ['a cluster', () => startPrivateCluster()],
]
const document = (title: string, collection = 'default'): NewDocument => ({ title, text: `# ${title}\n\nText.`, format: 'markdown', collection })

describe.each(servers)('the catalog on %s', (_, start) => {
  let server: Awaited<ReturnType<typeof start>>
  let redis: RedisClient
  let catalog: RedisCatalog
  let made = 0
  beforeAll(async () => {
    server = await start()
    redis = connectFailFast(server.url)
    await whenReady(redis, 5_000)
    catalog = new RedisCatalog(redis)
  })
  afterAll(async () => {
    redis.disconnect()
    await server.stop()
  })
  const fresh = (prefix: string): string => `${prefix}${(made += 1)}`

  test('a document is queued with its text; while it is indexed its progress shows; then the text goes', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    const sent = { ...document('Planets'), metadata: { author: 'NASA' } }
    const created = await catalog.createDocument(tenant, id, sent)
    expect(created).toMatchObject({ id, title: 'Planets', collection: 'default', metadata: { author: 'NASA' }, status: 'queued', progress: { passages: 0, percent: 0 } })
    expect(new Date(created.createdAt).toISOString()).toBe(created.createdAt)
    expect(await catalog.source(id)).toEqual({ tenant, document: sent })
    expect(await catalog.progress(id, 'processing', { passages: 3, percent: 40 })).toBe(true)
    expect(await catalog.document(tenant, id)).toMatchObject({ status: 'processing', progress: { passages: 3, percent: 40 } })
    expect(await catalog.source(id)).not.toBeNull()
    await catalog.progress(id, 'indexed', { passages: 3, percent: 100 })
    expect(await catalog.source(id)).toBeNull()
    expect(await catalog.document(tenant, id)).toMatchObject({ status: 'indexed', progress: { passages: 3, percent: 100 } })
  })

  test('a failure says why, and goes when the document is sent again', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    await catalog.createDocument(tenant, id, document('Empty'))
    await catalog.progress(id, 'failed', { passages: 0, percent: 0, error: 'no text' })
    expect(await catalog.document(tenant, id)).toMatchObject({ status: 'failed', error: 'no text' })
    const again = await catalog.createDocument(tenant, id, document('Full', 'other'))
    expect(again).toMatchObject({ status: 'queued', title: 'Full', collection: 'other' })
    expect(again).not.toHaveProperty('error')
    expect((await catalog.documents(tenant, { collection: 'default', cursor: null, limit: 10 })).items).toEqual([])
    expect((await catalog.documents(tenant, { cursor: null, limit: 10 })).items).toEqual([again])
  })

  test('a removed document is gone from everywhere, and late progress does not bring it back', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    await catalog.createDocument(tenant, id, document('Gone'))
    expect(await catalog.removeDocument(tenant, id)).toBe(true)
    expect(await catalog.progress(id, 'indexed', { passages: 1, percent: 100 })).toBe(false)
    await catalog.noteHeadings(tenant, 'default', id, ['Late'])
    expect(await catalog.document(tenant, id)).toBeNull()
    expect(await catalog.source(id)).toBeNull()
    expect(await catalog.documents(tenant, { cursor: null, limit: 10 })).toEqual({ items: [], next: null })
    expect(await catalog.collections(tenant)).toEqual([])
    expect(await catalog.removeDocument(tenant, id)).toBe(false)
  })

  test('tenants see, list and remove only what is theirs', async () => {
    const [one, two, id] = [fresh('t'), fresh('t'), fresh('d')]
    await catalog.createDocument(one, id, document('Secret', 'plans'))
    await catalog.putCollection(one, 'notes', { description: 'Notes of one' })
    expect(await catalog.document(two, id)).toBeNull()
    expect(await catalog.removeDocument(two, id)).toBe(false)
    await expect(catalog.createDocument(two, id, document('Mine', 'mine'))).rejects.toMatchObject({ code: 'document.taken', retry: 'never' })
    expect((await catalog.documents(two, { cursor: null, limit: 10 })).items).toEqual([])
    expect(await catalog.collections(two)).toEqual([])
    expect(await catalog.collection(two, 'notes')).toBeNull()
    expect(await catalog.document(one, id)).toMatchObject({ title: 'Secret' })
    expect(await catalog.source(id)).toMatchObject({ tenant: one })
  })

  test('documents are listed newest first, by page and by collection', async () => {
    const tenant = fresh('t')
    const ids: string[] = []
    for (let i = 0; i < 11; i += 1) {
      const id = `${tenant}-${String(i).padStart(2, '0')}`
      ids.unshift(id)
      await catalog.createDocument(tenant, id, document(`Document ${i}`, i % 3 === 0 ? 'third' : 'rest'))
    }
    const listed = async (limit: number, collection?: string): Promise<string[]> => {
      const seen: string[] = []
      for (let cursor: string | null = null; ; ) {
        const page = await catalog.documents(tenant, { collection, cursor, limit })
        expect(page.items.length).toBeLessThanOrEqual(limit)
        seen.push(...page.items.map(({ id }) => id))
        if (page.next === null) return seen
        cursor = page.next
      }
    }
    for (const limit of [1, 4, 11, 50]) expect(await listed(limit)).toEqual(ids)
    expect(await listed(3, 'third')).toEqual(ids.filter((_id, i) => (10 - i) % 3 === 0))
    expect(await listed(2, 'nowhere')).toEqual([])
  })

  test('a collection is shown with its settings and the count of its documents', async () => {
    const tenant = fresh('t')
    const settings = { description: 'Mass and orbit of the planets', chunking: { by: 'headings' as const, levels: [2, 3], maxChars: 900 }, policy: 'standard' }
    expect(await catalog.putCollection(tenant, 'planets', settings)).toEqual({ name: 'planets', documents: 0, ...settings })
    await catalog.createDocument(tenant, fresh('d'), document('Mars', 'planets'))
    expect(await catalog.collection(tenant, 'planets')).toEqual({ name: 'planets', documents: 1, ...settings })
    await catalog.createDocument(tenant, fresh('d'), document('Memory', 'brains'))
    expect((await catalog.collections(tenant)).map(({ name, documents }) => [name, documents])).toEqual([['brains', 1], ['planets', 1]])
  })

  test('a collection nobody described is described by its titles and headings until somebody does', async () => {
    const [tenant, mars, venus] = [fresh('t'), fresh('d'), fresh('d')]
    await catalog.createDocument(tenant, mars, document('Mars', 'planets'))
    expect(await catalog.collection(tenant, 'planets')).toMatchObject({ description: 'Mars' })
    await catalog.createDocument(tenant, venus, document('Venus', 'planets'))
    await catalog.noteHeadings(tenant, 'planets', mars, ['Mass', 'Moons'])
    const { description } = (await catalog.collection(tenant, 'planets'))!
    expect(description.split('; ').sort()).toEqual(['Mars', 'Mass', 'Moons', 'Venus'])
    await catalog.removeDocument(tenant, mars)
    expect(await catalog.collection(tenant, 'planets')).toMatchObject({ description: 'Venus', documents: 1 })
    await catalog.putCollection(tenant, 'planets', { description: 'Our planets' })
    expect(await catalog.collection(tenant, 'planets')).toEqual({ name: 'planets', documents: 1, description: 'Our planets' })
    expect(await catalog.collection(tenant, 'unknown')).toBeNull()
  })

  test('the description of a large collection stays short and its making bounded', async () => {
    const tenant = fresh('t')
    for (let i = 0; i < 80; i += 1) {
      const id = fresh('d')
      await catalog.createDocument(tenant, id, document(`Document ${i}`, 'large'))
      await catalog.noteHeadings(tenant, 'large', id, Array.from({ length: 100 }, (_, n) => `Heading ${n} of ${i}`))
    }
    const view = await catalog.collection(tenant, 'large')
    expect(view).toMatchObject({ documents: 80 })
    expect(view!.description.length).toBeLessThanOrEqual(1_200)
    expect(await redis.hlen(`catalog:{${tenant}}:headings:large`)).toBe(60)
  })
})
