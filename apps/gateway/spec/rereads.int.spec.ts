import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { documentIdOf } from '@plumbline/adapters/redis/documents/document'
import { openIngestCatalog } from '@plumbline/adapters/redis/documents/ingest-catalog'
import { readFeatures } from '@plumbline/features/all'
import { openSourceRuns } from '@plumbline/features/sources/store/source-runs'
import { createClient, ProblemError } from '@plumbline/client'
import type { Flag } from '@plumbline/contracts'
import { checked, found, good, graded, passage, planned, toResearch } from '@plumbline/flow/spec/run-fixtures.spec'
import { openHouse, type House } from './house.spec'

let house: House
const apiKeys = [
  'asker-key:acme:asker',
  'reviewer-key:acme:reviewer',
  'admin-key:acme:admin+asker',
  'hr-key-long:acme:asker+reviewer:hr',
  'other-key:other:admin',
].join(',')
beforeAll(async () => {
  house = await openHouse({ apiKeys, features: readFeatures({ SOURCE_FOLDERS: '/data/docs' }).features })
  await as('admin-key').putCollection('planets', { description: 'Facts about the planets.' })
  await as('admin-key').putSource('handbook', {
    settings: { kind: 'folder', path: '/data/docs/handbook' },
    collection: 'planets',
  })
})
afterAll(() => house.close())

const as = (key: string) => createClient({ url: house.url, key })
const poll = <T>(look: () => Promise<T>) => expect.poll(look, { interval: 50 })

/** Does the work of an ingestor that has imported a document whose content has this hash. */
const ingest = async (id: string, digest: string): Promise<void> => {
  const catalog = openIngestCatalog(house.redis)
  const revision = (await openCatalog(house.redis).revisions('acme', id))?.newest ?? ''
  const begun = await catalog.begin(id, revision, { isolated: true })
  if (begun.kind !== 'open') throw new Error(`${id} is ${begun.kind}`)
  await catalog.fetched(begun.open, digest)
  await catalog.finish(begun.open, 1)
}
const fromAddress = async (url: string): Promise<string> => {
  const { id } = await as('admin-key').addDocument({ url, collection: 'planets' })
  await ingest(id, 'old')
  return id
}
const importedAs = async (path: string, digest: string): Promise<string> => {
  const name = `handbook/${path}`
  const id = documentIdOf('acme', 'planets', { name })
  await openCatalog(house.redis).createDocument('acme', id, `v${digest}`, {
    told: { collection: 'planets', name },
    source: { kind: 'file', file: path, bytes: 1 },
    digest,
    owner: { source: 'handbook', path, run: Date.now() },
  })
  await ingest(id, digest)
  return id
}
/** Does the work of an ingestor that syncs the source. */
const sync = async (meanwhile: () => Promise<unknown>): Promise<void> => {
  const runs = openSourceRuns(house.redis)
  const begun = await runs.begin({ tenant: 'acme', name: 'handbook' })
  if (begun.kind !== 'open') throw new Error(begun.kind)
  await meanwhile()
  const counts = { added: 0, changed: 0, moved: 0, removed: 0, unchanged: 0, skipped: 0, failed: 0 }
  const at = new Date().toISOString()
  await runs.end(begun.open, { startedAt: at, endedAt: at, counts, failures: [] }, null)
  await runs.leave(begun.open)
}

const flagged = async (documents: string[], key = 'asker-key'): Promise<string> => {
  const { id } = await as(key).ask({ question: 'How heavy is Mars?', collection: 'planets' })
  const passages = documents.map((documentId) => ({ ...passage(documentId), documentId }))
  const citations = documents.map((passageId, at) => ({ n: at + 1, passageId }))
  await house.report(
    id,
    toResearch,
    planned('How heavy is Mars?'),
    found('1.1', [], { passages } as object),
    graded('1.1', Object.fromEntries(documents.map((one) => [one, good]))),
    { taskId: 'generate.1', kind: 'generate', result: { outcome: 'drafted', text: 'Heavy [1].', citations } },
    checked(1),
  )
  await as(key).feedback(id, { useful: false })
  return id
}
const flagOf = async (id: string, status: 'open' | 'fixed'): Promise<Flag | undefined> =>
  (await as('reviewer-key').flags({ status, limit: 100 })).items.find((flag) => flag.id === id)
