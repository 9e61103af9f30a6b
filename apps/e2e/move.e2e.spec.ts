import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { serverCredentials, startS3Server } from '@plumbline/adapters/s3/spec/s3-server'
import type { RunView } from '@plumbline/contracts'
import { prose, writePdf } from '@plumbline/parsing/spec/written-pdf'
import { startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { startQdrantServer, type QdrantServer } from '@plumbline/testing/qdrant-server/qdrant-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type House } from './house'

const root = join(import.meta.dirname, '..', '..')
const bucket = 'plumbline'
const questions = [
  ['How heavy is Mars?', 'planets', '6.42e23'],
  ['How many million litres did the Lindale plant replenish?', 'papers', '412'],
  ['Who feeds the harbour seals?', 'papers', 'keeper'],
] as const

let s3: Awaited<ReturnType<typeof startS3Server>>
let qdrant: QdrantServer
let redis: PrivateRedis
let folder: string
let dataDir: string
let before: State
let stored: Record<string, string>

type State = Awaited<ReturnType<typeof stateOf>>
/** Returns the visible state of an installation. */
const stateOf = async ({ client }: House) => {
  const { items: documents } = await client.documents({ limit: 100 })
  const water = documents.find(({ name }) => name === 'water.pdf')!
  return {
    documents,
    collections: await client.collections(),
    runs: (await client.runs({ limit: 100 })).items.map(({ id, status }) => [id, status]),
    texts: await Promise.all(documents.map(({ id }) => client.documentText(id))),
    passages: await Promise.all(documents.map(({ id }) => client.passages(id))),
    page: Buffer.from(await (await client.pageImage(water.id, 2)).arrayBuffer()),
  }
}

/** Returns the text and sources of an answer. */
const toldOf = ({ status, answer, grounding, documentsUsed }: RunView) => ({
  status,
  text: answer?.text,
  quotes: answer?.quotes?.map(({ text, file, page, headingPath }) => ({ text, file, page, headingPath })),
  score: grounding?.score,
  documentsUsed,
})
const ask = async ({ client }: House, question: string, collection: string) =>
  toldOf(await client.ask({ question, collection }, { waitSeconds: 30 }))

const indexed = async ({ client }: House, id: string): Promise<void> => {
  let status = ''
  for await (const view of client.documentEvents(id)) ({ status } = view)
  expect(status).toBe('indexed')
}

const page = (title: string, line: string) => ({
  put: [{ text: title, x: 72, y: 90, size: 18, font: 'bold' as const }, ...prose([line], 72, 130)],
})
const water = (): Blob =>
  new Blob([
    Buffer.from(
      writePdf([
        page('Water report', 'This report is about the water that our plants take and give back.'),
        page('Replenishment', 'The Lindale plant replenished 412 million litres of water in 2023.'),
      ]),
    ),
  ])

/**
 * Adds documents with versions, tags and metadata, a file, and a removed document. One document has no stored tenant,
 * like documents of early versions.
 */
const fill = async (house: House): Promise<void> => {
  const { client } = house
  await client.putCollection('papers', { description: 'Water of the plants, and seals.' })
  await client.addDocument({ name: 'mars.md', title: 'Mars', text: '# Mars\n\nMars is light.', collection: 'planets' })
  const mars = { name: 'mars.md', title: 'Mars', text: '# Mars\n\nMars weighs 6.42e23 kg.', collection: 'planets' }
  await indexed(house, (await client.addDocument(mars)).id)
  const fields = { name: 'water.pdf', collection: 'papers', metadata: { year: '2023' } }
  await indexed(house, (await client.uploadDocument(water(), 'water.pdf', fields)).id)
  const seals = {
    name: 'seals.md',
    title: 'Seals',
    text: '# Seals\n\nThe keeper feeds the harbour seals at noon.',
    access: ['staff'],
  }
  const { id } = await client.addDocument({ ...seals, collection: 'papers' })
  await indexed(house, id)
  const gone = await client.addDocument({ title: 'Sale', text: 'The keeper sold the seals.', collection: 'papers' })
  await indexed(house, gone.id)
  await client.removeDocument(gone.id)
  const revisions = join(dataDir, 'documents', id.slice(-2), id)
  for (const revision of await readdir(revisions)) await rm(join(revisions, revision, 'tenant'))
}

const settings = (): Record<string, string> => ({
  DOCUMENTS_STORE: 's3',
  S3_BUCKET: bucket,
  S3_ENDPOINT: s3.url,
  S3_PREFIX: 'house',
  S3_ACCESS_KEY_ID: serverCredentials.accessKeyId,
  S3_SECRET_ACCESS_KEY: serverCredentials.secretAccessKey,
  QDRANT_URL: qdrant.url,
})
const move = (env: Record<string, string>): Promise<{ code: number | null; told: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'dist', 'local', 'main.mjs'), 'move'], {
      env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, ...settings(), ...env },
    })
    let told = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (told += chunk.toString()))
    child.once('exit', (code) => resolve({ code, told }))
  })

