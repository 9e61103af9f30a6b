import { appendFile, mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createClient, ProblemError, Unreachable } from '@plumbline/client'
import type { DocumentView } from '@plumbline/contracts'
import { plain } from '../render/text'
import type { FoundItem } from './find-files'
import { ingest } from './ingest'
import { FileShortened, piecesOf, uploadAndFollow } from './upload'

const view = (over: Partial<DocumentView> = {}): DocumentView => ({
  id: 'd1',
  title: 'T',
  collection: 'c',
  status: 'queued',
  progress: { passages: 0, percent: 0 },
  createdAt: '',
  updatedAt: '',
  ...over,
})
const indexed = view({ status: 'indexed', progress: { passages: 3, percent: 100, pages: 2, ofPages: 2 } })
const problem = (status: number, detail = 'No.') => ({ type: 'urn:plumbline:problem:x', title: 'X', status, detail })

type Answer = (response: ServerResponse) => void
const say =
  (status: number, body: unknown, headers = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const stream =
  (...views: DocumentView[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const [at, one] of views.entries())
      response.write(`id: ${at}\nevent: document\ndata: ${JSON.stringify(one)}\n\n`)
    response.end()
  }

const urlOf = (listening: Server): string => `http://127.0.0.1:${(listening.address() as AddressInfo).port}`

let server: Server
let folder: string
let one: FoundItem
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
  // Each ingest in these specs adds a listener for Ctrl-C and does not remove it.
  process.removeAllListeners('SIGINT')
  vi.useRealTimers()
  asked.length = 0
  script.clear()
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

const brought = (what: FoundItem = one) => {
  const url = urlOf(server)
  const waits: string[] = []
  const told: string[] = []
  const stopping = new AbortController()
  const options = {
    places: [],
    collection: 'c',
    metadata: {},
    access: [],
    concurrency: 1,
    dryRun: false,
    prune: false,
    watch: false,
    yes: false,
    json: false,
    url,
    named: true,
  }
  const over = uploadAndFollow(what, {
    client: createClient({ url }),
    options,
    stopping: stopping.signal,
    onUpdate: (_, { status }) => told.push(status),
    onWait: (words) => waits.push(words),
  })
  return { over, waits, told, stopping }
}
const post = 'POST /v1/documents'
const events = 'GET /v1/documents/d1/events'
const compared = 'POST /v1/documents/compare'
const allNew = say(200, { items: [] })

describe('a document on its way', () => {
  it('is followed to its end', async () => {
    script
      .set(post, [say(202, { ...view(), taken: 'new' })])
      .set(events, [stream(view({ status: 'processing', task: 'parse' }), indexed)])
    const { over, told } = brought()
    expect(await over).toEqual({
      name: 'deep/a.md',
      format: 'markdown',
      outcome: 'new',
      pages: 2,
      passages: 3,
      notes: [],
      view: { ...indexed, taken: 'new' },
    })
    expect(told).toEqual(['queued', 'processing', 'indexed'])
  })

  it('waits as long as a full gateway asks, and for one that is away for a moment', async () => {
    script
      .set(post, [
        say(429, problem(429), { 'retry-after': '2' }),
        (response) => void response.destroy(),
        say(202, { ...view(), taken: 'replaces' }),
      ])
      .set(events, [stream(indexed)])
    const since = Date.now()
    const { over, waits } = brought()
    expect(await over).toMatchObject({ outcome: 'replaces' })
    expect(Date.now() - since).toBeGreaterThanOrEqual(3_900)
    expect(waits).toEqual(['the gateway is busy', 'the gateway does not answer'])
  })

  it('that failed before and is brought again is tried again', async () => {
    script
      .set(post, [say(200, { ...view({ status: 'failed', error: 'Old.' }), taken: 'unchanged' })])
      .set('POST /v1/documents/d1/retry', [say(202, view())])
      .set(events, [stream(indexed)])
    expect(await brought().over).toMatchObject({ outcome: 'new', passages: 3 })
    expect(asked).toEqual([post, 'POST /v1/documents/d1/retry', events])
  })

  it('that is refused or fails is reported with reason and page, and the next one continues', async () => {
    script
      .set(post, [say(415, problem(415, 'Not this.')), say(202, { ...view(), taken: 'new' })])
      .set(events, [
        stream(view({ status: 'failed', error: 'No text.', problem: { code: 'document.no-text', page: 4 } })),
      ])
    expect(await brought().over).toMatchObject({ outcome: 'failed', error: 'Not this.' })
    expect(await brought().over).toMatchObject({ outcome: 'failed', error: 'No text.', page: 4 })
    expect(await brought({ ...one, path: join(folder, 'gone.md') } as FoundItem).over).toMatchObject({
      outcome: 'failed',
      error: 'the file cannot be read: no such file or directory',
    })
  })

  it('that a proxy before the gateway rejects is not sent again', async () => {
    script.set(post, [(response) => void response.writeHead(413).end('<html>too large</html>')])
    expect(await brought().over).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('answered 413, but the response is not from a Plumbline gateway') as string,
    })
    expect(asked).toEqual([post])
  })

  it('stops for a key without the right, and on its signal', async () => {
    script.set(post, [say(401, problem(401)), say(503, problem(503), { 'retry-after': '60' })])
    await expect(brought().over).rejects.toBeInstanceOf(ProblemError)
    const { over, waits, stopping } = brought()
    await expect.poll(() => waits.length).toBe(1)
    stopping.abort(new Error('interrupted'))
    await expect(over).rejects.toThrow('aborted')
  })

  it('stops for a gateway that is away for longer than anybody waits', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { over, waits } = brought()
    await expect.poll(() => waits.length).toBe(1)
    vi.setSystemTime(Date.now() + 200_000)
    await expect(over).rejects.toBeInstanceOf(Unreachable)
  })
})

