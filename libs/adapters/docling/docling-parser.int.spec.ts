import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDocling } from './docling-parser'

type Sent = { method: string; path: string; key: string | undefined; form?: FormData }
type Reply = { status?: number; headers?: Record<string, string>; body: unknown }

const never = new AbortController().signal
const submitted = { task_id: 't 1', task_type: 'convert', task_status: 'pending', task_position: 1 }
const ended = (task_status: string): Reply => ({ body: { ...submitted, task_status, task_position: null } })
const prov = (page_no: number) => ({
  prov: [{ page_no, bbox: { l: 0, t: 0, r: 1, b: 1, coord_origin: 'BOTTOMLEFT' }, charspan: [0, 1] }],
})
const brk = '<!-- plumbline: next page -->'
/** Returns a response of docling-serve 1 for one file: Markdown, and JSON that describes the layout. */
const result = (md_content: string, pages: number, placed: number[], status = 'success'): Reply => ({
  body: {
    document: {
      filename: 'scan.pdf',
      md_content,
      html_content: null,
      text_content: null,
      doctags_content: null,
      json_content: {
        schema_name: 'DoclingDocument',
        version: '1.7.0',
        pages: Object.fromEntries(Array.from({ length: pages }, (_, n) => [`${n + 1}`, { page_no: n + 1 }])),
        texts: placed.map(prov),
        tables: [],
        pictures: [],
      },
    },
    status,
    errors:
      status === 'success'
        ? []
        : [{ component_type: 'document_backend', module_name: 'x', error_message: 'page 3 is damaged' }],
    processing_time: 1.5,
    timings: {},
  },
})

let server: Server
let folder: string
let file: { path: string; name: string; mediaType: string }
let sent: Sent[] = []
let replies: Reply[] = []

const bodyOf = async (request: IncomingMessage): Promise<FormData> => {
  const pieces = (await request.toArray()) as Buffer[]
  return new Response(Buffer.concat(pieces), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  }).formData()
}
const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const key = request.headers['x-api-key'] as string | undefined
  sent.push({
    method: request.method ?? '',
    path: request.url ?? '',
    key,
    ...(request.method === 'POST' && { form: await bodyOf(request) }),
  })
  const { status = 200, headers = {}, body } = replies.length > 1 ? replies.shift()! : replies[0]!
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docling-'))
  file = { path: join(folder, 'a'), name: 'scan.pdf', mediaType: 'application/pdf' }
  await writeFile(file.path, '%PDF-1.4 a picture')
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})
afterEach(() => {
  sent = []
})
const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
const parse = (answers: Reply[], { signal = never, timeoutMs = 10_000 } = {}) => {
  replies = answers
  return openDocling({ url: url(), apiKey: 'k', timeoutMs, pauseMs: 1 }).parse(file, signal)
}

