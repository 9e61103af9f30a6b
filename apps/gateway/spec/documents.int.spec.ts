import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openQueue } from '@plumbline/adapters/bullmq/queues'
import { openCatalog, type Catalog } from '@plumbline/adapters/redis/documents/catalog'
import { openIngestCatalog } from '@plumbline/adapters/redis/documents/ingest-catalog'
import { ProblemError } from '@plumbline/client'
import type { RetrievalSettings } from '@plumbline/contracts'
import { openHouse, post, type House } from './house.spec'

let house: House
let catalog: Catalog
const removed: string[] = []
let whenRemoved: () => Promise<unknown> = () => Promise.resolve()
beforeAll(async () => {
  const removePassages = async (tenant: string, id: string): Promise<void> => {
    removed.push(`${tenant}/${id}`)
    await whenRemoved()
  }
  house = await openHouse({ maxFileMb: 3, removePassages })
  catalog = openCatalog(house.redis)
})
afterAll(() => house.close())

const queued = async (): Promise<string[]> => {
  const queue = openQueue(house.redis, 'main', 'ingest')
  const jobs = await queue.getJobs(['waiting', 'prioritized'])
  await queue.close()
  return jobs.map((job) => (job.data as { documentId: string }).documentId)
}
const file = (text: string) => new Blob([text])
const problem = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(error instanceof ProblemError)) throw new Error('not refused', { cause: error })
  return { status: error.problem.status, field: error.problem.errors?.[0]?.field, detail: error.problem.detail }
}

describe('a document', () => {
  it('is stored, queued and shown until it is indexed', async () => {
    const view = await house.client.addDocument({
      title: 'Mars',
      text: '# Mars\n\nRed.',
      collection: 'planets',
      metadata: { source: 'spec' },
    })
    expect(view).toMatchObject({ title: 'Mars', collection: 'planets', status: 'queued', metadata: { source: 'spec' } })
    expect(await queued()).toContain(view.id)
    const revision = (await catalog.revisions('default', view.id))?.newest ?? ''
    const begun = await openIngestCatalog(house.redis).begin(view.id, revision, { isolated: false })
    if (begun.kind === 'open') await openIngestCatalog(house.redis).finish(begun.open, 1)
    expect(await house.client.document(view.id)).toMatchObject({
      status: 'indexed',
      progress: { passages: 1, percent: 100 },
    })
  })

  it('is found by its name in each collection, and by the digest of its bytes', async () => {
    const sha256 = createHash('sha256').update('Pluto is small.').digest('hex')
    const one = await house.client.uploadDocument(file('Pluto is small.'), 'pluto.txt', {
      collection: 'by-name-1',
      name: 'a/pluto.txt',
    })
    const two = await house.client.uploadDocument(file('Pluto is small.'), 'pluto.txt', {
      collection: 'by-name-2',
      name: 'a/pluto.txt',
    })
    const other = await house.client.uploadDocument(file('Pluto is cold.'), 'pluto.txt', {
      collection: 'by-name-1',
      name: 'b/pluto.txt',
    })
    const found = async (asked: object) => (await house.client.documents(asked)).items.map(({ id }) => id).sort()
    expect(await found({ name: 'a/pluto.txt' })).toEqual([one.id, two.id].sort())
    expect(await found({ name: 'a/pluto.txt', collection: 'by-name-2' })).toEqual([two.id])
    expect(await found({ name: 'pluto.txt' })).toEqual([])
    expect(await found({ sha256 })).toEqual([one.id, two.id].sort())
    expect(await found({ sha256, name: 'b/pluto.txt' })).toEqual([])
    expect(await found({ collection: 'by-name-1' })).toEqual([one.id, other.id].sort())
    expect((await house.client.document(one.id)).sha256).toBe(sha256)
    expect(await problem(house.client.documents({ sha256: 'x' }))).toMatchObject({ status: 400, field: 'sha256' })
  })

  it('comes as a file too, named by its file unless a field names it', async () => {
    const named = await house.client.uploadDocument(file('# Venus\n\nHot.'), 'Venus facts.md', {
      collection: 'planets',
      metadata: { a: 'b' },
    })
    expect(named).toMatchObject({ title: 'Venus facts.md', collection: 'planets', metadata: { a: 'b' } })
    const text = await house.client.uploadDocument(file('Hot.'), 'v.txt', { title: 'Venus' })
    expect(text).toMatchObject({ title: 'Venus', collection: 'default' })
    expect(text.format).toBe('text')
  })

  it('is compared by name and digest before it is sent, with all that makes it another version', async () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const upload = { collection: 'compared', name: 'deep/ice.md', metadata: { year: '2024' }, access: ['staff'] }
    const { name, ...fields } = upload
    const compared = async (text: string, over = {}) => {
      const { items } = await house.client.compareFiles({
        ...fields,
        ...over,
        files: [
          { name, sha256: sha256(text) },
          { name: 'other.md', sha256: sha256(text) },
        ],
      })
      return items.map(({ taken }) => taken)
    }
    expect(await compared('Ice.')).toEqual(['new', 'new'])
    const { id } = await house.client.uploadDocument(file('Ice.'), 'ice.md', upload)
    expect(await compared('Ice.')).toEqual(['unchanged', 'new'])
    expect((await house.client.compareFiles({ ...fields, files: [{ name, sha256: sha256('Ice.') }] })).items).toEqual([
      { name, taken: 'unchanged', document: await house.client.document(id) },
    ])
    expect(await compared('Ice!')).toEqual(['replaces', 'new'])
    expect(await compared('Ice.', { metadata: { year: '2025' } })).toEqual(['replaces', 'new'])
    expect(await compared('Ice.', { access: [] })).toEqual(['replaces', 'new'])
    await house.client.putCollection('compared', { description: 'Ice', chunking: { by: 'tokens' } })
    expect(await compared('Ice.')).toEqual(['replaces', 'new'])
    const wrong = { files: [{ name: 'a.md', sha256: 'ABC' }] }
    expect(await problem(house.client.compareFiles(wrong))).toMatchObject({ status: 400, field: 'files.0.sha256' })
  })

  it('with the same Idempotency-Key is one document, queued again only while it waits', async () => {
    const once = () => house.client.addDocument({ title: 'Once', text: 'Once.' }, { idempotencyKey: 'doc' })
    const [first, second] = [await once(), await once()]
    expect(second.id).toBe(first.id)
    expect((await queued()).filter((id) => id === first.id)).toHaveLength(1)
    expect(second.taken).toBe('unchanged')
  })

  it('is listed by collection in pages, and gone with its passages when it is removed', async () => {
    const ids: string[] = []
    for (const n of [1, 2, 3])
      ids.push(
        (await house.client.addDocument({ title: `Moon ${n}`, text: `Grey, the ${n}th.`, collection: 'moons' })).id,
      )
    const first = await house.client.documents({ collection: 'moons', limit: 2 })
    const second = await house.client.documents({ collection: 'moons', limit: 2, cursor: first.next ?? '' })
    expect([...first.items, ...second.items].map((view) => view.id).sort()).toEqual([...ids].sort())
    const [id = ''] = ids
    await house.client.removeDocument(id)
    expect(removed).toContain(`default/${id}`)
    expect(await problem(house.client.document(id))).toMatchObject({ status: 404 })
    expect(await problem(house.client.removeDocument(id))).toMatchObject({ status: 404 })
  })

  it('repeated under its name during its removal keeps its files', async () => {
    const bring = (text: string) =>
      house.client.addDocument({ name: 'again.md', title: 'Again', text, collection: 'moons' })
    const { id } = await bring('Old.')
    whenRemoved = async () => {
      if (!(await catalog.document('default', id))) await bring('New.')
    }
    await house.client.removeDocument(id)
    whenRemoved = () => Promise.resolve()
    const revision = (await catalog.revisions('default', id))?.newest ?? ''
    expect(await house.files.original({ tenant: 'default', id, revision })).toMatchObject({ bytes: 4 })
  })

  it.each([
    ['an ending that is not read', () => house.client.uploadDocument(file('x'), 'a.exe'), 415, 'file', 'Word (.docx)'],
    [
      'an ending that is not read, of a name that sounds like a form',
      () => house.client.uploadDocument(file('x'), 'multipart.exe'),
      415,
      'file',
      'Word (.docx)',
    ],
    ['no name', () => house.client.uploadDocument(file('x'), ' '), 400, 'file', 'name of the file'],
    ['an empty file', () => house.client.uploadDocument(file(''), 'a.md'), 400, 'file', 'empty'],
    [
      'a file that is too large',
      () => house.client.uploadDocument(file('a'.repeat(5_000_000)), 'a.txt'),
      413,
      undefined,
      'Split the file',
    ],
    [
      'a collection that is no name',
      () => house.client.addDocument({ title: 'a', text: 'b', collection: 'A B' }),
      400,
      'collection',
      'lower-case',
    ],
    ['no title', () => house.client.addDocument({ title: ' ', text: 'b' }), 400, 'title', ''],
  ])('with %s is refused', async (_, add, status, field, fix) => {
    const refused = await problem(add())
    expect(refused).toMatchObject({ status, field })
    expect(refused.detail).toContain(fix)
  })

  it('in a form without a file is refused', async () => {
    const form = new FormData()
    form.set('title', 'x')
    const answer = await fetch(`${house.url}/v1/documents`, { method: 'POST', body: form })
    expect([answer.status, ((await answer.json()) as { errors: { field: string }[] }).errors[0]?.field]).toEqual([
      400,
      'file',
    ])
  })

  it('of 20 MB is refused before it is read', async () => {
    expect((await post(house.url, '/v1/documents', { title: 'a', text: 'a'.repeat(20_000_000) })).status).toBe(413)
  })
})

