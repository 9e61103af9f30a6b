import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { documentStoreContract } from '@plumbline/ports/document-store.contract'
import type { Revision } from '@plumbline/ports/document-store'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { serverCredentials, startS3Server } from '../s3/spec/s3-server'
import { type DocumentFiles, type DocumentsSettings, openDocumentFiles, openDocumentStore } from './document-files'

const bucket = 'kept'
const never = new AbortController().signal
const of: Revision = { tenant: 'default', id: 'd1', revision: 'v1' }

const sweeping = { untouchedMs: -1, keepUnknownMs: 60_000, signal: never }
const stateOf = (newest: string) => ({
  tenant: 'default',
  newest,
  served: null,
  acceptedAt: Date.now(),
  document: { collection: 'c' },
})

let server: Awaited<ReturnType<typeof startS3Server>>
let dir: string
let prefixes = 0
beforeAll(async () => void (server = await startS3Server(bucket)))
afterAll(() => server.close())
beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), 'plumbline-files-'))))
afterEach(() => rm(dir, { recursive: true, force: true }))

const inBucket = (): DocumentsSettings => ({
  store: 's3',
  bucket,
  prefix: `own-${(prefixes += 1)}`,
  endpoint: server.url,
  credentials: serverCredentials,
})

for (const kind of ['folder', 's3'] as const)
  documentStoreContract(kind, async () => {
    const own = await mkdtemp(join(tmpdir(), 'plumbline-store-'))
    const s3 = kind === 's3' ? await startS3Server(bucket) : undefined
    const store = await openDocumentStore(
      own,
      s3
        ? { ...(inBucket() as object), store: 's3', bucket, endpoint: s3.url, credentials: serverCredentials }
        : { store: 'folder' },
    )
    return {
      store,
      close: async () => {
        await store.close()
        await s3?.close()
        await rm(own, { recursive: true })
      },
    }
  })

it('a revision whose folder disappears is reported as gone, and can be stored again', async () => {
  const store = await openDocumentStore(dir, { store: 'folder' })
  const make = () => store.put(of, 'original.json', Buffer.from('{}'))
  await make()
  await rm(join(dir, 'd1'), { recursive: true })
  expect([await store.read(of, 'original.json'), await store.size(of, 'original.json')]).toEqual([null, null])
  await expect(make()).rejects.toMatchObject({ code: 'document.gone' })
  await make()
  expect(await store.read(of, 'original.json')).toEqual(Buffer.from('{}'))
  expect(await store.read({ ...of, tenant: 'other' }, 'original.json')).toBeNull()
  await store.close()
})

async function* pieces(count: number, size: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < count; n += 1) yield await Promise.resolve(new Uint8Array(size).fill(n))
}

describe.each(['folder', 's3'] as const)('documents in a %s store', (kind) => {
  let files: DocumentFiles
  let settings: DocumentsSettings
  beforeEach(async () => {
    settings = kind === 's3' ? inBucket() : { store: 'folder' }
    files = await openDocumentFiles(dir, settings)
  })
  afterEach(() => files.close())

  const keep = async (where: Revision): Promise<void> => {
    const received = await files.receive('text', { bytes: 10 }, never)
    await received.keep(where, { name: 'a' })
    await received.discard()
  }
  const incoming = () => readdir(join(dir, 'incoming'))
  /** Overwrites a stored file with other bytes, as a faulty disk or a manual edit would. */
  const spoil = async (part: string, content: string): Promise<void> => {
    if (settings.store === 'folder') return writeFile(join(dir, 'd1', 'd1', 'v1', part), content)
    const Key = `${settings.prefix}/t-default/d1/v1/${part}`
    await server.client.send(
      new PutObjectCommand({ Bucket: bucket, Key, Body: content, ContentLength: content.length }),
    )
  }

  it('receives and measures a stream, and returns it as the original of its document', async () => {
    const whole = Buffer.concat(Array.from({ length: 10 }, (_, n) => Buffer.alloc(1_000, n)))
    const received = await files.receive(pieces(10, 1_000), { bytes: 10_000 }, never)
    expect(received).toMatchObject({ bytes: 10_000, digest: createHash('sha256').update(whole).digest('hex') })
    expect(await files.original(of)).toBeNull()
    await received.keep(of, { name: 'a.pdf', mediaType: 'application/pdf' })
    await received.discard()
    expect(await files.original(of)).toEqual({
      name: 'a.pdf',
      mediaType: 'application/pdf',
      bytes: 10_000,
      digest: received.digest,
    })
    expect(await incoming()).toEqual([])
  })

  it('leaves no file of a stream that is too large, breaks off or is discarded', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* pieces(2, 10)
      throw new Error('cut')
    }
    await expect(files.receive(pieces(11, 1_000), { bytes: 10_000 }, never)).rejects.toMatchObject({
      reason: 'too-large',
    })
    await expect(files.receive(broken(), { bytes: 10_000 }, never)).rejects.toThrow('cut')
    const stopped = AbortSignal.abort(new Error('stop'))
    await expect(files.receive(pieces(2, 10), { bytes: 10_000 }, stopped)).rejects.toThrow('stop')
    await (await files.receive('text', { bytes: 10 }, never)).discard()
    expect(await incoming()).toEqual([])
  })

  it('treats a half-written file as missing', async () => {
    await keep(of)
    await files.putParsed(of, { markup: 'text', parts: [{ text: 'text' }] })
    expect(await files.parsed(of)).toEqual({ markup: 'text', parts: [{ text: 'text' }] })
    await spoil('parsed.json', '{"markup":"te')
    expect(await files.parsed(of)).toBeNull()
    await spoil('original', 't')
    expect(await files.original(of)).toBeNull()
  })

  it('returns vectors only for the texts and the space they were made from', async () => {
    await keep(of)
    const made = { space: 'm', texts: ['one', 'two'] }
    const vectors = [new Float32Array([1, 0.5, -2]), new Float32Array([0, 0.25, 9])]
    await files.putVectors(of, 0, made, vectors)
    expect(await files.vectors(of, 0, made)).toEqual(vectors)
    for (const other of [
      { ...made, space: 'n' },
      { ...made, texts: ['onet', 'wo'] },
      { ...made, texts: ['one'] },
    ])
      expect(await files.vectors(of, 0, other)).toBeNull()
    expect(await files.vectors(of, 1, made)).toBeNull()
    await spoil('vectors/0.bin', '{"space":"m"}\nhalf')
    expect(await files.vectors(of, 0, made)).toBeNull()
    await files.dropVectors(of)
    expect((await files.original(of))?.bytes).toBe(4)
  })
})

