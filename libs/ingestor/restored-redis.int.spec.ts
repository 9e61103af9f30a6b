import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adoptUnknown, findUnknown } from '@plumbline/adapters/files/adopt'
import { type DocumentFiles, openDocumentFiles } from '@plumbline/adapters/files/document-files'
import { removeDocument } from '@plumbline/adapters/files/removal'
import { acceptDocument } from '@plumbline/adapters/files/intake'
import { connectFailFast, whenReady } from '@plumbline/adapters/redis/client/client'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { openIngestCatalog } from '@plumbline/adapters/redis/documents/ingest-catalog'
import type { IngestJob } from '@plumbline/adapters/redis/documents/open-documents'
import { serverCredentials, startS3Server } from '@plumbline/adapters/s3/spec/s3-server'
import type { DocumentFields } from '@plumbline/contracts'
import { type PrivateRedis, startPrivateRedis } from '@plumbline/platform'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const never = new AbortController().signal
const tenant = 't'

/** Opens a Redis whose data can be reset to an earlier copy, as after the loss of a node. */
const openRedis = async () => {
  const server: PrivateRedis = await startPrivateRedis({ args: ['--appendonly', 'no'] })
  const copy = join(server.dir, 'earlier.rdb')
  const connect = async () => {
    const redis = connectFailFast(server.url)
    redis.on('error', () => undefined)
    await whenReady(redis, 5_000)
    return { redis, catalog: openCatalog(redis), ingest: openIngestCatalog(redis) }
  }
  let open = await connect()
  return {
    get: () => open,
    snapshot: async (): Promise<void> => {
      await open.redis.call('SAVE')
      await copyFile(join(server.dir, 'dump.rdb'), copy)
    },
    restore: async (): Promise<void> => {
      open.redis.disconnect()
      await server.kill()
      await copyFile(copy, join(server.dir, 'dump.rdb'))
      await server.start()
      open = await connect()
    },
    close: async (): Promise<void> => {
      open.redis.disconnect()
      await server.stop()
    },
  }
}

