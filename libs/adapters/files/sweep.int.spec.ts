import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Revision } from '@plumbline/ports/document-store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serverCredentials, startS3Server } from '../s3/spec/s3-server'
import { type DocumentFiles, openDocumentFiles } from './document-files'

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

describe.each(['folder', 's3'] as const)('the sweep of a %s store', (kind) => {
  let files: DocumentFiles
  let close: () => Promise<void>
  beforeEach(async () => {
    const dir = await mkdtemp(join(tmpdir(), 'plumbline-sweep-'))
    const s3 = kind === 's3' ? await startS3Server('kept') : undefined
    const bucket = { store: 's3' as const, bucket: 'kept', endpoint: s3?.url, credentials: serverCredentials }
    files = await openDocumentFiles(dir, s3 ? bucket : { store: 'folder' })
    close = async () => {
      await files.close()
      await s3?.close()
      await rm(dir, { recursive: true, force: true })
    }
  })
  afterEach(() => close())

  const keep = async (where: Revision): Promise<void> => {
    const received = await files.receive('text', { bytes: 10 }, never)
    await received.keep(where, { name: 'a' })
    await received.discard()
  }

  it('deletes files of deleted documents and of replaced revisions, and keeps files that the catalog has lost', async () => {
    const record = { acceptedAt: 1, access: ['hr'], source: { kind: 'text' as const }, document: { collection: 'c' } }
    const put = async (id: string, revision: string, acceptedAt: number): Promise<void> => {
      const received = await files.receive('text', { bytes: 10 }, never)
      await received.keep({ ...of, id, revision }, { name: 'a' }, { ...record, acceptedAt })
      await received.discard()
    }
    for (const id of ['d1', 'd2', 'd3']) await put(id, 'v1', 1)
    await put('d2', 'v0', 0)
    await put('d2', 'v2', 3)
    await files.remove({ ...of, id: 'd3' })
    await put('d3', 'v1', 1)
    await put('d3', 'v2', 2)
    const fileState = (id: string) => Promise.resolve(id === 'd2' ? { ...stateOf('v1'), acceptedAt: 1 } : null)
    const left = async () => {
      const found: string[] = []
      for await (const { id, revision, record } of files.unknown({ fileState, untouchedMs: -1, signal: never }))
        found.push(`${id}.${revision} ${record?.access.join()}`)
      return found.sort()
    }
    expect(await files.sweep({ ...sweeping, fileState, untouchedMs: 60_000 })).toEqual({ removed: 0, unknown: 0 })
    // The sweep removes the deleted revision of d3 and the replaced revision of d2.
    expect(await files.sweep({ ...sweeping, fileState })).toEqual({ removed: 2, unknown: 3 })
    expect(await left()).toEqual(['d1.v1 hr', 'd2.v2 hr', 'd3.v2 hr'])
    expect(await files.sweep({ ...sweeping, fileState })).toEqual({ removed: 0, unknown: 3 })
    expect(await files.sweep({ ...sweeping, fileState, keepUnknownMs: -1 })).toEqual({ removed: 3, unknown: 0 })
    expect([await left(), (await files.original({ ...of, id: 'd2' }))?.bytes]).toEqual([[], 4])
  })

  it('keeps every file if the catalog knows no document at all', async () => {
    for (const id of ['d1', 'd2']) await keep({ ...of, id })
    const fileState = () => Promise.resolve(null)
    for (let n = 0; n < 2; n += 1)
      expect(await files.sweep({ ...sweeping, fileState, keepUnknownMs: -1 })).toEqual({ removed: 0, unknown: 2 })
  })

  it('copies the record of the catalog next to an original that has none, but never to another revision', async () => {
    await keep(of)
    await keep({ ...of, revision: 'v2' })
    const state = { ...stateOf('v2'), served: 'v1', document: { collection: 'c', access: ['hr'] } }
    expect(await files.sweep({ ...sweeping, fileState: () => Promise.resolve(state) })).toEqual({
      removed: 0,
      unknown: 0,
    })
    const found: unknown[] = []
    const fileState = () => Promise.resolve(null)
    for await (const { revision, record } of files.unknown({ fileState, untouchedMs: -1, signal: never }))
      found.push([revision, record?.access, record?.document])
    expect(found.sort()).toEqual([
      ['v1', undefined, undefined],
      ['v2', ['hr'], { collection: 'c' }],
    ])
  })
})