describe('a folder of documents', () => {
  it('reads, writes, sweeps and removes revisions of earlier releases, which stored no tenant', async () => {
    const files = await openDocumentFiles(dir)
    const old: Revision = { tenant: 'default', id: 'dold7x', revision: 'v1' }
    await (await files.receive('text', { bytes: 10 }, never)).keep(old, { name: 'a' })
    await rm(join(dir, '7x', 'dold7x', 'v1', 'tenant'))
    expect((await files.original(old))?.bytes).toBe(4)
    await files.putParsed(old, { markup: 'text', parts: [] })
    expect(await readdir(join(dir, '7x', 'dold7x', 'v1'))).toEqual(['original', 'original.json', 'parsed.json'])
    await (await files.receive('newer', { bytes: 10 }, never)).keep({ ...old, revision: 'v2' }, { name: 'a' })
    const sweep = (keepUnknownMs: number) =>
      files.sweep({ ...sweeping, keepUnknownMs, fileState: () => Promise.resolve(stateOf('v2')) })
    expect(await sweep(60_000)).toEqual({ removed: 0, unknown: 1 })
    expect(await sweep(-1)).toEqual({ removed: 1, unknown: 0 })
    expect([await files.original(old), (await files.original({ ...old, revision: 'v2' }))?.bytes]).toEqual([null, 5])
    await rm(join(dir, '7x', 'dold7x', 'v2', 'tenant'))
    await files.remove(old)
    expect(await readdir(join(dir, '7x'))).toEqual([])
  })

  it('loses only the unfinished files of a process that died', async () => {
    const files = await openDocumentFiles(dir)
    await (await files.receive('text', { bytes: 10 }, never)).keep(of, { name: 'a' })
    await writeFile(join(dir, 'd1', 'd1', 'v1', 'parsed.json.x.tmp'), 'half')
    const sweep = () => files.sweep({ ...sweeping, fileState: () => Promise.resolve(stateOf('v1')) })
    expect(await sweep()).toEqual({ removed: 1, unknown: 0 })
    expect(await readdir(join(dir, 'd1', 'd1', 'v1'))).toEqual(['original', 'original.json', 'record.json', 'tenant'])
    await truncate(join(dir, 'd1', 'd1', 'v1', 'original'), 1)
    expect(await files.original(of)).toBeNull()
  })
})