describe('a collection', () => {
  it('keeps its description and counts its documents', async () => {
    await house.client.putCollection('planets', {
      description: 'What planets are made of.',
      chunking: { by: 'headings', levels: [1, 2] },
    })
    expect((await house.client.collections()).items.find((one) => one.name === 'planets')).toMatchObject({
      description: 'What planets are made of.',
      chunking: { by: 'headings', levels: [1, 2], maxChars: 1_200 },
      documents: 2,
    })
  })

  it('that could find nothing is refused', async () => {
    const [off, on] = [{ k: 0 }, { k: 5 }]
    const put = (retrieval: RetrievalSettings) => house.client.putCollection('found', { description: 'x', retrieval })
    expect(await problem(put({ similarity: off, mmr: off, bm25: off }))).toMatchObject({
      status: 400,
      field: 'retrieval.bm25.k',
    })
    for (const one of [
      { similarity: on, mmr: off, bm25: off },
      { similarity: off, mmr: off },
    ])
      expect(await put(one)).toMatchObject({ retrieval: one })
  })

  it('without a description, with an invalid name or an unknown policy, is refused', async () => {
    expect(await problem(house.client.putCollection('x', { description: ' ' }))).toMatchObject({
      status: 400,
      field: 'description',
    })
    expect(await problem(house.client.putCollection('A B', { description: 'x' }))).toMatchObject({
      status: 400,
      field: 'name',
    })
    expect(await problem(house.client.putCollection('x', { description: 'x', policy: 'nope' }))).toMatchObject({
      status: 400,
      field: 'policy',
    })
  })
})