/** Returns the output and the result of a whole ingestion. */
const ingested = async (places: string[], json: boolean) => {
  const written = { result: '', progress: '' }
  const into = (name: keyof typeof written) => ({
    screen: { paint: plain, width: 90 },
    output: { write: (text: string) => void (written[name] += text) },
  })
  const off = { dryRun: false, prune: false, watch: false, yes: false }
  const about = { collection: 'c', metadata: {}, access: [], concurrency: 1, ...off, named: true }
  const options = { places, json, url: urlOf(server), ...about }
  const code = ingest({ options, ...into('result'), progress: into('progress') })
  return { code: await code.catch((error: unknown) => error), ...written }
}

describe('a folder on its way', () => {
  it('tells how far it is beside the result, which may be one JSON object', async () => {
    const folderOf = await mkdtemp(join(folder, 'json-'))
    for (const name of ['a.md', 'b.md', 'c.exe']) await writeFile(join(folderOf, name), '# A')
    const scripted = () =>
      script
        .set('GET /v1/collections', [say(200, { items: [] })])
        .set(compared, [allNew])
        .set(post, [say(202, { ...view(), taken: 'new' }), say(400, problem(400, 'This cannot be taken.'))])
        .set(events, [stream(indexed)])
    scripted()
    const inJson = await ingested([folderOf], true)
    expect(inJson.code).toBe(1)
    expect(JSON.parse(inJson.result)).toEqual({
      documents: [{ ...indexed, taken: 'new' }],
      failed: [{ name: 'b.md', error: 'This cannot be taken.' }],
      leftOut: [{ name: 'c.exe', why: '.exe' }],
      removed: [],
    })
    expect(inJson.progress).toContain('[1/2] a.md')
    scripted()
    const inWords = await ingested([folderOf], false)
    expect(inWords.result).toMatch(/1 skipped[\s\S]*Done with 1 failure/)
    expect(inWords.result).not.toContain('[1/2] a.md')
  })

  it('is sent on while its first documents are still read', async () => {
    const held: ServerResponse[] = []
    let allSent = false
    const follow: Answer = (response) => (allSent ? stream(indexed)(response) : held.push(response))
    const take = say(202, { ...view(), taken: 'new' })
    const takeLast: Answer = (response) => {
      take(response)
      allSent = true
      held.forEach(stream(indexed))
    }
    script
      .set('GET /v1/collections', [say(200, { items: [] })])
      .set(compared, [allNew])
      .set(post, [take, take, takeLast])
      .set(events, [follow, follow, follow])
    const three = await mkdtemp(join(folder, 'three-'))
    for (const name of ['a.md', 'b.md', 'c.md']) await writeFile(join(three, name), '# A')
    expect((await ingested([three], true)).code).toBe(0)
  })

  it('that a key may not bring any further says what is done, then what is wrong', async () => {
    script
      .set('GET /v1/collections', [say(200, { items: [] })])
      .set(compared, [allNew])
      .set(post, [
        say(202, { ...view(), taken: 'new' }),
        say(403, problem(403, 'This request needs a key with the role admin.')),
      ])
      .set(events, [stream(indexed)])
    const both = await mkdtemp(join(folder, 'both-'))
    for (const name of ['a.md', 'b.md', 'c.md']) await writeFile(join(both, name), '# A')
    const { code, progress } = await ingested([both], false)
    expect(String(code)).toContain('the role admin')
    expect(progress).toContain('[1/3] a.md: 2 pages, 3 passages\n')
    expect(progress).toContain('Stopped. 1 document of 3 is done. No further documents are sent.\n')
  })
})