describe.each(['folder', 's3'] as const)('Redis is restored from an older copy, documents in a %s store', (kind) => {
  let redis: Awaited<ReturnType<typeof openRedis>>
  let dir: string
  let files: DocumentFiles
  const closing: (() => Promise<unknown>)[] = []
  beforeEach(async () => {
    redis = await openRedis()
    dir = await mkdtemp(join(tmpdir(), 'plumbline-restored-'))
    const s3 = kind === 's3' ? await startS3Server('kept') : undefined
    files = await openDocumentFiles(
      dir,
      s3 ? { store: 's3', bucket: 'kept', endpoint: s3.url, credentials: serverCredentials } : { store: 'folder' },
    )
    if (s3) closing.push(() => s3.close())
    closing.push(() => rm(dir, { recursive: true, force: true }))
  })
  afterEach(async () => {
    await files.close()
    await redis.close()
    for (const close of closing.splice(0)) await close()
  })

  const queue = { add: (_: IngestJob) => Promise.resolve() }
  const send = async (name: string, text: string, fields: Partial<DocumentFields> = {}): Promise<string> => {
    const { catalog } = redis.get()
    const all = { collection: 'main', name, ...fields }
    return (await acceptDocument({ catalog, files, queue }, tenant, all, { kind: 'text', text }, { signal: never })).id
  }
  const revisionOf = async (id: string): Promise<string> =>
    (await redis.get().catalog.revisions(tenant, id))?.newest ?? ''
  const remove = (id: string): Promise<void> => {
    const { catalog } = redis.get()
    const removePassages = () => Promise.resolve()
    return removeDocument(
      { catalog, files, removePassages },
      tenant,
      id,
      () => catalog.removeDocument(tenant, id),
      never,
    )
  }
  const sweep = (keepUnknownMs = 60_000) =>
    files.sweep({ ...redis.get().ingest, untouchedMs: -1, keepUnknownMs, signal: never })
  const looking = () => ({ fileState: redis.get().ingest.fileState, untouchedMs: -1, signal: never })
  const unknown = async (): Promise<string[]> => {
    const found: string[] = []
    for await (const { id } of findUnknown(files, looking())) found.push(id)
    return found.sort()
  }
  const adopt = async (): Promise<Record<string, string>> => {
    const found: [string, string][] = []
    const ports = { catalog: redis.get().catalog, files, queue }
    for await (const { id, as } of adoptUnknown(ports, looking())) found.push([id, as])
    return Object.fromEntries(found)
  }

  it('the sweep deletes no original, and the lost documents are adopted with their tags', async () => {
    const kept = await send('kept', 'Kept.')
    const replaced = await send('replaced', 'Old.')
    await redis.snapshot()
    const secret = await send('secret', 'Secret.', { access: ['hr'], title: 'Salaries', metadata: { year: '2026' } })
    await send('replaced', 'New.', { access: ['finance'] })
    const deleted = await send('deleted', 'Deleted.')
    const accepted = [kept, replaced, secret]
    const revisions = await Promise.all(accepted.map(async (id) => ({ tenant, id, revision: await revisionOf(id) })))
    await remove(deleted)
    await redis.restore()
    for (let n = 0; n < 3; n += 1) await sweep()
    const originals = await Promise.all(revisions.map((of) => files.original(of)))
    expect(originals.map((original) => original?.bytes)).toEqual([5, 4, 7])
    expect(await unknown()).toEqual([replaced, secret].sort())
    expect(await adopt()).toEqual({ [replaced]: 'adopted', [secret]: 'adopted' })
    expect(await redis.get().catalog.document(tenant, secret)).toMatchObject({
      title: 'Salaries',
      collection: 'main',
      name: 'secret',
      access: ['hr'],
      metadata: { year: '2026' },
      status: 'queued',
    })
    expect(await redis.get().catalog.document(tenant, replaced)).toMatchObject({ access: ['finance'] })
    expect(await revisionOf(replaced)).toBe(revisions[1]?.revision)
    expect([await unknown(), await adopt()]).toEqual([[], {}])
    expect(await redis.get().catalog.document(tenant, deleted)).toBeNull()
  })

  it('a deleted document is never adopted, even if its files are put back', async () => {
    await send('kept', 'Kept.')
    await redis.snapshot()
    const id = await send('deleted', 'Deleted.')
    const revision = await revisionOf(id)
    await remove(id)
    await redis.restore()
    const received = await files.receive('Deleted.', { bytes: 100 }, never)
    const record = {
      acceptedAt: Date.now(),
      access: [],
      source: { kind: 'text' as const },
      document: { collection: 'main' },
    }
    await received.keep({ tenant, id, revision }, { name: 'text' }, record)
    await received.discard()
    expect([await unknown(), await adopt()]).toEqual([[], {}])
    expect(await sweep()).toEqual({ removed: 1, unknown: 0 })
    expect(await files.original({ tenant, id, revision })).toBeNull()
    const again = await send('deleted', 'Deleted.')
    expect(again).toBe(id)
    await redis.restore()
    expect(await unknown()).toEqual([id])
  })

  it('an original without stored tags is kept and not adopted, but a sweep adds the tags if the catalog knows them', async () => {
    const put = async (id: string, revision: string): Promise<void> => {
      const received = await files.receive('Older.', { bytes: 100 }, never)
      await received.keep({ tenant, id, revision }, { name: 'text' })
      await received.discard()
    }
    const known = await send('known', 'Older.', { access: ['hr'] })
    const of = { tenant, id: known, revision: await revisionOf(known) }
    await files.drop(of)
    await put(of.id, of.revision)
    await put('dlost', 'v1')
    expect(await sweep()).toEqual({ removed: 0, unknown: 1 })
    expect(await adopt()).toEqual({ dlost: 'no-tags' })
    await redis.get().redis.flushall()
    expect(await adopt()).toEqual({ dlost: 'no-tags', [known]: 'adopted' })
    expect(await redis.get().catalog.document(tenant, known)).toMatchObject({ access: ['hr'], name: 'known' })
  })

  it('unknown files are removed only after the set time, which begins when a sweep first sees them', async () => {
    await send('kept', 'Kept.')
    await redis.snapshot()
    const id = await send('lost', 'Lost.')
    await redis.restore()
    expect(await sweep(-1)).toEqual({ removed: 0, unknown: 1 })
    expect(await adopt()).toEqual({ [id]: 'adopted' })
    expect(await sweep(-1)).toEqual({ removed: 0, unknown: 0 })
    await redis.restore()
    expect(await sweep(-1)).toEqual({ removed: 0, unknown: 1 })
    expect(await sweep(60_000)).toEqual({ removed: 0, unknown: 1 })
    expect(await sweep(-1)).toEqual({ removed: 1, unknown: 0 })
  })
})
