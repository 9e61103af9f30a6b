import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDocumentFiles, type DocumentFiles } from './document-files'

const never = new AbortController().signal
let dir: string
let files: DocumentFiles
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plumbline-files-'))
  files = await openDocumentFiles(dir)
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const stored = async (): Promise<string[]> =>
  (await readdir(dir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
async function* pieces(count: number, size: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < count; n += 1) yield await Promise.resolve(new Uint8Array(size).fill(n))
}

describe('the folder of documents', () => {
  it('takes a stream in, measured, and gives it back under its document', async () => {
    const whole = Buffer.concat(Array.from({ length: 10 }, (_, n) => Buffer.alloc(1_000, n)))
    const received = await files.receive(pieces(10, 1_000), { bytes: 10_000 }, never)
    expect(received).toMatchObject({ bytes: 10_000, digest: createHash('sha256').update(whole).digest('hex') })
    expect(await files.original('d1', 'v1')).toBeNull()
    await received.keep('d1', 'v1', { name: 'a.pdf', mediaType: 'application/pdf' })
    await received.discard()
    expect(await files.original('d1', 'v1')).toMatchObject({
      name: 'a.pdf',
      mediaType: 'application/pdf',
      bytes: 10_000,
      digest: received.digest,
    })
    expect(await stored()).toEqual(['original', 'original.json'])
  })

  it('leaves nothing of a stream that is too large, breaks off or is not kept', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* pieces(2, 10)
      throw new Error('cut')
    }
    await expect(files.receive(pieces(11, 1_000), { bytes: 10_000 }, never)).rejects.toMatchObject({
      reason: 'too-large',
    })
    await expect(files.receive(broken(), { bytes: 10_000 }, never)).rejects.toThrow('cut')
    await expect(files.receive(pieces(2, 10), { bytes: 10_000 }, AbortSignal.abort(new Error('stop')))).rejects.toThrow(
      'stop',
    )
    await (await files.receive('text', { bytes: 10 }, never)).discard()
    expect(await stored()).toEqual([])
  })

  it.each(['../d1', 'd1/..', '', 'D1', 'd1\0', 'a'.repeat(65)])('makes no path of what is no id: %j', async (id) => {
    await expect(Promise.resolve().then(() => files.parsed(id, 'v1'))).rejects.toMatchObject({ code: 'document.id' })
    await expect(Promise.resolve().then(() => files.remove(id))).rejects.toMatchObject({ code: 'document.id' })
  })

  it('takes a file that was written by half for none', async () => {
    await (await files.receive('text', { bytes: 10 }, never)).keep('d1', 'v1', { name: 'a' })
    await files.putParsed('d1', 'v1', { markup: 'text', parts: [{ text: 'text' }] })
    expect(await files.parsed('d1', 'v1')).toEqual({ markup: 'text', parts: [{ text: 'text' }] })
    await writeFile(join(dir, 'd1', 'd1', 'v1', 'parsed.json'), '{"markup":"te')
    expect(await files.parsed('d1', 'v1')).toBeNull()
    await truncate(join(dir, 'd1', 'd1', 'v1', 'original'), 1)
    expect(await files.original('d1', 'v1')).toBeNull()
  })

  it('gives vectors back for the texts and the space they were made of, and for no other', async () => {
    await (await files.receive('text', { bytes: 10 }, never)).keep('d1', 'v1', { name: 'a' })
    const of = { space: 'm', texts: ['one', 'two'] }
    const vectors = [new Float32Array([1, 0.5, -2]), new Float32Array([0, 0.25, 9])]
    await files.putVectors('d1', 'v1', 0, of, vectors)
    expect(await files.vectors('d1', 'v1', 0, of)).toEqual(vectors)
    for (const other of [
      { ...of, space: 'n' },
      { ...of, texts: ['onet', 'wo'] },
      { ...of, texts: ['one'] },
    ])
      expect(await files.vectors('d1', 'v1', 0, other)).toBeNull()
    expect(await files.vectors('d1', 'v1', 1, of)).toBeNull()
    const path = join(dir, 'd1', 'd1', 'v1', 'vectors', '0.bin')
    await truncate(path, 90)
    expect(await files.vectors('d1', 'v1', 0, of)).toBeNull()
    await files.dropVectors('d1', 'v1')
    expect(await stored()).toEqual(['original', 'original.json'])
  })

  it('clears away what processes that died left, once nobody touches it', async () => {
    await (await files.receive('text', { bytes: 10 }, never)).keep('d1', 'v1', { name: 'a' })
    await writeFile(join(dir, 'incoming', 'x.tmp'), 'half')
    await writeFile(join(dir, 'd1', 'd1', 'v1', 'parsed.json.x.tmp'), 'half')
    const sweep = (untouchedMs: number) =>
      files.sweep({ needed: () => Promise.resolve(['v1']), untouchedMs, signal: never })
    expect(await sweep(60_000)).toEqual({ removed: 0, unknown: 0 })
    expect(await sweep(-1)).toEqual({ removed: 2, unknown: 0 })
    expect(await stored()).toEqual(['original', 'original.json'])
  })

  it('throws no document away on the word of a catalog that knows none of them', async () => {
    for (const id of ['d1', 'd2'])
      await (await files.receive('text', { bytes: 10 }, never)).keep(id, 'v1', { name: 'a' })
    const sweep = (known: string) =>
      files.sweep({ needed: (id) => Promise.resolve(id === known ? ['v1'] : []), untouchedMs: -1, signal: never })
    expect(await sweep('d3')).toEqual({ removed: 0, unknown: 2 })
    expect(await files.original('d1', 'v1')).not.toBeNull()
    expect(await sweep('d2')).toEqual({ removed: 1, unknown: 0 })
    expect([await files.original('d1', 'v1'), (await files.original('d2', 'v1'))?.bytes]).toEqual([null, 4])
  })

  it('writes nothing for a document that was removed meanwhile', async () => {
    await (await files.receive('text', { bytes: 10 }, never)).keep('d1', 'v1', { name: 'a' })
    await files.remove('d1')
    await expect(files.putParsed('d1', 'v1', { markup: 'text', parts: [] })).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(files.putVectors('d1', 'v1', 0, { space: 'm', texts: [] }, [])).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })
})