describe('docling-serve', () => {
  it('gets the file, is polled until it has ended, and returns separate pages', async () => {
    const text = `# Title\n\n<!-- image -->\n\n${brk}\n\n| a |\n|---|\n| 1 |`
    const document = await parse([
      { body: submitted },
      ended('pending'),
      ended('started'),
      ended('success'),
      result(text, 2, [1, 2, 2]),
    ])
    expect(document).toEqual({
      markup: 'markdown',
      pages: 2,
      notes: ['read by docling'],
      parts: [
        { page: 1, text: '# Title', tables: [] },
        { page: 2, text: '| a |\n|---|\n| 1 |', tables: [{ line: 0, header: [['a']], rows: [['1']] }] },
      ],
    })
    expect(sent.map(({ method, path, key }) => `${method} ${path} ${key}`)).toEqual([
      'POST /v1/convert/file/async k',
      ...Array.from({ length: 3 }, () => 'GET /v1/status/poll/t%201?wait=5 k'),
      'GET /v1/result/t%201 k',
    ])
    const { form } = sent[0]!
    expect(form!.getAll('to_formats')).toEqual(['md', 'json'])
    expect(Object.fromEntries(form!)).toMatchObject({
      do_ocr: 'true',
      image_export_mode: 'placeholder',
      md_page_break_placeholder: brk,
    })
    const part = form!.get('files') as File
    expect([part.name, part.type, await part.text()]).toEqual(['scan.pdf', 'application/pdf', '%PDF-1.4 a picture'])
  })

  it('has the page numbers of the layout if some pages are empty, and none if the numbers are unknown', async () => {
    const gap = await parse([{ body: submitted }, ended('success'), result(`one${brk}four`, 4, [1, 4])])
    expect([gap.pages, gap.parts.map(({ page }) => page)]).toEqual([4, [1, 4]])
    const unsure = await parse([{ body: submitted }, ended('success'), result(`one${brk}two`, 4, [1, 2, 3])])
    expect(unsure.parts.map(({ page }) => page)).toEqual([undefined, undefined])
  })

  it('reports a document that was read only in part', async () => {
    const { notes } = await parse([{ body: submitted }, ended('success'), result('one', 3, [1], 'partial_success')])
    expect(notes).toEqual(['read by docling', 'read in part: page 3 is damaged'])
  })

  it.each<[string, Reply[], string]>([
    ['a failed task', [{ body: submitted }, ended('failure')], 'unreadable'],
    ['a failed document', [{ body: submitted }, ended('success'), result('', 1, [], 'failure')], 'unreadable'],
    ['a scan without text', [{ body: submitted }, ended('success'), result('<!-- image -->', 1, [])], 'no-text'],
    ['422', [{ status: 422, body: { detail: 'no' } }], 'unreadable'],
    ['413', [{ status: 413, body: {} }], 'too-large'],
    ['a wrong key', [{ status: 401, body: {} }], 'unreadable'],
    ['another server', [{ body: { hello: 'world' } }], 'unreadable'],
    ['an address that is not its own', [{ status: 404, body: {} }], 'unreadable'],
    ['a server of another kind', [{ status: 405, body: {} }], 'unreadable'],
  ])('refuses %s in words', async (_, answers, reason) => {
    const error = await parse(answers).catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      name: 'AppError',
      retry: 'never',
      reason,
      words: expect.stringMatching(/^[A-Z].*\.$/) as string,
    })
  })

  it('is retried later if the service is down, busy or has lost the task', async () => {
    await expect(parse([{ status: 503, headers: { 'retry-after': '30' }, body: {} }])).rejects.toMatchObject({
      code: 'docling.unavailable',
      retry: 'later',
      notBefore: expect.any(Number) as number,
    })
    await expect(
      parse([{ body: submitted }, { status: 404, body: { detail: 'Task not found.' } }]),
    ).rejects.toMatchObject({ retry: 'later' })
    await expect(parse([{ body: submitted }, ended('pending')], { timeoutMs: 200 })).rejects.toMatchObject({
      code: 'docling.busy',
      retry: 'later',
    })
    await expect(parse([{ status: 307, headers: { location: `${url()}elsewhere` }, body: {} }])).rejects.toMatchObject({
      code: 'docling.unreachable',
      retry: 'later',
    })
    expect(sent.filter(({ path }) => path === '/elsewhere')).toEqual([])
    await expect(openDocling({ url: 'http://127.0.0.1:1', timeoutMs: 2_000 }).parse(file, never)).rejects.toMatchObject(
      { code: 'docling.unreachable', retry: 'later' },
    )
  })

  it('fails if a task is not finished within the timeout, and stops when the signal aborts', async () => {
    await expect(parse([{ body: submitted }, ended('started')], { timeoutMs: 200 })).rejects.toMatchObject({
      reason: 'too-slow',
    })
    const stop = new AbortController()
    const stopped = parse([{ body: submitted }, ended('started')], { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('not wanted')), 50)
    await expect(stopped).rejects.toThrow('not wanted')
  })
})