describe('a file on its way', () => {
  const bytes = Buffer.from(new Uint8Array(300_000).map((_, at) => at % 251))
  /** Returns the received bytes of a file that changes while it is open and not yet read completely. */
  const sent = async (change: (path: string) => Promise<void>, signal = new AbortController().signal) => {
    const path = join(folder, 'large.txt')
    await writeFile(path, bytes)
    const file = await open(path)
    await change(path)
    const arrived: Buffer[] = []
    const receiver = createServer(
      (request, response) =>
        void request
          .on('data', (piece: Buffer) => arrived.push(piece))
          .on('end', () => say(202, { ...view(), taken: 'new' })(response)),
    )
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const outcome: unknown = await createClient({ url: urlOf(receiver) })
      .uploadDocument(piecesOf(file, bytes.length), 'quo"te.txt', { title: 'Größe', access: ['a', 'b'] }, { signal })
      .then(
        ({ taken }) => taken,
        (error: unknown) => error,
      )
    await file.close()
    receiver.closeAllConnections()
    receiver.close()
    return { outcome, form: Buffer.concat(arrived) }
  }

  it('arrives as it was when it was opened, behind its fields, whatever grows behind its end or takes its name away', async () => {
    for (const change of [
      () => Promise.resolve(),
      (path: string) => appendFile(path, 'more'),
      (path: string) => rm(path),
    ]) {
      const { outcome, form } = await sent(change)
      expect(outcome).toBe('new')
      const from = form.indexOf(bytes)
      expect(
        form
          .subarray(0, from)
          .toString()
          .replace(/^--.*\r\n/gm, ''),
      ).toBe(
        'content-disposition: form-data; name="title"\r\n\r\nGröße\r\ncontent-disposition: form-data; name="access"\r\n\r\n["a","b"]\r\ncontent-disposition: form-data; name="file"; filename="quo%22te.txt"\r\ncontent-type: application/octet-stream\r\n\r\n',
      )
      expect(form.subarray(from + bytes.length).toString()).toMatch(/^\r\n--plumbline-[\w-]+--\r\n$/)
    }
  })

  it('that is cut off meanwhile ends its request with the reason', async () => {
    for (const length of [100_000, 0])
      expect((await sent((path) => truncate(path, length))).outcome).toBeInstanceOf(FileShortened)
  })

  it('is given up at any moment, and nothing else ends with it', async () => {
    const loose: unknown[] = []
    const onLoose = (error: unknown): void => void loose.push(error)
    process.on('unhandledRejection', onLoose)
    const outcomes = new Set<string>()
    for (let turns = 0; turns < 60; turns += 1) {
      const gone = new AbortController()
      const giveUp = async (): Promise<void> => {
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
        gone.abort()
      }
      const { outcome } = await sent(() => Promise.resolve(void giveUp()), gone.signal)
      outcomes.add(outcome instanceof Error ? outcome.name : String(outcome))
    }
    process.removeListener('unhandledRejection', onLoose)
    expect(loose).toEqual([])
    expect(outcomes).toContain('AbortError')
  })
})
