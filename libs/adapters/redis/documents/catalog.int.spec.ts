import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentIdOf } from './document'
import { openChangeChannels } from '../client/channels'
import { document, fresh, ownCatalog, servers, type OwnCatalog } from '../spec/own-catalog.spec'

describe.each(servers)('the catalog on %s', (_, start) => {
  let own: OwnCatalog
  beforeAll(async () => {
    own = await ownCatalog(start)
  })
  afterAll(() => own.stop())

  test('a document is queued; while it is indexed its progress shows', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    const { told, ...brought } = document('Planets')
    const { view: created, taken } = await own.catalog.createDocument(tenant, id, 'v1', {
      ...brought,
      told: { ...told, metadata: { author: 'NASA' } },
    })
    expect([taken, created]).toMatchObject([
      'new',
      {
        id,
        title: 'Planets',
        metadata: { author: 'NASA' },
        status: 'queued',
        source: { kind: 'text' },
        progress: { passages: 0, percent: 0 },
      },
    ])
    expect(new Date(created.createdAt).toISOString()).toBe(created.createdAt)
    const open = await own.begin(id, 'v1')
    expect(
      await own.ingest.progress(open, {
        task: 'parse',
        pages: 3,
        ofPages: 9,
        percent: 12,
        ownMetadata: { owner: 'Ann' },
        notes: ['read by docling'],
        warnings: [{ kind: 'no-text', pages: [3], words: 'No text on page 3.' }],
      }),
    ).toBe(true)
    expect(await own.catalog.document(tenant, id)).toMatchObject({
      status: 'processing',
      task: 'parse',
      progress: { pages: 3, ofPages: 9, percent: 12 },
      ownMetadata: { owner: 'Ann' },
      notes: ['read by docling'],
      warnings: [{ kind: 'no-text', pages: [3], words: 'No text on page 3.' }],
    })
    expect(await own.ingest.finish(open, 3)).toEqual({ kind: 'done', before: null })
    const over = await own.catalog.document(tenant, id)
    expect(over).toMatchObject({ status: 'indexed', progress: { passages: 3, percent: 100 } })
    expect(over).not.toHaveProperty('task')
    expect(await own.ingest.begin(id, 'v1', { isolated: false })).toEqual({ kind: 'closed' })
  })

  test('the same content again changes nothing; other content, another title or another cut is a new version', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    const send = async (revision: string, brought = document('Mars')) =>
      (await own.catalog.createDocument(tenant, id, revision, brought)).taken
    expect(await send('v1')).toBe('new')
    expect(await send('v2')).toBe('unchanged')
    await own.finished(id, 'v1')
    expect(await send('v3')).toBe('unchanged')
    expect(await own.catalog.document(tenant, id)).toMatchObject({ status: 'indexed' })
    expect([await own.catalog.waiting(tenant), await own.redis.zscore('documents:open', id)]).toEqual([0, null])
    expect(await send('v4', document('Mars', 'default', 'other'))).toBe('replaces')
    expect(
      await send('v5', { ...document('Mars', 'default', 'other'), told: { title: 'Ares', collection: 'default' } }),
    ).toBe('replaces')
    await own.catalog.putCollection(tenant, 'default', {
      description: 'x',
      chunking: { by: 'tokens', size: 100, overlap: 20 },
    })
    expect(
      await send('v6', { ...document('Mars', 'default', 'other'), told: { title: 'Ares', collection: 'default' } }),
    ).toBe('replaces')
  })

  test('the old version is served until the new one is indexed, and said to be where the new one failed', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    const { view: first } = await own.catalog.createDocument(tenant, id, 'v1', document('Io'))
    await own.finished(id, 'v1')
    await own.catalog.createDocument(tenant, id, 'v2', document('Io', 'default', 'more'))
    expect(await own.catalog.document(tenant, id)).toMatchObject({ status: 'queued', served: first.version })
    expect(await own.catalog.revisions(tenant, id)).toEqual({ newest: 'v2', served: 'v1' })
    await own.ingest.fail(await own.begin(id, 'v2'), {
      error: 'It is locked.',
      problem: { code: 'document.encrypted', page: 3 },
    })
    expect(await own.catalog.document(tenant, id)).toMatchObject({
      status: 'failed',
      error: 'It is locked. Questions still find the previous version.',
      problem: { code: 'document.encrypted', page: 3 },
      served: first.version,
    })
    expect((await own.ingest.needed(id)).sort()).toEqual(['v1', 'v2'])
    expect(await own.catalog.retry(tenant, id)).toEqual({ documentId: id, revision: 'v2', tenant })
    expect(await own.finished(id, 'v2')).toEqual({ kind: 'done', before: 'v1' })
    const over = await own.catalog.document(tenant, id)
    expect(over).not.toHaveProperty('served')
    expect(over).not.toHaveProperty('error')
    expect(await own.catalog.retry(tenant, id)).toBeNull()
  })

  test('a failed document is accepted again when it is sent again', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    await own.catalog.createDocument(tenant, id, 'v1', document('Io'))
    await own.ingest.fail(await own.begin(id, 'v1'), { error: 'no', problem: { code: 'x' } })
    expect((await own.catalog.createDocument(tenant, id, 'v2', document('Io'))).taken).toBe('replaces')
    expect(await own.catalog.document(tenant, id)).not.toHaveProperty('error')
  })

  test('a URL is fetched again when it is sent again, but not while it is in progress', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    const send = async (revision: string) =>
      (await own.catalog.createDocument(tenant, id, revision, document('page', 'default', null))).taken
    expect(await send('v1')).toBe('new')
    expect(await send('v2')).toBe('unchanged')
    const open = await own.begin(id, 'v1')
    const version = await own.ingest.fetched(open, 'bytes')
    expect(await own.catalog.document(tenant, id)).toMatchObject({ version })
    await own.ingest.finish(open, 1)
    expect(await send('v3')).toBe('replaces')
    expect(await own.ingest.fetched(await own.begin(id, 'v3'), 'bytes')).toBe(version)
  })

  test('a delivery that begins owns the document until the next begins; a newer revision fences all before it', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    await own.catalog.createDocument(tenant, id, 'v1', document('Io'))
    const [one, two] = [await own.begin(id, 'v1'), await own.begin(id, 'v1')]
    expect([one.starts, two.starts]).toEqual([1, 2])
    expect([
      await own.ingest.progress(one, { percent: 50 }),
      await own.ingest.progress(two, { percent: 60, starts: 0 }),
    ]).toEqual([false, true])
    expect(await own.ingest.finish(one, 1)).toEqual({ kind: 'fenced' })
    await own.catalog.createDocument(tenant, id, 'v2', document('Io', 'default', 'more'))
    expect([
      await own.ingest.progress(two, { percent: 70 }),
      await own.ingest.fail(two, { error: '', problem: { code: '' } }),
    ]).toEqual([false, false])
    expect(await own.ingest.finish(two, 1)).toEqual({ kind: 'stale' })
    expect(await own.ingest.begin(id, 'v1', { isolated: false })).toEqual({ kind: 'stale' })
    expect(await own.catalog.document(tenant, id)).toMatchObject({ status: 'queued', progress: { percent: 0 } })
  })

  test('a document that started before without a report is suspect, and nothing is counted until it is begun in isolation', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    await own.catalog.createDocument(tenant, id, 'v1', document('Io'))
    const begin = async (isolated: boolean) => own.ingest.begin(id, 'v1', { isolated })
    expect(await begin(false)).toMatchObject({ kind: 'open', open: { starts: 1 } })
    expect([await begin(false), await begin(false)]).toEqual([{ kind: 'suspect' }, { kind: 'suspect' }])
    const open = await own.begin(id, 'v1')
    expect(open.starts).toBe(2)
    await own.ingest.reopen(tenant, id)
    expect(await own.ingest.finish(open, 1)).toEqual({ kind: 'again' })
    expect(await begin(false)).toMatchObject({ kind: 'open', open: { starts: 1 } })
  })

  test('an indexed document is written once more when it must be, and one under way when it is through', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    await own.catalog.createDocument(tenant, id, 'v1', document('Io'))
    const open = await own.begin(id, 'v1')
    expect(await own.ingest.reopen(tenant, id)).toEqual({ documentId: id, revision: 'v1', tenant })
    expect(await own.ingest.finish(open, 1)).toEqual({ kind: 'again' })
    expect((await own.finished(id, 'v1')).kind).toBe('done')
    expect(await own.ingest.reopen(tenant, id)).toEqual({ documentId: id, revision: 'v1', tenant })
    expect(await own.catalog.document(tenant, id)).toMatchObject({ status: 'queued' })
    expect(await own.ingest.reopen(tenant, fresh('d'))).toBeNull()
  })

  test('a removed document is gone from everywhere, and a late delivery does not bring it back', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    await own.catalog.createDocument(tenant, id, 'v1', document('Gone'))
    const open = await own.begin(id, 'v1')
    expect(await own.catalog.removeDocument(tenant, id)).toBe(true)
    expect([
      await own.ingest.progress(open, { percent: 1 }),
      await own.ingest.finish(open, 1),
      await own.ingest.begin(id, 'v1', { isolated: false }),
    ]).toEqual([false, { kind: 'gone' }, { kind: 'gone' }])
    expect(await own.catalog.document(tenant, id)).toBeNull()
    expect(await own.ingest.needed(id)).toEqual([])
    expect(await own.catalog.documents(tenant, { cursor: null, limit: 10 })).toEqual({ items: [], next: null })
    expect(await own.catalog.collections(tenant)).toEqual([])
    expect(await own.catalog.removeDocument(tenant, id)).toBe(false)
  })

  test('tenants see, list and remove only what is theirs', async () => {
    const [one, two, id] = [fresh('t'), fresh('t'), fresh('d')]
    await own.catalog.createDocument(one, id, 'v1', document('Secret', 'plans'))
    await own.catalog.putCollection(one, 'notes', { description: 'Notes of one' })
    expect([
      await own.catalog.document(two, id),
      await own.catalog.revisions(two, id),
      await own.catalog.retry(two, id),
      await own.catalog.removeDocument(two, id),
    ]).toEqual([null, null, null, false])
    await expect(own.catalog.createDocument(two, id, 'v2', document('Mine', 'mine'))).rejects.toMatchObject({
      code: 'document.taken',
      retry: 'never',
    })
    expect((await own.catalog.documents(two, { cursor: null, limit: 10 })).items).toEqual([])
    expect([await own.catalog.collections(two), await own.catalog.collection(two, 'notes')]).toEqual([[], null])
    expect(await own.catalog.document(one, id)).toMatchObject({ title: 'Secret' })
    expect(documentIdOf(one, 'plans', { name: 'a' })).not.toBe(documentIdOf(two, 'plans', { name: 'a' }))
  })

  test('documents are listed newest first, by page, by collection and by status', async () => {
    const tenant = fresh('t')
    const ids: string[] = []
    for (let i = 0; i < 11; i += 1) {
      const id = `${tenant}-${String(i).padStart(2, '0')}`
      ids.unshift(id)
      await own.catalog.createDocument(tenant, id, 'v1', document(`Document ${i}`, i % 3 === 0 ? 'third' : 'rest'))
      if (i === 4) await own.finished(id, 'v1')
    }
    const listed = async (limit: number, only: { collection?: string; status?: 'indexed' } = {}): Promise<string[]> => {
      const seen: string[] = []
      for (let cursor: string | null = null; ;) {
        const page = await own.catalog.documents(tenant, { ...only, cursor, limit })
        expect(page.items.length).toBeLessThanOrEqual(limit)
        seen.push(...page.items.map(({ id }) => id))
        if (page.next === null) return seen
        cursor = page.next
      }
    }
    for (const limit of [1, 4, 11, 50]) expect(await listed(limit)).toEqual(ids)
    expect(await listed(3, { collection: 'third' })).toEqual(ids.filter((_id, i) => (10 - i) % 3 === 0))
    expect(await listed(2, { collection: 'nowhere' })).toEqual([])
    expect(await listed(3, { status: 'indexed' })).toEqual([`${tenant}-04`])
  })

  test('a rare status among many documents is searched for in short pieces', async () => {
    const [tenant, rare] = [fresh('t'), fresh('d')]
    await own.catalog.createDocument(tenant, rare, 'v1', document('Rare'))
    const others = Array.from({ length: 2_500 }, (_, n) => [Date.now() + 10_000 + n, `other${n}`]).flat()
    await own.redis.zadd(`catalog:{${tenant}}:documents`, ...others)
    const pages: string[][] = []
    for (let cursor: string | null = null; ;) {
      const { items, next } = await own.catalog.documents(tenant, { status: 'queued', cursor, limit: 10 })
      pages.push(items.map(({ id }) => id))
      if (next === null) break
      cursor = next
    }
    expect(pages).toEqual([[], [], [rare]])
  })

  test('a document that was saved before it had versions is still shown, and ready to be sent again', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    await own.redis.hset(`catalog:{${id}}:document`, {
      tenant,
      document: JSON.stringify({ title: 'Old', collection: 'c' }),
      collection: 'c',
      status: 'indexed',
      passages: 4,
      percent: 100,
      createdAt: 5,
      updatedAt: 6,
    })
    expect(await own.catalog.document(tenant, id)).toMatchObject({
      title: 'Old',
      collection: 'c',
      status: 'indexed',
      progress: { passages: 4 },
    })
    expect((await own.catalog.createDocument(tenant, id, 'v1', document('Old', 'c'))).taken).toBe('replaces')
  })

  test('unfinished documents are checked in turns, and dropped when finished', async () => {
    const [tenant, id, done] = [fresh('t'), fresh('d'), fresh('d')]
    await own.catalog.createDocument(tenant, id, 'v1', document('Io'))
    await own.catalog.createDocument(tenant, done, 'v1', document('Europa'))
    expect(await own.catalog.waiting(tenant)).toBe(2)
    await own.finished(done, 'v1')
    expect(await own.catalog.waiting(tenant)).toBe(1)
    await own.redis.zadd('documents:open', 1, id, 1, done, 1, fresh('gone'))
    const due = async () => {
      const { ids } = await own.ingest.takeDue(100, 60_000)
      return (await Promise.all(ids.map(own.ingest.jobOf))).filter((job) => job?.tenant === tenant)
    }
    expect(await due()).toEqual([{ documentId: id, revision: 'v1', tenant }])
    expect(await due()).toEqual([])
    expect(await own.redis.zscore('documents:open', done)).toBeNull()
  })

  test('every change of a document is announced to its listeners only', async () => {
    const [tenant, id, other] = [fresh('t'), fresh('d'), fresh('d')]
    const channel = openChangeChannels(own.redis)
    let told = 0
    await channel.document(id, () => (told += 1))
    await own.catalog.createDocument(tenant, other, 'v1', document('Europa'))
    await own.catalog.createDocument(tenant, id, 'v1', document('Io'))
    const open = await own.begin(id, 'v1')
    await own.ingest.progress(open, { percent: 40 })
    await own.ingest.finish(open, 1)
    await expect.poll(() => told).toBe(3)
    await channel.close()
  })
})
