import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPrivateCluster, startPrivateRedis } from '@plumbline/platform'
import { openIngestCatalog, RedisCatalog, type IngestCatalog, type OpenDocument } from './index'
import { connectFailFast, documentIdOf, openDocumentChannel, whenReady, type RedisClient } from './index'

const servers: [string, () => Promise<{ url: string; stop(): Promise<void> }>][] = [
  ['one Redis', () => startPrivateRedis()],
  ['a cluster', () => startPrivateCluster()],
]
const document = (title: string, collection = 'default', digest: string | null = title) => ({
  told: { title, collection },
  source: digest === null ? { kind: 'url' as const, url: `https://example.org/${title}` } : { kind: 'text' as const },
  digest,
})

describe.each(servers)('the catalog on %s', (_, start) => {
  let server: Awaited<ReturnType<typeof start>>
  let redis: RedisClient
  let catalog: RedisCatalog
  let ingest: IngestCatalog
  let made = 0
  beforeAll(async () => {
    server = await start()
    redis = connectFailFast(server.url)
    await whenReady(redis, 5_000)
    catalog = new RedisCatalog(redis)
    ingest = openIngestCatalog(redis)
  })
  afterAll(async () => {
    redis.disconnect()
    await server.stop()
  })
  const fresh = (prefix: string): string => `${prefix}${(made += 1)}`
  const begin = async (id: string, revision: string): Promise<OpenDocument> => {
    const begun = await ingest.begin(id, revision)
    if (begun.kind !== 'open') throw new Error(begun.kind)
    return begun.open
  }
  const finished = async (id: string, revision: string) => ingest.finish(await begin(id, revision), 1)
  const view = (tenant: string, id: string) => catalog.document(tenant, id)

  test('a document is queued; while it is indexed its progress shows', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    const { told, ...brought } = document('Planets')
    const { view: created, taken } = await catalog.createDocument(tenant, id, 'v1', {
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
    const open = await begin(id, 'v1')
    expect(
      await ingest.progress(open, { task: 'parse', pages: 3, ofPages: 9, percent: 12, notes: ['no text on page 3'] }),
    ).toBe(true)
    expect(await view(tenant, id)).toMatchObject({
      status: 'processing',
      task: 'parse',
      progress: { pages: 3, ofPages: 9, percent: 12 },
      notes: ['no text on page 3'],
    })
    expect(await ingest.finish(open, 3)).toEqual({ kind: 'done', before: null })
    const over = await view(tenant, id)
    expect(over).toMatchObject({ status: 'indexed', progress: { passages: 3, percent: 100 } })
    expect(over).not.toHaveProperty('task')
    expect(await ingest.begin(id, 'v1')).toEqual({ kind: 'closed' })
  })

  test('the same content again changes nothing; other content, another title or another cut is a new version', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    const send = async (revision: string, brought = document('Mars')) =>
      (await catalog.createDocument(tenant, id, revision, brought)).taken
    expect(await send('v1')).toBe('new')
    expect(await send('v2')).toBe('unchanged')
    await finished(id, 'v1')
    expect(await send('v3')).toBe('unchanged')
    expect(await view(tenant, id)).toMatchObject({ status: 'indexed' })
    expect([await catalog.waiting(tenant), await redis.zscore('documents:open', id)]).toEqual([0, null])
    expect(await send('v4', document('Mars', 'default', 'other'))).toBe('replaces')
    expect(
      await send('v5', { ...document('Mars', 'default', 'other'), told: { title: 'Ares', collection: 'default' } }),
    ).toBe('replaces')
    await catalog.putCollection(tenant, 'default', {
      description: 'x',
      chunking: { by: 'tokens', size: 100, overlap: 20 },
    })
    expect(
      await send('v6', { ...document('Mars', 'default', 'other'), told: { title: 'Ares', collection: 'default' } }),
    ).toBe('replaces')
  })

  test('the old version is served until the new one is indexed, and said to be where the new one failed', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    const { view: first } = await catalog.createDocument(tenant, id, 'v1', document('Io'))
    await finished(id, 'v1')
    await catalog.createDocument(tenant, id, 'v2', document('Io', 'default', 'more'))
    expect(await view(tenant, id)).toMatchObject({ status: 'queued', served: first.version })
    expect(await catalog.revisions(tenant, id)).toEqual({ newest: 'v2', served: 'v1' })
    await ingest.fail(await begin(id, 'v2'), {
      error: 'It is locked.',
      problem: { code: 'document.encrypted', page: 3 },
    })
    expect(await view(tenant, id)).toMatchObject({
      status: 'failed',
      error: 'It is locked. Questions still find the version before it.',
      problem: { code: 'document.encrypted', page: 3 },
      served: first.version,
    })
    expect((await ingest.needed(id)).sort()).toEqual(['v1', 'v2'])
    expect(await catalog.retry(tenant, id)).toEqual({ documentId: id, revision: 'v2', tenant })
    expect(await finished(id, 'v2')).toEqual({ kind: 'done', before: 'v1' })
    const over = await view(tenant, id)
    expect(over).not.toHaveProperty('served')
    expect(over).not.toHaveProperty('error')
    expect(await catalog.retry(tenant, id)).toBeNull()
  })

  test('what failed is taken again when it is sent again', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    await catalog.createDocument(tenant, id, 'v1', document('Io'))
    await ingest.fail(await begin(id, 'v1'), { error: 'no', problem: { code: 'x' } })
    expect((await catalog.createDocument(tenant, id, 'v2', document('Io'))).taken).toBe('replaces')
    expect(await view(tenant, id)).not.toHaveProperty('error')
  })

  test('an address is looked at again when it is sent again, but not while it is on its way', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    const send = async (revision: string) =>
      (await catalog.createDocument(tenant, id, revision, document('page', 'default', null))).taken
    expect(await send('v1')).toBe('new')
    expect(await send('v2')).toBe('unchanged')
    const open = await begin(id, 'v1')
    const version = await ingest.fetched(open, 'bytes')
    expect(await view(tenant, id)).toMatchObject({ version })
    await ingest.finish(open, 1)
    expect(await send('v3')).toBe('replaces')
    expect(await ingest.fetched(await begin(id, 'v3'), 'bytes')).toBe(version)
  })

  test('whoever begins has the document until the next begins; a newer revision ends all before it', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    await catalog.createDocument(tenant, id, 'v1', document('Io'))
    const [one, two] = [await begin(id, 'v1'), await begin(id, 'v1')]
    expect([one.starts, two.starts]).toEqual([1, 2])
    expect([
      await ingest.progress(one, { percent: 50 }),
      await ingest.progress(two, { percent: 60, starts: 0 }),
    ]).toEqual([false, true])
    expect(await ingest.finish(one, 1)).toEqual({ kind: 'fenced' })
    await catalog.createDocument(tenant, id, 'v2', document('Io', 'default', 'more'))
    expect([
      await ingest.progress(two, { percent: 70 }),
      await ingest.fail(two, { error: '', problem: { code: '' } }),
    ]).toEqual([false, false])
    expect(await ingest.finish(two, 1)).toEqual({ kind: 'stale' })
    expect(await ingest.begin(id, 'v1')).toEqual({ kind: 'stale' })
    expect(await view(tenant, id)).toMatchObject({ status: 'queued', progress: { percent: 0 } })
  })

  test('an indexed document is written once more when it must be, and one under way when it is through', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    await catalog.createDocument(tenant, id, 'v1', document('Io'))
    const open = await begin(id, 'v1')
    expect(await ingest.reopen(tenant, id)).toEqual({ documentId: id, revision: 'v1', tenant })
    expect(await ingest.finish(open, 1)).toEqual({ kind: 'again' })
    expect((await finished(id, 'v1')).kind).toBe('done')
    expect(await ingest.reopen(tenant, id)).toEqual({ documentId: id, revision: 'v1', tenant })
    expect(await view(tenant, id)).toMatchObject({ status: 'queued' })
    expect(await ingest.reopen(tenant, fresh('d'))).toBeNull()
  })

  test('a removed document is gone from everywhere, and a late delivery does not bring it back', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    await catalog.createDocument(tenant, id, 'v1', document('Gone'))
    const open = await begin(id, 'v1')
    expect(await catalog.removeDocument(tenant, id)).toBe(true)
    expect([
      await ingest.progress(open, { percent: 1 }),
      await ingest.finish(open, 1),
      await ingest.begin(id, 'v1'),
    ]).toEqual([false, { kind: 'gone' }, { kind: 'gone' }])
    expect(await view(tenant, id)).toBeNull()
    expect(await ingest.needed(id)).toEqual([])
    expect(await catalog.documents(tenant, { cursor: null, limit: 10 })).toEqual({ items: [], next: null })
    expect(await catalog.collections(tenant)).toEqual([])
    expect(await catalog.removeDocument(tenant, id)).toBe(false)
  })

  test('tenants see, list and remove only what is theirs', async () => {
    const [one, two, id] = [fresh('t'), fresh('t'), fresh('d')]
    await catalog.createDocument(one, id, 'v1', document('Secret', 'plans'))
    await catalog.putCollection(one, 'notes', { description: 'Notes of one' })
    expect([
      await view(two, id),
      await catalog.revisions(two, id),
      await catalog.retry(two, id),
      await catalog.removeDocument(two, id),
    ]).toEqual([null, null, null, false])
    await expect(catalog.createDocument(two, id, 'v2', document('Mine', 'mine'))).rejects.toMatchObject({
      code: 'document.taken',
      retry: 'never',
    })
    expect((await catalog.documents(two, { cursor: null, limit: 10 })).items).toEqual([])
    expect([await catalog.collections(two), await catalog.collection(two, 'notes')]).toEqual([[], null])
    expect(await view(one, id)).toMatchObject({ title: 'Secret' })
    expect(documentIdOf(one, 'plans', { name: 'a' })).not.toBe(documentIdOf(two, 'plans', { name: 'a' }))
  })

  test('documents are listed newest first, by page, by collection and by status', async () => {
    const tenant = fresh('t')
    const ids: string[] = []
    for (let i = 0; i < 11; i += 1) {
      const id = `${tenant}-${String(i).padStart(2, '0')}`
      ids.unshift(id)
      await catalog.createDocument(tenant, id, 'v1', document(`Document ${i}`, i % 3 === 0 ? 'third' : 'rest'))
      if (i === 4) await finished(id, 'v1')
    }
    const listed = async (limit: number, only: { collection?: string; status?: 'indexed' } = {}): Promise<string[]> => {
      const seen: string[] = []
      for (let cursor: string | null = null; ;) {
        const page = await catalog.documents(tenant, { ...only, cursor, limit })
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

  test('a rare status among many documents is looked for in pieces, none of them long', async () => {
    const [tenant, rare] = [fresh('t'), fresh('d')]
    await catalog.createDocument(tenant, rare, 'v1', document('Rare'))
    const others = Array.from({ length: 2_500 }, (_, n) => [Date.now() + 10_000 + n, `other${n}`]).flat()
    await redis.zadd(`catalog:{${tenant}}:documents`, ...others)
    const pages: string[][] = []
    for (let cursor: string | null = null; ;) {
      const { items, next } = await catalog.documents(tenant, { status: 'queued', cursor, limit: 10 })
      pages.push(items.map(({ id }) => id))
      if (next === null) break
      cursor = next
    }
    expect(pages).toEqual([[], [], [rare]])
  })

  test('a collection is shown with its settings, the count of its documents and how often it changed', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    const settings = {
      description: 'Mass and orbit',
      chunking: { by: 'headings' as const, levels: [2, 3], maxChars: 900 },
      policy: 'standard',
    }
    expect(await catalog.putCollection(tenant, 'planets', settings)).toEqual({
      name: 'planets',
      documents: 0,
      version: 1,
      ...settings,
    })
    await catalog.createDocument(tenant, id, 'v1', document('Mars', 'planets'))
    await ingest.claimEmbedder(tenant, 'planets', 'words')
    await finished(id, 'v1')
    expect(await catalog.collection(tenant, 'planets')).toEqual({
      name: 'planets',
      documents: 1,
      version: 2,
      embedder: 'words',
      ...settings,
    })
    await catalog.removeDocument(tenant, id)
    expect(await catalog.collection(tenant, 'planets')).toEqual({
      name: 'planets',
      documents: 0,
      version: 3,
      ...settings,
    })
  })

  test('settings that were saved with heading levels alone are read as a way of cutting', async () => {
    const tenant = fresh('t')
    await redis.hset(
      `catalog:{${tenant}}:collections`,
      'old',
      JSON.stringify({ description: 'Old', headingLevels: [1, 2] }),
    )
    expect(await catalog.collection(tenant, 'old')).toEqual({
      name: 'old',
      documents: 0,
      version: 0,
      description: 'Old',
      chunking: { by: 'headings', levels: [1, 2], maxChars: 1_200 },
    })
  })

  test('a document that was saved before it had versions is still shown, and ready to be sent again', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    await redis.hset(`catalog:{${id}}:document`, {
      tenant,
      document: JSON.stringify({ title: 'Old', collection: 'c' }),
      collection: 'c',
      status: 'indexed',
      passages: 4,
      percent: 100,
      createdAt: 5,
      updatedAt: 6,
    })
    expect(await view(tenant, id)).toMatchObject({
      title: 'Old',
      collection: 'c',
      status: 'indexed',
      progress: { passages: 4 },
    })
    expect((await catalog.createDocument(tenant, id, 'v1', document('Old', 'c'))).taken).toBe('replaces')
  })

  test('re-indexing queues every document with the cut of now, and the next embedder is the collection’s own', async () => {
    const [tenant, one, two, other] = [fresh('t'), fresh('d'), fresh('d'), fresh('d')]
    for (const id of [one, two]) await catalog.createDocument(tenant, id, 'v1', document(id, 'c'))
    await catalog.createDocument(tenant, other, 'v1', document(other, 'elsewhere'))
    expect([
      await ingest.claimEmbedder(tenant, 'c', 'small'),
      await ingest.claimEmbedder(tenant, 'c', 'large'),
    ]).toEqual(['small', 'small'])
    await finished(one, 'v1')
    const before = (await view(tenant, one))?.version
    await catalog.putCollection(tenant, 'c', { description: 'x', chunking: { by: 'tokens', size: 100, overlap: 20 } })
    const queued: string[] = []
    for await (const { documentId } of catalog.reindex(tenant, 'c')) queued.push(documentId)
    expect(queued.sort()).toEqual([one, two].sort())
    expect(await view(tenant, one)).toMatchObject({ status: 'queued' })
    expect((await view(tenant, one))?.version).not.toBe(before)
    expect(await ingest.claimEmbedder(tenant, 'c', 'large')).toBe('large')
  })

  test('documents that are not through are looked at in turns, and forgotten when they are', async () => {
    const [tenant, id, done] = [fresh('t'), fresh('d'), fresh('d')]
    await catalog.createDocument(tenant, id, 'v1', document('Io'))
    await catalog.createDocument(tenant, done, 'v1', document('Europa'))
    expect(await catalog.waiting(tenant)).toBe(2)
    await finished(done, 'v1')
    expect(await catalog.waiting(tenant)).toBe(1)
    await redis.zadd('documents:open', 1, id, 1, done, 1, fresh('gone'))
    const due = async () => (await ingest.takeDue(100, 60_000)).jobs.filter((job) => job.tenant === tenant)
    expect(await due()).toEqual([{ documentId: id, revision: 'v1', tenant }])
    expect(await due()).toEqual([])
    expect(await redis.zscore('documents:open', done)).toBeNull()
  })

  test('every change of a document is told to whoever listens', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    const channel = openDocumentChannel(redis)
    const told: string[] = []
    await channel.subscribe((changed) => void told.push(changed))
    await catalog.createDocument(tenant, id, 'v1', document('Io'))
    const open = await begin(id, 'v1')
    await ingest.progress(open, { percent: 40 })
    await ingest.finish(open, 1)
    await expect.poll(() => told.filter((changed) => changed === id).length).toBe(3)
    await channel.close()
  })

  test('a collection nobody described is described by its titles and headings until somebody does', async () => {
    const [tenant, mars, venus] = [fresh('t'), fresh('d'), fresh('d')]
    await catalog.createDocument(tenant, mars, 'v1', document('Mars', 'planets'))
    expect(await catalog.collection(tenant, 'planets')).toMatchObject({ description: 'Mars' })
    await catalog.createDocument(tenant, venus, 'v1', document('Venus', 'planets'))
    await ingest.noteHeadings(await begin(mars, 'v1'), 'Mars', ['Mass', 'Moons'])
    const { description } = (await catalog.collection(tenant, 'planets'))!
    expect(description.split('; ').sort()).toEqual(['Mars', 'Mass', 'Moons', 'Venus'])
    await catalog.removeDocument(tenant, mars)
    expect(await catalog.collection(tenant, 'planets')).toMatchObject({ description: 'Venus', documents: 1 })
    await catalog.putCollection(tenant, 'planets', { description: 'Our planets' })
    expect(await catalog.collection(tenant, 'planets')).toMatchObject({ description: 'Our planets' })
    expect(await catalog.collection(tenant, 'unknown')).toBeNull()
  })

  test('a reader is told of as many documents as are there for its tags, whatever becomes of them', async () => {
    const [tenant, plan, note] = [fresh('t'), fresh('d'), fresh('d')]
    const told = async (...tags: string[]) => (await catalog.collection(tenant, 'c', tags))?.documents
    const bring = async (id: string, ...access: string[]) => {
      const brought = document(id, 'c')
      await catalog.createDocument(tenant, id, fresh('v'), {
        ...brought,
        digest: access.join(),
        told: { ...brought.told, ...(access.length > 0 && { access }) },
      })
    }
    await bring(plan, 'board')
    expect([await told(), await told('board'), await catalog.collections(tenant, [])]).toEqual([undefined, 1, []])
    await bring(note)
    await bring(plan, 'board', 'staff')
    expect([await told(), await told('staff'), (await catalog.collection(tenant, 'c'))?.documents]).toEqual([1, 2, 2])
    await bring(note, 'board')
    expect([await told(), await told('staff'), await told('board')]).toEqual([undefined, 1, 2])
    await catalog.removeDocument(tenant, plan)
    expect([await told('staff'), await told('board')]).toEqual([undefined, 1])
    await catalog.removeDocument(tenant, note)
    expect(await redis.exists(`catalog:{${tenant}}:tagged:c`)).toBe(0)
  })

  test('the description of a large collection stays short and its making bounded', async () => {
    const tenant = fresh('t')
    for (let i = 0; i < 80; i += 1) {
      const id = fresh('d')
      await catalog.createDocument(tenant, id, 'v1', document(`Document ${i}`, 'large'))
      await ingest.noteHeadings(
        await begin(id, 'v1'),
        `Document ${i}`,
        Array.from({ length: 100 }, (_, n) => `Heading ${n} of ${i}`),
      )
    }
    const found = await catalog.collection(tenant, 'large')
    expect(found).toMatchObject({ documents: 80 })
    expect(found!.description.length).toBeLessThanOrEqual(1_200)
    expect(await redis.hlen(`catalog:{${tenant}}:headings:large`)).toBe(60)
  })
})