const refused = async (promise: Promise<unknown>): Promise<number> => {
  const error = await promise.then(
    () => 'nothing',
    (error: unknown) => error,
  )
  if (!(error instanceof ProblemError)) throw new Error('not refused', { cause: error })
  return error.problem.status
}

describe('reading the documents of a flagged answer again', () => {
  it('waits for each source and address, then asks once and links both runs', async () => {
    const page = await fromAddress('https://example.org/mars')
    const file = await importedAs('mars.md', 'aaa')
    const id = await flagged([page, file, 'd-gone'])
    const runsBefore = (await as('admin-key').runs()).items.length
    const begun = await as('reviewer-key').rereadFlag(id, { note: 'The page was corrected.' })
    expect(begun).toMatchObject({
      status: 'open',
      reread: {
        note: 'The page was corrected.',
        documents: [
          { id: page, from: 'address', state: 'waiting' },
          { id: file, from: 'source', source: 'handbook', state: 'waiting' },
          { id: 'd-gone', state: 'removed' },
        ],
      },
    })
    expect(JSON.stringify(begun)).not.toMatch(/asker|versions|since/)
    expect((await as('reviewer-key').rereadFlag(id)).reread).toEqual(begun.reread)
    await as('asker-key').feedback(id, { useful: false, note: 'Still wrong.' })
    expect((await flagOf(id, 'open'))?.reread).toEqual(begun.reread)

    await ingest(page, 'new')
    await sync(async () => expect((await flagOf(id, 'open'))?.status).toBe('open'))
    await poll(() => flagOf(id, 'fixed')).toBeDefined()
    const fixed = await flagOf(id, 'fixed')
    expect(fixed?.reread?.documents.map(({ state }) => state)).toEqual(['changed', 'unchanged', 'removed'])
    expect(fixed?.fix).toMatchObject({ note: 'The page was corrected.', by: begun.reread?.by })
    expect((await house.store.load(fixed?.fix?.runId ?? ''))?.run).toMatchObject({
      question: 'How heavy is Mars?',
      metadata: { fixes: id },
    })
    expect((await as('admin-key').runs()).items.length).toBe(runsBefore + 1)
    expect((await as('reviewer-key').rereadFlag(id)).fix).toEqual(fixed?.fix)
  })

  it('asks at once if there is nothing to read again', async () => {
    const { id: upload } = await as('admin-key').addDocument({ title: 'Upload', text: 'Text.', collection: 'planets' })
    const id = await flagged([upload])
    expect((await as('reviewer-key').rereadFlag(id)).reread?.documents).toMatchObject([{ state: 'unchanged' }])
    await poll(() => flagOf(id, 'fixed')).toBeDefined()
  })

  it('needs the role and the tags that the flag needs', async () => {
    const id = await flagged(['d-gone'], 'hr-key-long')
    expect(await refused(as('reviewer-key').rereadFlag(id))).toBe(404)
    expect(await refused(as('other-key').rereadFlag(id))).toBe(404)
    expect(await refused(as('asker-key').rereadFlag(id))).toBe(403)
    await as('hr-key-long').rereadFlag(id)
    await poll(async () =>
      (await as('hr-key-long').flags({ status: 'fixed', limit: 100 })).items.map((one) => one.id),
    ).toContain(id)
    const { items } = await as('hr-key-long').flags({ status: 'fixed', limit: 100 })
    const { fix } = items.find((flag) => flag.id === id) ?? {}
    expect((await house.store.load(fix?.runId ?? ''))?.run.access).toEqual(['hr'])
  })

  it('ends with the reason if the key of the reviewer is revoked meanwhile, and can be repeated', async () => {
    const page = await fromAddress('https://example.org/venus')
    const id = await flagged([page])
    const { id: keyId, key } = await as('admin-key').createKey({ name: 'Reviewer', roles: ['reviewer'] })
    await as(key).rereadFlag(id)
    await as('admin-key').revokeKey(keyId)
    await ingest(page, 'new')
    await poll(async () => (await flagOf(id, 'open'))?.reread?.problem).toContain('is no longer valid')
    await as('reviewer-key').rereadFlag(id)
    await ingest(page, 'newer')
    await poll(() => flagOf(id, 'fixed')).toBeDefined()
  })
})
