import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { document, fresh, ownCatalog, type OwnCatalog, servers } from '../spec/own-catalog.spec'
import { descriptionOf, isCut } from './collections'

describe.each(servers)('the collections of a catalog on %s', (_, start) => {
  let own: OwnCatalog
  beforeAll(async () => {
    own = await ownCatalog(start)
  })
  afterAll(() => own.stop())

  test('a collection is shown with its settings, the count of its documents and how often it changed', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    const settings = {
      description: 'Mass and orbit',
      chunking: { by: 'headings' as const, levels: [2, 3], maxChars: 900 },
      policy: 'standard',
    }
    expect(await own.catalog.putCollection(tenant, 'planets', settings)).toEqual({
      name: 'planets',
      documents: 0,
      version: 1,
      ...settings,
    })
    await own.catalog.createDocument(tenant, id, 'v1', document('Mars', 'planets'))
    await own.ingest.claimEmbedder(tenant, 'planets', 'words')
    await own.finished(id, 'v1')
    expect(await own.catalog.collection(tenant, 'planets')).toEqual({
      name: 'planets',
      documents: 1,
      version: 2,
      embedder: 'words',
      ...settings,
    })
    await own.catalog.removeDocument(tenant, id)
    expect(await own.catalog.collection(tenant, 'planets')).toEqual({
      name: 'planets',
      documents: 0,
      version: 3,
      ...settings,
    })
  })

  test('documents that are still being read are counted for those who may read them', async () => {
    const [tenant, open, tagged, done] = [fresh('t'), fresh('d'), fresh('d'), fresh('d')]
    await own.catalog.createDocument(tenant, open, 'v1', document('One', 'c'))
    const { told, ...brought } = document('Two', 'c')
    await own.catalog.createDocument(tenant, tagged, 'v1', { ...brought, told: { ...told, access: ['board'] } })
    await own.catalog.createDocument(tenant, done, 'v1', document('Three', 'c'))
    await own.finished(done, 'v1')
    const count = (collections: string[], access: string[] | 'all', whose = tenant) =>
      own.catalog.beingRead({ tenant: whose, collections, access })
    expect(await Promise.all([count(['c'], 'all'), count(['c'], ['board']), count(['c'], ['staff'])])).toEqual([
      2, 2, 1,
    ])
    expect(await Promise.all([count(['other'], 'all'), count(['c'], 'all', fresh('t'))])).toEqual([0, 0])
  })

  test('an answer can wait for documents that came a moment ago, but not for a large import', async () => {
    const tenant = fresh('t')
    const scope = { tenant, collections: ['c'], access: 'all' as const }
    const bring = (title: string, collection = 'c') =>
      own.catalog.createDocument(tenant, fresh('d'), 'v1', document(title, collection))
    expect(await own.catalog.arriving(scope)).toBe(0)
    await Promise.all([bring('One'), bring('Two'), bring('Three', 'other')])
    expect(await own.catalog.arriving(scope)).toBe(2)
    expect(await own.catalog.arriving({ ...scope, collections: ['other', 'none'] })).toBe(1)
    await Promise.all(Array.from({ length: 18 }, (_, nth) => bring(`Import ${nth}`)))
    expect(await own.catalog.arriving(scope)).toBe(0)
  })

  test('a collection is removed when it holds no document, and keeps the count of its changes', async () => {
    const [tenant, id] = [fresh('t'), fresh('d')]
    await own.catalog.putCollection(tenant, 'c', { description: 'x' })
    await own.catalog.createDocument(tenant, id, 'v1', document('One', 'c'))
    expect(await own.catalog.removeCollection(tenant, 'c')).toBe(false)
    expect(await own.catalog.collection(tenant, 'c')).toMatchObject({ documents: 1, version: 1 })
    const listed: string[][] = []
    for await (const ids of own.catalog.listedIn(tenant, 'c')) listed.push(ids)
    expect(listed).toEqual([[id]])
    for (let times = 0; times < 2; times += 1) await own.catalog.removeFromCollection(tenant, 'c', id)
    expect([await own.catalog.document(tenant, id), await own.catalog.waiting(tenant)]).toEqual([null, 0])
    expect(await own.catalog.removeCollection(tenant, 'c')).toBe(true)
    expect(await own.catalog.collection(tenant, 'c')).toBeNull()
    expect(await own.catalog.putCollection(tenant, 'c', { description: 'y' })).toMatchObject({ version: 3 })
  })

  test('re-indexing queues every document with the cut of now, and the next embedder is the collection’s own', async () => {
    const [tenant, one, two, other] = [fresh('t'), fresh('d'), fresh('d'), fresh('d')]
    for (const id of [one, two]) await own.catalog.createDocument(tenant, id, 'v1', document(id, 'c'))
    await own.catalog.createDocument(tenant, other, 'v1', document(other, 'elsewhere'))
    expect([
      await own.ingest.claimEmbedder(tenant, 'c', 'small'),
      await own.ingest.claimEmbedder(tenant, 'c', 'large'),
    ]).toEqual(['small', 'small'])
    await own.finished(one, 'v1')
    const before = (await own.catalog.document(tenant, one))?.version
    await own.catalog.putCollection(tenant, 'c', {
      description: 'x',
      chunking: { by: 'tokens', size: 100, overlap: 20 },
    })
    const queued: string[] = []
    for await (const { documentId } of own.catalog.reindex(tenant, 'c')) queued.push(documentId)
    expect(queued.sort()).toEqual([one, two].sort())
    expect(await own.catalog.document(tenant, one)).toMatchObject({ status: 'queued' })
    expect((await own.catalog.document(tenant, one))?.version).not.toBe(before)
    expect(await own.ingest.claimEmbedder(tenant, 'c', 'large')).toBe('large')
  })

  test('a collection nobody described is described by its titles and headings until somebody does', async () => {
    const [tenant, mars, venus] = [fresh('t'), fresh('d'), fresh('d')]
    await own.catalog.createDocument(tenant, mars, 'v1', document('Mars', 'planets'))
    expect(await own.catalog.collection(tenant, 'planets')).toMatchObject({ description: 'Mars' })
    await own.catalog.createDocument(tenant, venus, 'v1', document('Venus', 'planets'))
    await own.ingest.noteHeadings(await own.begin(mars, 'v1'), 'Mars', ['Mass', 'Moons'])
    const { description } = (await own.catalog.collection(tenant, 'planets'))!
    expect(description.split('; ').sort()).toEqual(['Mars: Mass, Moons', 'Venus'])
    await own.catalog.removeDocument(tenant, mars)
    expect(await own.catalog.collection(tenant, 'planets')).toMatchObject({ description: 'Venus', documents: 1 })
    await own.ingest.fail(await own.begin(venus, 'v1'), { error: 'It cannot be read.', problem: { code: 'x' } })
    expect(await own.catalog.collection(tenant, 'planets')).toMatchObject({ description: 'The collection planets' })
    await own.catalog.putCollection(tenant, 'planets', { description: 'Our planets' })
    expect(await own.catalog.collection(tenant, 'planets')).toMatchObject({ description: 'Our planets' })
    expect(await own.catalog.collection(tenant, 'unknown')).toBeNull()
  })

  test('a reader sees the number of documents for its tags, through all changes', async () => {
    const [tenant, plan, note] = [fresh('t'), fresh('d'), fresh('d')]
    const told = async (...tags: string[]) => (await own.catalog.collection(tenant, 'c', tags))?.documents
    const bring = async (id: string, ...access: string[]) => {
      const brought = document(id, 'c')
      await own.catalog.createDocument(tenant, id, fresh('v'), {
        ...brought,
        digest: access.join(),
        told: { ...brought.told, ...(access.length > 0 && { access }) },
      })
    }
    await bring(plan, 'board')
    expect([await told(), await told('board'), await own.catalog.collections(tenant, [])]).toEqual([undefined, 1, []])
    await bring(note)
    await bring(plan, 'board', 'staff')
    expect([await told(), await told('staff'), (await own.catalog.collection(tenant, 'c'))?.documents]).toEqual([
      1, 2, 2,
    ])
    await bring(note, 'board')
    expect([await told(), await told('staff'), await told('board')]).toEqual([undefined, 1, 2])
    await own.catalog.removeDocument(tenant, plan)
    expect([await told('staff'), await told('board')]).toEqual([undefined, 1])
    await own.catalog.removeDocument(tenant, note)
    expect(await own.redis.exists(`catalog:{${tenant}}:tagged:c`)).toBe(0)
  })

  test('the description of a large collection stays short and its making bounded', async () => {
    const tenant = fresh('t')
    for (let i = 0; i < 80; i += 1) {
      const id = fresh('d')
      await own.catalog.createDocument(tenant, id, 'v1', document(`Document ${i}`, 'large'))
      await own.ingest.noteHeadings(
        await own.begin(id, 'v1'),
        `Document ${i}`,
        Array.from({ length: 100 }, (_, n) => `Heading ${n} of ${i}`),
      )
    }
    const found = await own.catalog.collection(tenant, 'large')
    expect(found).toMatchObject({ documents: 80 })
    expect(found!.description.length).toBeLessThanOrEqual(1_200)
    expect(await own.redis.hlen(`catalog:{${tenant}}:headings:large`)).toBe(60)
  })
})

