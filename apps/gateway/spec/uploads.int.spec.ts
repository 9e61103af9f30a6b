import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCatalog, type Catalog } from '@plumbline/adapters/redis/documents/catalog'
import { ProblemError } from '@plumbline/client'
import type { Revision } from '@plumbline/ports/document-store'
import { openHouse, post, type House } from './house.spec'

const maxFileMb = 30
let house: House
let catalog: Catalog
beforeAll(async () => {
  house = await openHouse({ maxFileMb })
  catalog = openCatalog(house.redis)
})
afterAll(() => house.close())

const revisionOf = async (id: string): Promise<Revision> => {
  const { newest = '' } = (await catalog.revisions('default', id)) ?? {}
  return { tenant: 'default', id, revision: newest }
}
const form = (fields: [string, string | Blob, string?][]): FormData => {
  const form = new FormData()
  for (const [name, value, filename] of fields) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, filename)
  }
  return form
}
const send = (body: FormData) => fetch(`${house.url}/v1/documents`, { method: 'POST', body })
const refusal = async (promise: Promise<unknown>) => {
  const error = await promise.catch((error: unknown) => error)
  if (!(error instanceof ProblemError)) throw new Error('not refused', { cause: error })
  return error.problem
}

describe('a file', () => {
  it('is kept byte for byte with its name and media type, whatever its format', async () => {
    const bytes = new Uint8Array(500_000).map((_, at) => (at * 31) % 251)
    const view = await house.client.uploadDocument(
      new Blob([bytes], { type: 'application/pdf' }),
      'Größe der Wörter.pdf',
      { name: 'reports/words.pdf', date: '2024-06-30' },
    )
    expect(view).toMatchObject({
      taken: 'new',
      status: 'queued',
      format: 'pdf',
      name: 'reports/words.pdf',
      date: '2024-06-30',
      source: { kind: 'file', file: 'Größe der Wörter.pdf', bytes: 500_000 },
    })
    const of = await revisionOf(view.id)
    expect(await house.files.original(of)).toMatchObject({
      name: 'Größe der Wörter.pdf',
      mediaType: 'application/pdf',
      bytes: 500_000,
      digest: createHash('sha256').update(bytes).digest('hex'),
    })
    const kept = await house.files.withOriginal(of, AbortSignal.timeout(5_000), (path) => readFile(path))
    expect(new Uint8Array(kept ?? [])).toEqual(bytes)
  })

  it('sent again unchanged is the same document without new work; changed it is a new version of it', async () => {
    const upload = (text: string, fields = {}) =>
      send(
        form([
          ['name', 'notes.md'],
          ...(Object.entries(fields) as [string, string][]),
          ['file', new Blob([text]), 'notes.md'],
        ]),
      )
    const read = async (response: Response) => ({
      ...((await response.json()) as { id: string; taken: string }),
      status: response.status,
      at: response.headers.get('location'),
    })
    const first = await read(await upload('One.'))
    expect(first).toMatchObject({ status: 202, taken: 'new', at: `/v1/documents/${first.id}` })
    expect(await read(await upload('One.'))).toMatchObject({ status: 200, taken: 'unchanged', id: first.id })
    expect(await read(await upload('Two.'))).toMatchObject({ status: 202, taken: 'replaces', id: first.id })
    expect(await read(await upload('Two.', { access: 'staff' }))).toMatchObject({
      status: 202,
      taken: 'replaces',
      id: first.id,
    })
  })

  it('is recognized by its name, if its file has none', async () => {
    const unnamed = new Blob(['# Notes'])
    expect((await send(form([['file', unnamed, 'notes']]))).status).toBe(415)
    const response = await send(
      form([
        ['name', 'notes.md'],
        ['file', unnamed, 'notes'],
      ]),
    )
    expect(await response.json()).toMatchObject({ name: 'notes.md', format: 'markdown' })
  })

  it('without a name is named by what it holds', async () => {
    const upload = (filename: string) => house.client.uploadDocument(new Blob(['The same.']), filename)
    const [one, two] = [await upload('one.txt'), await upload('one.txt')]
    expect(two).toMatchObject({ id: one.id, taken: 'unchanged' })
  })

  it('takes its fields before or after it, and lists as JSON or one by one', async () => {
    const older = (await house.client.addDocument({ title: 'Older', text: 'Old.' })).id
    const response = await send(
      form([
        ['access', 'staff'],
        ['file', new Blob(['New.']), 'new.txt'],
        ['access', 'board'],
        ['supersedes', JSON.stringify([older])],
        ['metadata', '{"year":"2024"}'],
        ['title', 'Newer'],
      ]),
    )
    expect(await response.json()).toMatchObject({
      title: 'Newer',
      access: ['staff', 'board'],
      supersedes: [older],
      metadata: { year: '2024' },
    })
  })

  it('that amends a missing document is refused, and nothing of it remains', async () => {
    const before = (await house.client.documents()).items.length
    const unknown = `d${'0'.repeat(24)}`
    expect(
      await refusal(house.client.uploadDocument(new Blob(['x']), 'x.txt', { supersedes: [unknown] })),
    ).toMatchObject({
      status: 422,
      type: 'urn:plumbline:problem:unknown-document',
      errors: [{ field: 'supersedes.0' }],
    })
    expect((await house.client.documents()).items.length).toBe(before)
  })

  it.each([
    ['a field nobody knows', [['colour', 'red']], 'colour', 'there is no such field'],
    ['metadata that is no JSON', [['metadata', '{']], 'metadata', 'JSON'],
    [
      'metadata beyond all bounds',
      [['metadata', JSON.stringify({ a: 'b'.repeat(70_000) })]],
      'metadata',
      '65,536 bytes',
    ],
    [
      'metadata of very many words',
      [['metadata', JSON.stringify(Object.fromEntries(Array.from({ length: 65 }, (_, nth) => [`k${nth}`, 'v'])))]],
      'metadata',
      '64',
    ],
    ['a day that is none', [['date', '2024-13-01']], 'date', '2024-06-30'],
    ['a tag that is none', [['access', 'a b']], 'access.0', 'letters'],
    [
      'a word of metadata that is half a character',
      [['metadata', '{"a":"\\ud800"}']],
      'metadata.a',
      'incomplete characters',
    ],
    [
      'a name of metadata beyond all bounds',
      [['metadata', `{"${'a'.repeat(65)}":"b"}`]],
      `metadata.${'a'.repeat(65)}`,
      '64 characters',
    ],
    ['a name beyond all bounds', [['name', 'a'.repeat(501)]], 'name', '500 characters'],
    ['a second file', [['file', new Blob(['y']), 'y.txt']], 'file', 'one file'],
  ] as [string, [string, string | Blob, string?][], string, string][])(
    'with %s is refused',
    async (_, fields, field, fix) => {
      const response = await send(form([...fields, ['file', new Blob(['x']), 'x.txt']]))
      const { errors } = (await response.json()) as { errors: { field: string; message: string }[] }
      expect([response.status, errors]).toEqual([400, [{ field, message: expect.stringContaining(fix) as string }]])
    },
  )
})