const keysUnder = async (prefix: string): Promise<string[]> => {
  const { Contents = [] } = await s3.client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }))
  return Contents.map(({ Key = '' }) => Key).sort()
}
const puts = (): number => s3.asked.filter(({ method }) => method === 'PUT').length
const pointsWritten = (): number =>
  qdrant.requests.filter(({ method, path }) => method === 'PUT' && /space.*\/points$/.test(path)).length

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, 'tools', 'bootstrap', 'main.mjs'), 'build'])
  folder = await mkdtemp(join(tmpdir(), 'plumbline-move-'))
  dataDir = join(folder, 'data')
  ;[s3, qdrant, redis] = await Promise.all([startS3Server(bucket), startQdrantServer(), startPrivateRedis()])
  const house = await openHouse({ dataDir, env: { CACHE: 'off' } })
  await fill(house)
  stored = Object.fromEntries(
    await Promise.all(
      questions.map(async ([question, collection, says]) => {
        const told = JSON.stringify(await ask(house, question, collection))
        expect(told).toContain(says)
        return [question, told] as const
      }),
    ),
  )
  before = await stateOf(house)
  const running = await move({ DATA_DIR: join(folder, 'other'), REDIS_URL: house.redisUrl })
  expect(running).toMatchObject({ code: 1, told: expect.stringContaining('There is no data folder') as string })
  await mkdir(join(folder, 'other'))
  const alive = await move({ DATA_DIR: join(folder, 'other'), REDIS_URL: house.redisUrl })
  expect(alive).toMatchObject({
    code: 1,
    told: expect.stringMatching(/is running on REDIS_URL: .*\n.*Nothing was moved/) as string,
  })
  await house.close()
}, 180_000)
afterAll(async () => {
  await Promise.all([s3.close(), qdrant.close(), redis.stop()])
  await rm(folder, { recursive: true, force: true })
})