test('each document is named with its headings, and each heading appears once', () => {
  expect(
    descriptionOf([
      ['Mars', 'Mass', 'Orbit'],
      ['Venus', ' mass ', 'Clouds', ''],
    ]),
  ).toBe('Mars: Mass, Orbit; Venus: Clouds')
})

test('a collection without documents has no description', () => {
  expect(descriptionOf([])).toBe('')
  expect(descriptionOf([[], ['']])).toBe('')
})

test('a long document leaves room for the headings of the others', () => {
  const long = ['Manual', ...Array.from({ length: 40 }, (_, i) => `A heading ${i} of some length, for a long manual`)]
  expect(descriptionOf([long, ['Prices', 'Rooms', 'Meals']])).toContain('; Prices: Rooms, Meals')
})

test('a large collection is described in a bounded text that names its documents first', () => {
  const many = Array.from({ length: 60 }, (_, i) => [
    `Document ${i}`,
    ...Array.from({ length: 40 }, (_, j) => `A heading ${i}.${j} of some length`),
  ])
  const text = descriptionOf(many)
  expect(text.length).toBeLessThanOrEqual(1_200)
  for (let i = 0; i < 60; i += 1) expect(text).toContain(`Document ${i}`)
  expect(isCut(many)).toBe(true)
  expect(isCut(many.slice(0, 1).map((titles) => [...titles.slice(0, 9), ...titles.slice(0, 9)]))).toBe(false)
})