describe('a form', () => {
  const part = (head: string, body: string): string =>
    `--x\r\ncontent-disposition: form-data; ${head}\r\n\r\n${body}\r\n`
  const json = 'content-type: application/json'
  const file = part('name="file"; filename="form.txt"', 'In a form.')
  const sent = async (body: string, type = 'multipart/form-data; boundary=x'): Promise<object> => {
    const response = await fetch(`${house.url}/v1/documents`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    return (await response.json()) as object
  }

  it('may say that its lists and metadata are JSON', async () => {
    const fields = part(`name="metadata"\r\n${json}`, '{"year":"2024"}') + part(`name="access"\r\n${json}`, '["staff"]')
    expect(await sent(`${fields}${file}--x--`)).toMatchObject({
      taken: 'new',
      metadata: { year: '2024' },
      access: ['staff'],
    })
  })

  it.each([
    ['names no boundary', `${file}--x--`, 'multipart/form-data', 'boundary'],
    ['has a boundary no parser takes', `${file}--x--`, `multipart/form-data; boundary=${'x'.repeat(300)}`, 'boundary'],
    ['ends before its end', part('name="file"; filename="half.txt"', 'Half of'), undefined, 'ends before'],
    [
      'sends a file without its name',
      `${part('name="file"\r\ncontent-type: application/octet-stream', 'Bytes.')}--x--`,
      undefined,
      'name of the file',
    ],
    [
      'has a field that is no JSON though it says so',
      `${part(`name="metadata"\r\n${json}`, '{')}${file}--x--`,
      undefined,
      'application/json',
    ],
    ['has a field named as every object has one', `${part('name="__proto__"', 'x')}${file}--x--`, undefined, 'name'],
    ['has more fields than any document', `${part('name="access"', 'a').repeat(200)}${file}--x--`, undefined, '140'],
  ])('that %s is refused in words', async (_, body, type, words) => {
    expect(await sent(body, type)).toMatchObject({ status: 400, detail: expect.stringContaining(words) as string })
  })
})

describe('a large file', () => {
  /** Returns the bytes of incoming files on disk. */
  const kept = async (): Promise<number> => {
    const incoming = join(house.dataDir, 'documents', 'incoming')
    const sizes = await Promise.all(
      (await readdir(incoming)).map((name) =>
        stat(join(incoming, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  /** Uploads a file of `bytes` bytes in pieces, without a Content-Length header. */
  const pour = async (
    bytes: number,
    halfWay: () => Promise<void> = () => Promise.resolve(),
  ): Promise<{ status: number; body: string }> => {
    const call = request(`${house.url}/v1/documents`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    const answered = once(call, 'response') as Promise<[IncomingMessage]>
    call.write('--x\r\ncontent-disposition: form-data; name="file"; filename="large.txt"\r\n\r\n')
    const piece = Buffer.alloc(62_500, 'a')
    for (let sent = 0; sent < bytes; sent += piece.length) {
      // Stop when the response arrives, because the gateway then reads no more data.
      if (!call.write(piece) && (await Promise.race([once(call, 'drain').then(() => false), answered]))) break
      if (sent === Math.floor(bytes / 2 / piece.length) * piece.length) await halfWay()
    }
    call.end('\r\n--x--\r\n')
    const [response] = await answered
    return { status: response.statusCode ?? 0, body: await text(response) }
  }

  it('is written to disk while it arrives, and is refused and deleted if it is too large', async () => {
    const taken = await pour(25_000_000, () => expect.poll(kept).toBeGreaterThan(10_000_000))
    expect(taken.status).toBe(202)
    const refused = await pour((maxFileMb + 5) * 1_000_000)
    expect(refused.status).toBe(413)
    expect(refused.body).toContain('30 MB')
    await expect.poll(kept).toBe(0)
  })

  it('that declares a size over the limit is refused before it is sent', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 90_000_000 }
      const call = request(`${house.url}/v1/documents`, { method: 'POST', headers }, (response) =>
        resolve(response.resume().statusCode),
      )
      call.on('error', reject)
      call.flushHeaders()
    })
    expect(status).toBe(413)
  })

  it('that breaks off leaves no document and nothing on the disk', async () => {
    const before = (await house.client.documents({ limit: 100 })).items.length
    const call = request(`${house.url}/v1/documents`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    call.write(`--x\r\ncontent-disposition: form-data; name="file"; filename="half.txt"\r\n\r\n${'a'.repeat(200_000)}`)
    await expect.poll(kept).toBeGreaterThan(100_000)
    call.once('error', () => undefined).destroy()
    await expect.poll(kept).toBe(0)
    expect((await house.client.documents({ limit: 100 })).items.length).toBe(before)
  })
})

describe('a page of the web', () => {
  it('is taken by its address, which names it', async () => {
    const first = await house.client.addDocument({ url: 'https://example.org/a page' })
    expect(first).toMatchObject({ status: 'queued', source: { kind: 'url' } })
    expect((await house.client.addDocument({ url: 'https://example.org/a page' })).id).toBe(first.id)
  })

  it('may have an address longer than any name', async () => {
    const url = `https://example.org/?q=${'a'.repeat(1_900)}`
    expect(await house.client.addDocument({ url })).toMatchObject({ name: url, source: { url } })
    expect((await house.client.documents()).items).toContainEqual(expect.objectContaining({ name: url }))
  })

  it.each([
    { url: 'ftp://example.org/x' },
    { url: 'example.org' },
    { url: 'javascript:alert(1)' },
    { url: 'https://example.org', text: 'both' },
    {},
  ])('sent as %j is refused', async (body) => {
    expect((await post(house.url, '/v1/documents', body)).status).toBe(400)
  })
})