describe('an embedded installation', () => {
  it('is not moved while it runs, or to nowhere', async () => {
    const sleeper: ChildProcess = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'local'])
    await writeFile(join(dataDir, 'running'), `${sleeper.pid} http://127.0.0.1:3000`)
    expect(await move({})).toMatchObject({ code: 1, told: expect.stringContaining('Plumbline runs from') as string })
    sleeper.kill()
    await rm(join(dataDir, 'running'))
    const nowhere = await move({ DOCUMENTS_STORE: '', S3_BUCKET: '', QDRANT_URL: '' })
    expect(nowhere).toMatchObject({ code: 1, told: expect.stringContaining('No destination is set') as string })
    expect([puts(), pointsWritten()]).toEqual([0, 0])
  })

  it(
    'is moved completely, continues after an interruption, and is not copied twice',
    { timeout: 180_000 },
    async () => {
      const moved = { REDIS_URL: redis.url }
      const original = join(folder, 'as it was')
      await cp(dataDir, original, { recursive: true })
      let allowed = 5
      s3.answerInstead((request, response) => {
        if (request.method !== 'PUT' || (allowed -= 1) >= 0) return false
        response.writeHead(503).end()
        return true
      })
      const cut = await move(moved)
      expect(cut).toMatchObject({ code: 1, told: expect.stringContaining('The move is incomplete.') as string })
      expect(cut.told).toContain('Run the same command again to continue.')
      expect(pointsWritten()).toBe(0)
      s3.answerInstead(() => false)
      const already = (await keysUnder('house/')).length
      expect(already).toBeGreaterThan(0)

      const { code, told } = await move(moved)
      expect(told).toMatch(/3 documents in 3 versions are now in the bucket plumbline: (\d+) files, [\d.]+ MB/)
      const [, files, copied] = /: (\d+) files, [\d.]+ MB, (\d+) of these files copied in this run/
        .exec(told)!
        .map(Number)
      expect(files! - copied!).toBeGreaterThanOrEqual(already - 1)
      expect(await keysUnder('house/')).toHaveLength(files!)
      expect(told).toMatch(/\d+ passages of 3 documents are now in Qdrant/)
      expect(told).toMatch(/3 runs and the catalog of documents are now in the Redis at REDIS_URL: \d+ keys/)
      expect(told).toContain('  DOCUMENTS_STORE=s3\n  S3_BUCKET=plumbline\n')
      expect(told).not.toContain(serverCredentials.secretAccessKey + '\n')
      expect(told).toContain('REDIS_URL=…')
      expect(code).toBe(0)

      const [putBefore, pointsBefore] = [puts(), pointsWritten()]
      const again = await move(moved)
      expect(again).toMatchObject({
        code: 0,
        told: expect.stringContaining(', 0 of these files copied in this run') as string,
      })
      expect(again.told).toContain('were moved earlier')
      expect([puts(), pointsWritten()]).toEqual([putBefore, pointsBefore])
      expect(await readdir(join(dataDir, 'documents'))).toEqual(await readdir(join(original, 'documents')))
    },
  )

  it('is not moved into a Redis that holds another one', async () => {
    const other = await startPrivateRedis()
    await promisify(execFile)('redis-cli', ['-p', `${other.port}`, 'set', 'theirs', '1'])
    const { code, told } = await move({ REDIS_URL: other.url })
    expect([code, told]).toEqual([1, expect.stringContaining('is not empty')])
    await other.stop()
  })

  describe('that was moved', () => {
    let house: House
    beforeAll(async () => {
      const env = { ...settings(), CACHE: 'off', REDIS_URL: redis.url }
      house = await openHouse({ env })
    })
    afterAll(() => house.close())

    it(
      'has every document, version, tag, collection and run, and answers as before',
      { timeout: 180_000 },
      async () => {
        expect(await stateOf(house)).toEqual(before)
        const searched = () => qdrant.requests.filter(({ path }) => path.endsWith('/points/query')).length
        const searchedBefore = searched()
        for (const [question, collection] of questions)
          expect(JSON.stringify(await ask(house, question, collection))).toBe(stored[question])
        expect(searched()).toBeGreaterThan(searchedBefore)
        expect(qdrant.faults).toEqual([])
      },
    )

    it(
      'takes a new file, shows its page and removes all of it, in the bucket alone',
      { timeout: 180_000 },
      async () => {
        const { client } = house
        await client.putCollection('new', { description: 'What came after the move.' })
        const { id } = await client.uploadDocument(water(), 'new.pdf', { name: 'new.pdf', collection: 'new' })
        await indexed(house, id)
        expect(JSON.stringify(await ask(house, questions[1][0], 'new'))).toContain('412')
        const png = Buffer.from(await (await client.pageImage(id, 1)).arrayBuffer())
        expect(png.subarray(1, 4).toString()).toBe('PNG')
        expect((await keysUnder(`house/t-default/${id}/`)).map((key) => key.split('/').slice(4).join('/'))).toEqual([
          'original',
          'original.json',
          'pages/1.json',
          'pages/1.png',
          'parsed.json',
          'record.json',
        ])
        await client.removeDocument(id)
        expect(await keysUnder(`house/t-default/${id}/`)).toEqual([])
        expect(JSON.stringify(await ask(house, questions[1][0], 'new'))).not.toContain('412')
      },
    )

    it(
      'refuses uploads while the bucket is away, and ingests what it has once it is back',
      { timeout: 180_000 },
      async () => {
        const down = (which: (request: { method?: string; url?: string }) => boolean) =>
          s3.answerInstead((request, response) => {
            if (!which(request)) return false
            response.writeHead(500).end()
            return true
          })
        let refusedReads = 0
        down(({ method, url = '' }) => method === 'GET' && url.includes('/original') && (refusedReads += 1) > 0)
        const text = '# Otters\n\nThe otters sleep in the boathouse.'
        const { id } = await house.client.addDocument({ name: 'otters.md', title: 'Otters', text, collection: 'new' })
        await expect.poll(() => refusedReads, { timeout: 20_000 }).toBeGreaterThan(3)
        down(() => true)
        const refused = await fetch(`${house.url}/v1/documents`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ title: 'Another', text: 'Another.', collection: 'new' }),
        })
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
        const health = await fetch(`${house.url}/readyz`)
        expect([health.status, await health.json()]).toEqual([
          200,
          expect.objectContaining({ documents: expect.stringContaining('does not answer') as string }),
        ])
        expect(['queued', 'processing']).toContain((await house.client.document(id)).status)
        s3.answerInstead(() => false)
        await indexed(house, id)
        expect(JSON.stringify(await ask(house, 'Where do the otters sleep?', 'new'))).toContain('boathouse')
        const { items } = await house.client.documents({ collection: 'new' })
        expect(items.map(({ name }) => name)).toEqual(['otters.md'])
      },
    )
  })
})
