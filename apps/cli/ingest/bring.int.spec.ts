import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClient, ProblemError } from '@plumbline/client'
import type { DocumentView } from '@plumbline/contracts'
import { bring } from './bring'
import type { Found } from './find'

const view = (over: Partial<DocumentView> = {}): DocumentView => ({
  id: 'd1', title: 'T', collection: 'c', status: 'queued', progress: { passages: 0, percent: 0 }, createdAt: '', updatedAt: '', ...over,
})
const indexed = view({ status: 'indexed', progress: { passages: 3, percent: 100, pages: 2, ofPages: 2 } })
const problem = (status: number, detail = 'No.') => ({ type: 'urn:plumbline:problem:x', title: 'X', status, detail })

type Answer = (response: ServerResponse) => void
const say = (status: number, body: unknown, headers = {}): Answer => (response) => void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const stream = (...views: DocumentView[]): Answer => (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [at, one] of views.entries()) response.write(`id: ${at}\nevent: document\ndata: ${JSON.stringify(one)}\n\n`)
  response.end()
}

let server: Server
let folder: string
let one: Found
const asked: string[] = []
const script = new Map<string, Answer[]>()
const key = ({ method, url }: IncomingMessage): string => `${method} ${url}`
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-bring-'))
  await writeFile(join(folder, 'a.md'), '# A')
  one = { kind: 'file', path: join(folder, 'a.md'), name: 'deep/a.md', bytes: 3, format: 'markdown' }
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      asked.push(key(request))
      script.get(key(request))?.shift()?.(response) ?? response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  asked.length = 0
  script.clear()
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

const brought = (what: Found = one) => {
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const waits: string[] = []
  const told: string[] = []
  const stopping = new AbortController()
  const options = { places: [], collection: 'c', metadata: {}, access: [], concurrency: 1, dryRun: false, url }
  const over = bring(what, { client: createClient({ url }), options, stopping: stopping.signal, told: (_, { status }) => told.push(status), waits: (words) => waits.push(words) })
  return { over, waits, told, stopping }
}
const post = 'POST /v1/documents'
const events = 'GET /v1/documents/d1/events'

describe('a document on its way', () => {
  it('is followed to its end', async () => {
    script.set(post, [say(202, { ...view(), taken: 'new' })]).set(events, [stream(view({ status: 'processing', task: 'parse' }), indexed)])
    const { over, told } = brought()
    expect(await over).toEqual({ name: 'deep/a.md', format: 'markdown', outcome: 'new', pages: 2, passages: 3, notes: [] })
    expect(told).toEqual(['queued', 'processing', 'indexed'])
  })

  it('waits as long as a full gateway asks, and for one that is away for a moment', async () => {
    script.set(post, [say(429, problem(429), { 'retry-after': '2' }), (response) => void response.destroy(), say(202, { ...view(), taken: 'replaces' })]).set(events, [stream(indexed)])
    const since = Date.now()
    const { over, waits } = brought()
    expect(await over).toMatchObject({ outcome: 'replaces' })
    expect(Date.now() - since).toBeGreaterThanOrEqual(3_900)
    expect(waits).toEqual(['the gateway is busy', 'the gateway does not answer'])
  })

  it('that failed before and is brought again is tried again', async () => {
    script.set(post, [say(200, { ...view({ status: 'failed', error: 'Old.' }), taken: 'unchanged' })]).set('POST /v1/documents/d1/retry', [say(202, view())]).set(events, [stream(indexed)])
    expect(await brought().over).toMatchObject({ outcome: 'new', passages: 3 })
    expect(asked).toEqual([post, 'POST /v1/documents/d1/retry', events])
  })

  it('that is refused or fails is told with its reason and page, and the next goes on', async () => {
    script.set(post, [say(415, problem(415, 'Not this.')), say(202, { ...view(), taken: 'new' })]).set(events, [stream(view({ status: 'failed', error: 'No text.', problem: { code: 'document.no-text', page: 4 } }))])
    expect(await brought().over).toMatchObject({ outcome: 'failed', error: 'Not this.' })
    expect(await brought().over).toMatchObject({ outcome: 'failed', error: 'No text.', page: 4 })
    expect(await brought({ ...one, path: join(folder, 'gone.md') } as Found).over).toMatchObject({ outcome: 'failed', error: expect.stringContaining('cannot be read') as string })
  })

  it('stops for a key that may not, and when it is told to', async () => {
    script.set(post, [say(401, problem(401)), say(503, problem(503), { 'retry-after': '60' })])
    await expect(brought().over).rejects.toBeInstanceOf(ProblemError)
    const { over, waits, stopping } = brought()
    await expect.poll(() => waits.length).toBe(1)
    stopping.abort(new Error('interrupted'))
    await expect(over).rejects.toThrow()
  })
})
