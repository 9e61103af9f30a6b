import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type LedgerEvent, noUsage, type Problem, type StreamEvent } from '@plumbline/contracts'
import { createClient, ProblemError, Unreachable } from './index'

let server: Server | undefined
const asked: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  asked.length = 0
})

type Answer = (request: IncomingMessage, response: ServerResponse, nth: number) => void
/** A server that records requests and answers as a spec says. */
const serve = async (answer: Answer): Promise<string> => {
  let nth = 0
  server = createServer((request, response) => {
    let body = ''
    request
      .on('data', (chunk: Buffer) => (body += chunk.toString()))
      .on('end', () => {
        asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
        answer(request, response, nth)
        nth += 1
      })
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}
const say = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, headers).end(JSON.stringify(body))
const problem: Problem = {
  type: 'urn:plumbline:problem:unavailable',
  title: 'The service is unavailable right now',
  status: 503,
  detail: 'Try again.',
}

const ledger: LedgerEvent[] = [
  { type: 'asked', audience: 'asker', at: 1, question: 'Größe?', policy: 'standard' },
  { type: 'routed', audience: 'asker', at: 2, to: 'research', logic: 'So.', collections: [] },
  { type: 'writing', audience: 'asker', at: 3, draft: 1 },
  { type: 'checking', audience: 'asker', at: 4, draft: 1 },
  {
    type: 'ended',
    audience: 'asker',
    at: 5,
    status: 'answered',
    reason: 'answered.checked',
    answer: { kind: 'written', text: 'Groß [1].', citations: [] },
  },
]
const stream = ledger.map((event, n) => `id: ${n + 1}-0\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
const after = (request: IncomingMessage): number => Number.parseInt(`${request.headers['last-event-id'] ?? 0}`, 10)
const all = async (events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> => {
  const seen: StreamEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

describe('what is sent', () => {
  it('carries key, waiting, idempotency, query and path as the gateway reads them', async () => {
    const url = await serve((_, response) => say(response, 404, { ...problem, status: 404 }))
    const client = createClient({ url: `${url}/`, key: 'secret-key' })
    const quiet = (promise: Promise<unknown>) => promise.catch(() => undefined)
    await quiet(client.ask({ question: 'How?' }, { waitSeconds: 5, idempotencyKey: 'k' }))
    await quiet(client.runs({ limit: 3, status: 'parked' }))
    await quiet(client.decide('a/b', { taskId: 't', decisionId: 'd', action: 'approve' }, { reviewer: 'rita' }))
    await quiet(client.uploadDocument(new Blob(['# A']), 'a.md', { collection: 'c' }))
    expect(asked).toMatchObject([
      {
        method: 'POST',
        url: '/v1/runs',
        body: '{"question":"How?"}',
        headers: {
          authorization: 'Bearer secret-key',
          prefer: 'wait=5',
          'idempotency-key': 'k',
          'content-type': 'application/json',
        },
      },
      { method: 'GET', url: '/v1/runs?limit=3&status=parked' },
      { method: 'POST', url: '/v1/runs/a%2Fb/decision', headers: { 'x-reviewer': 'rita' } },
      { method: 'POST', url: '/v1/documents', body: expect.stringContaining('filename="a.md"') },
    ])
  })
})

describe('what goes wrong', () => {
  it('an error of the gateway becomes a ProblemError with its Retry-After', async () => {
    const url = await serve((_, response) => say(response, 503, problem, { 'retry-after': '2' }))
    const error: unknown = await createClient({ url })
      .run('r1')
      .catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({ problem, retryAfter: 2, message: 'Try again.' })
  })

  it('a missing gateway, another server, or another version is reported as such', async () => {
    await expect(createClient({ url: 'http://127.0.0.1:1' }).run('r1')).rejects.toThrow(
      /no gateway answers at http:\/\/127.0.0.1:1/,
    )
    const url = await serve((request, response) =>
      request.url?.endsWith('old') ? say(response, 200, { id: 7 }) : response.writeHead(502).end('<html>'),
    )
    await expect(createClient({ url }).run('r1')).rejects.toThrow(
      /answered 502, but the response is not from a Plumbline gateway/,
    )
    await expect(createClient({ url }).run('old')).rejects.toBeInstanceOf(Unreachable)
  })

  it('an abort by the caller is not reported as an error of the gateway', async () => {
    const url = await serve(() => undefined)
    const gone = new AbortController()
    const running = createClient({ url }).run('r1', { signal: gone.signal })
    gone.abort()
    await expect(running).rejects.toThrow(/abort/i)
  })
})

describe('a run that is waited for', () => {
  const view = (status: string) => ({
    ...{ id: 'r1', status, question: 'How?', policy: 'standard', plan: { steps: [] } },
    ...{ queriesAttempted: 0, rewrites: 0, documentsUsed: [], usage: noUsage },
    timings: { createdAt: '2026-11-23T12:00:00Z', deadlineAt: '2026-11-23T12:05:00Z' },
  })

  it.each(['answered', 'parked'])('is polled until it is %s', async (status) => {
    const url = await serve((_, response, nth) => say(response, 200, view(['queued', 'running'][nth] ?? status)))
    expect(await createClient({ url }).untilEnded('r1', { everyMs: 1 })).toMatchObject({ status })
    expect(asked).toHaveLength(3)
  })

  it('is no longer polled after the caller aborts', async () => {
    const url = await serve((_, response) => say(response, 200, view('running')))
    const signal = AbortSignal.timeout(50)
    await expect(createClient({ url }).untilEnded('r1', { signal })).rejects.toThrow(/timeout/)
  })
})

describe('events', () => {
  it('cut at any byte continue without a repeated or missing event', async () => {
    const whole = stream.join('')
    const bytes = Buffer.from(whole)
    for (let cut = 1; cut < bytes.length; cut += 37) {
      const url = await serve((request, response, nth) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const rest = Buffer.from(stream.slice(after(request)).join(''))
        if (nth === 0) response.write(rest.subarray(0, cut), () => response.destroy())
        else response.end(rest)
      })
      expect(await all(createClient({ url }).events('r1'))).toEqual(ledger)
      server?.closeAllConnections()
      server?.close()
    }
  })

  it('continue in another process after the last handled event', async () => {
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', location: '/v1/runs/r1' })
      response.end(stream.slice(after(request)).join(''))
    })
    const client = createClient({ url })
    const told: string[] = []
    const note = (one: string): void => void told.push(one)
    for await (const { type } of client.askEvents({ question: 'Größe?' }, { onRun: note, onPlace: note }))
      if (type === 'routed') break
    expect(told).toEqual(['r1', '1-0', '2-0'])
    expect(await all(client.events('r1', { after: '2-0', onPlace: note }))).toEqual(ledger.slice(2))
    expect(told.slice(3)).toEqual(['3-0', '4-0', '5-0'])
  })

  it('continue after a gateway was unreachable, and after it answered 503', async () => {
    const url = await serve((request, response, nth) => {
      if (nth === 1) return void request.socket.destroy()
      if (nth === 2) return say(response, 503, problem, { 'retry-after': '0' })
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const rest = stream.slice(after(request))
      if (nth === 0) response.write(rest.slice(0, 2).join(''), () => response.destroy())
      else response.end(rest.join(''))
    })
    expect(await all(createClient({ url }).events('r1'))).toEqual(ledger)
    expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2-0', '2-0', '2-0'])
  })

  it('of a run that ended before are empty', async () => {
    const url = await serve((_, response) => void response.writeHead(204).end())
    expect(await all(createClient({ url }).events('r1', { after: '5-0' }))).toEqual([])
  })

  it('skip what this client does not know', async () => {
    const url = await serve(
      (_, response) =>
        void response
          .writeHead(200)
          .end(`: beat\n\nid: 0-1\nevent: novel\ndata: {"type":"novel"}\n\n${stream.join('')}`),
    )
    expect(await all(createClient({ url }).events('r1'))).toEqual(ledger)
  })

  it('of a ledger skip what this client does not know', async () => {
    const items = [{ type: 'novel', audience: 'asker' }, ...ledger].map((event, n) => ({ id: `${n}-0`, event }))
    const url = await serve((_, response) => say(response, 200, { items, ended: true }))
    expect(await createClient({ url }).ledger('r1')).toEqual({ items: items.slice(1), ended: true })
  })

  it('end with a refusal, at the time limit for retries, or when the caller aborts', async () => {
    const refusing = await serve((_, response) => say(response, 404, { ...problem, status: 404 }))
    await expect(all(createClient({ url: refusing }).events('r1'))).rejects.toBeInstanceOf(ProblemError)
    await expect(
      all(createClient({ url: 'http://127.0.0.1:1' }).events('r1', { giveUpMs: 300 })),
    ).rejects.toBeInstanceOf(Unreachable)
    const url = await serve((_, response) => void response.writeHead(200).write(stream[0] ?? ''))
    const gone = new AbortController()
    const seen: StreamEvent[] = []
    for await (const event of createClient({ url }).events('r1', { signal: gone.signal })) {
      seen.push(event)
      gone.abort()
    }
    expect(seen).toEqual(ledger.slice(0, 1))
  })
})