describe('a bucket of documents', () => {
  const open = async (): Promise<{ files: DocumentFiles; key(part: string): string }> => {
    const settings = inBucket() as DocumentsSettings & { store: 's3' }
    const key = (part: string): string => `${settings.prefix}/t-default/d1/v1/${part}`
    return { files: await openDocumentFiles(dir, settings), key }
  }
  afterEach(() => server.answerInstead(() => false))
  const away = { code: 'documents.unavailable', retry: 'later' }

  it('receives the digest and the size with the bytes, and bytes with another digest are not used', async () => {
    const { files, key } = await open()
    server.asked.length = 0
    const received = await files.receive('text', { bytes: 10 }, never)
    await received.keep(of, { name: 'a' })
    const put = server.asked.find(({ path }) => path.includes('/original?') || path.endsWith('/original'))
    expect(put?.headers).toMatchObject({ 'x-amz-content-sha256': received.digest, 'content-length': '4' })
    const read = () => files.withOriginal(of, never, () => Promise.resolve('used'))
    expect(await read()).toBe('used')
    await server.client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: key('original'),
        Body: 'toxt',
        ContentLength: 4,
        Metadata: { sha256: received.digest },
      }),
    )
    await expect(read()).rejects.toMatchObject(away)
    await server.client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key('original') }))
    expect([await read(), await files.original(of)]).toEqual([null, null])
    expect(await readdir(join(dir, 'incoming'))).not.toContainEqual(expect.stringContaining('toxt'))
  })

  it.each([
    ['is down', 500, 'InternalError'],
    ['is overloaded', 503, 'SlowDown'],
    ['does not know the bucket', 404, 'NoSuchBucket'],
    ['denies access', 403, 'AccessDenied'],
  ])('that %s causes only temporary errors', { timeout: 20_000 }, async (_, status, code) => {
    const { files } = await open()
    await (await files.receive('text', { bytes: 10 }, never)).keep(of, { name: 'a' })
    server.answerInstead((_, response) => {
      response.writeHead(status, { 'content-type': 'application/xml' })
      response.end(`<Error><Code>${code}</Code><Message>no</Message></Error>`)
      return true
    })
    await expect(files.original(of)).rejects.toMatchObject(away)
    await expect(files.withOriginal(of, never, () => Promise.resolve(1))).rejects.toMatchObject(away)
    const received = await files.receive('more', { bytes: 10 }, never)
    await expect(received.keep({ ...of, revision: 'v2' }, { name: 'a' })).rejects.toMatchObject(away)
    await expect(files.check()).rejects.toMatchObject(away)
    await expect(files.remove(of)).rejects.toMatchObject(away)
    server.answerInstead(() => false)
    await files.check()
    expect((await files.original(of))?.bytes).toBe(4)
    await received.keep({ ...of, revision: 'v2' }, { name: 'a' })
    expect(await files.withOriginal({ ...of, revision: 'v2' }, never, () => Promise.resolve('used'))).toBe('used')
  })

  it('stores no interrupted upload, and an interrupted download is not used', async () => {
    const { files } = await open()
    const content = () => pieces(400, 10_000)
    let cuts = 0
    server.answerInstead((request, response) => {
      if (request.method !== 'PUT' || !request.url?.includes('/original')) return false
      cuts += 1
      request.once('data', () => response.destroy())
      return true
    })
    const received = await files.receive(content(), { bytes: 4_000_000 }, never)
    await expect(received.keep(of, { name: 'a' })).rejects.toMatchObject(away)
    expect(cuts).toBe(3)
    server.answerInstead(() => false)
    expect(await files.original(of)).toBeNull()
    await received.keep(of, { name: 'a' })
    await received.discard()
    server.answerInstead((request, response) => {
      if (request.method !== 'GET' || !request.url?.includes('/original?')) return false
      response.writeHead(200, { 'content-length': '4000000' })
      response.write(Buffer.alloc(100_000), () => response.destroy())
      return true
    })
    let used = false
    await expect(files.withOriginal(of, never, () => Promise.resolve((used = true)))).rejects.toMatchObject(away)
    expect([used, await readdir(join(dir, 'incoming'))]).toEqual([false, []])
  })

  it('reports a received file that is lost before it is sent', async () => {
    const { files } = await open()
    const received = await files.receive('text', { bytes: 10 }, never)
    await received.discard()
    await expect(received.keep(of, { name: 'a' })).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await files.original(of)).toBeNull()
  })

  it('keeps no part of a document that is removed while the part is uploaded', async () => {
    const { files, key } = await open()
    await (await files.receive('text', { bytes: 10 }, never)).keep(of, { name: 'a' })
    let removed: Promise<void> | undefined
    server.answerInstead((request) => {
      if (request.method === 'PUT' && request.url?.includes('parsed.json')) removed ??= files.remove(of)
      return false
    })
    await files
      .putParsed(of, { markup: 'text', parts: [] })
      .catch((error: unknown) => expect(error).toMatchObject({ code: 'document.gone' }))
    await removed
    expect([await files.parsed(of), await files.original(of)]).toEqual([null, null])
    expect(key('')).toContain('t-default')
  })

  it('stores and returns a file of 100 MB without holding it whole in memory', { timeout: 120_000 }, async () => {
    const files = await openDocumentFiles(dir, {
      ...(inBucket() as DocumentsSettings & { store: 's3' }),
      endpoint: server.direct,
    })
    // Collects garbage before each measurement. Node releases collected buffers a little later, so the figure is rough.
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const held = (): number => {
      collect()
      collect()
      return process.memoryUsage().arrayBuffers
    }
    const piece = new Uint8Array(100_000).fill(7)
    async function* large(): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 1_000; n += 1) yield await Promise.resolve(piece)
    }
    const before = held()
    let most = 0
    const looking = setInterval(() => void (most = Math.max(most, held() - before)), 500)
    const received = await files.receive(large(), { bytes: 100_000_000 }, never)
    await received.keep(of, { name: 'large' })
    const digest = await files.withOriginal(of, never, () => Promise.resolve(received.digest))
    clearInterval(looking)
    expect(digest).toBe(received.digest)
    expect(most).toBeLessThan(50_000_000)
    await received.discard()
    await files.remove(of)
  })
})
