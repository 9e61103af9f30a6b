import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Problem } from '@plumbline/contracts'
import { openHouse, type House } from './house.spec'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

type Sent = {
  method?: string
  body?: string | FormData | Uint8Array<ArrayBuffer>
  type?: string | null
  headers?: Record<string, string>
}
const send = async (path: string, { method = 'POST', body, type = 'application/json', headers = {} }: Sent = {}) => {
  const response = await fetch(`${house.url}${path}`, {
    method,
    headers: { ...(type && { 'content-type': type }), ...headers },
    ...(body !== undefined && { body }),
  })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    problem: Problem.parse(await response.json()),
  }
}
const ask = (body: unknown) => send('/v1/runs', { body: JSON.stringify(body) })
const bytes = (...values: number[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array([...new TextEncoder().encode('{"question":"'), ...values, ...new TextEncoder().encode('"}')])
const noRun = 'r000000000000000000000000'

describe('an invalid question', () => {
  it.each([
    ['an empty one', { question: '' }, 'question', 'write a question'],
    ['only blanks', { question: ' \n ' }, 'question', 'write a question'],
    ['100 KB', { question: 'a'.repeat(100_000) }, 'question', '4,000 characters'],
    ['with NUL', { question: 'How\u0000heavy?' }, 'question', 'plain text'],
    ['binary', { question: '\u0001\u0002\u007f' }, 'question', 'plain text'],
    ['half a character', { question: 'Mars \ud800' }, 'question', 'plain text'],
    ['not text', { question: 7 }, 'question', 'send a string'],
    ['missing', {}, 'question', 'is missing: send a string'],
    ['a list', ['How?'], 'body', 'send an object'],
    [
      'with a field there is not',
      { question: 'How?', polcy: 'x' },
      'polcy',
      'there is no such field: remove it, or use one of question, policy, limits,',
    ],
    ['an unknown policy', { question: 'How?', policy: 'nope' }, 'policy', 'use one of standard'],
    ['a policy from the language', { question: 'How?', policy: 'constructor' }, 'policy', 'use one of standard'],
    ['a policy that is no name', { question: 'How?', policy: '../x' }, 'policy', 'lower-case'],
    ['an unknown collection', { question: 'How?', collection: 'nope' }, 'collection', 'GET /v1/collections'],
    [
      'a limit that is not known',
      { question: 'How?', limits: { money: 1 } },
      'limits.money',
      'use one of rewrites, webSearches, regenerations, augments, retries, steps, moves, tokens, cents',
    ],
    ['a limit below zero', { question: 'How?', limits: { rewrites: -1 } }, 'limits.rewrites', 'send 0 or more'],
    ['half a limit', { question: 'How?', limits: { rewrites: 1.5 } }, 'limits.rewrites', 'send a whole number'],
    ['a deadline of no time', { question: 'How?', deadlineMs: 0 }, 'deadlineMs', 'send 1000 or more'],
    ['a thread without a name', { question: 'How?', threadId: '' }, 'threadId', 'send at least 1 character'],
    [
      'words by name that are none',
      { question: 'How?', metadata: 'x' },
      'metadata',
      'send an object whose values are strings',
    ],
  ])('%s is refused with field and fix', async (_, body, field, fix) => {
    const { status, type, problem } = await ask(body)
    expect([status, type]).toEqual([400, 'application/problem+json'])
    expect(problem.errors).toEqual([{ field, message: expect.stringContaining(fix) }])
  })

  it('with several unknown fields reports each of them', async () => {
    const { problem } = await ask({ question: 'How?', polcy: 'x', limits: { money: 1, time: 2 } })
    expect(problem.errors?.map(({ field }) => field).sort()).toEqual(['limits.money', 'limits.time', 'polcy'])
  })

  it('leaves no run behind', async () => {
    expect((await house.client.runs()).items).toEqual([])
    expect(await house.redis.exists('runs:open:main')).toBe(0)
  })
})

describe('a body that cannot be read', () => {
  it.each([
    ['malformed JSON', { body: '{"question": ' }, 400, 'malformed-body'],
    ['JSON with a trap', { body: '{"question":"x","__proto__":{"a":1}}' }, 400, 'malformed-body'],
    ['not UTF-8', { body: bytes(0xff, 0xfe) }, 400, 'malformed-body'],
    ['a cut character', { body: bytes(0xe2, 0x82) }, 400, 'malformed-body'],
    ['no body', {}, 400, 'invalid-request'],
    ['an empty body', { body: '' }, 400, 'invalid-request'],
    ['blanks', { body: '  ' }, 400, 'invalid-request'],
    [
      'another content type',
      { body: 'question=x', type: 'application/x-www-form-urlencoded' },
      415,
      'unsupported-media-type',
    ],
    ['text', { body: 'How?', type: 'text/plain' }, 415, 'unsupported-media-type'],
    ['a form', { body: new FormData(), type: null }, 415, 'unsupported-media-type'],
    [
      '2 MB',
      { body: JSON.stringify({ question: 'x', metadata: { a: 'a'.repeat(2_000_000) } }) },
      413,
      'body-too-large',
    ],
  ] as [string, Sent, number, string][])('%s', async (_, sent, status, kind) => {
    const answer = await send('/v1/runs', sent)
    expect([answer.status, answer.type, answer.problem.type]).toEqual([
      status,
      'application/problem+json',
      `urn:plumbline:problem:${kind}`,
    ])
  })

  it('is not HTTP', async () => {
    const socket = connect(Number(new URL(house.url).port), '127.0.0.1')
    socket.write('NONSENSE\r\n\r\n')
    const text = await new Promise<string>((resolve) => {
      let all = ''
      socket.on('data', (chunk) => (all += chunk.toString())).on('close', () => resolve(all))
    })
    expect(text).toMatch(/^HTTP\/1.1 400 .*application\/problem\+json/s)
  })
})

describe('an address', () => {
  const long = 'x'.repeat(300)
  it.each([
    ['GET', `/v1/runs/${noRun}`],
    ['GET', '/v1/runs/nope'],
    ['GET', '/v1/runs/R000000000000000000000000'],
    ['GET', `/v1/runs/${long}`],
    ['GET', '/v1/runs/..%2f..%2fetc'],
    ['GET', `/v1/runs/${noRun}/events`],
    ['POST', `/v1/runs/${noRun}/cancel`],
    ['GET', '/v1/documents/d1'],
    ['DELETE', '/v1/documents/x'],
    ['GET', `/v1/reviews/${noRun}`],
    ['POST', `/v1/reviews/${noRun}/take`],
    ['POST', `/v1/reviews/nope/put-back`],
    ['GET', '/nothing'],
    ['GET', '/v2/runs'],
    ['GET', '/docs/..%2fpackage.json'],
    ['GET', '/docs/constructor'],
  ])('%s %s is not found', async (method, path) => {
    const { status, problem } = await send(path, { method, type: null })
    expect([status, problem.type]).toEqual([404, 'urn:plumbline:problem:not-found'])
  })

  it.each([
    ['/v1/runs/%zz', 'urn:plumbline:problem:invalid-request'],
    ['/v1/runs/%ff', 'urn:plumbline:problem:invalid-request'],
    ['/v1/runs?limit=0', 'urn:plumbline:problem:invalid-request'],
    ['/v1/runs?limit=abc', 'urn:plumbline:problem:invalid-request'],
    ['/v1/runs?cursor=%00', 'urn:plumbline:problem:invalid-request'],
    ['/v1/runs?cursor=abcd', 'urn:plumbline:problem:invalid-request'],
    ['/v1/documents?cursor=abcd', 'urn:plumbline:problem:invalid-request'],
    ['/v1/runs?status=nope', 'urn:plumbline:problem:invalid-request'],
    ['/v1/runs?what=1', 'urn:plumbline:problem:invalid-request'],
    ['/v1/reviews?cursor=abcd', 'urn:plumbline:problem:invalid-request'],
    ['/v1/documents?collection=A%20B', 'urn:plumbline:problem:invalid-request'],
  ])('GET %s is refused', async (path, type) => {
    const { status, problem } = await send(path, { method: 'GET', type: null })
    expect([status, problem.type]).toEqual([400, type])
  })

  it.each([
    ['DELETE', `/v1/runs/${noRun}`, 'GET, HEAD'],
    ['PUT', '/v1/runs', 'GET, HEAD, POST'],
    ['OPTIONS', '/v1/runs', 'GET, HEAD, POST'],
    ['GET', `/v1/runs/${noRun}/cancel`, 'POST'],
    ['POST', `/v1/runs/${noRun}/events?audience=desk`, 'GET, HEAD'],
    ['PATCH', '/v1/documents/x', 'DELETE, GET, HEAD'],
    ['POST', '/v1/collections/x', 'DELETE, GET, HEAD, PUT'],
    ['POST', '/livez', 'GET, HEAD'],
    ['POST', '/openapi.json', 'GET, HEAD'],
  ])('does not take %s %s, and says what it takes', async (method, path, takes) => {
    const response = await fetch(`${house.url}${path}`, { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, takes])
    expect(Problem.parse(await response.json())).toMatchObject({
      type: 'urn:plumbline:problem:method-not-allowed',
      detail: expect.stringContaining(takes),
    })
  })
})

describe('a header', () => {
  it.each([
    ['Idempotency-Key', 'a b'],
    ['Idempotency-Key', 'x'.repeat(256)],
  ])('%s: %s is refused', async (name, value) => {
    const { status, problem } = await send('/v1/runs', { body: '{"question":"How?"}', headers: { [name]: value } })
    expect([status, problem.errors?.[0]?.field]).toEqual([400, name])
  })

  it('that is too long is refused with the limit', async () => {
    const { status, problem } = await send('/v1/runs', {
      body: '{"question":"How?"}',
      headers: { 'x-long': 'x'.repeat(20_000) },
    })
    expect([status, problem.type, problem.detail]).toEqual([
      431,
      'urn:plumbline:problem:headers-too-large',
      'The headers are larger than 16 KB together. Send fewer or shorter headers.',
    ])
  })

  it('an invalid Last-Event-ID is refused', async () => {
    const { id } = await house.client.ask({ question: 'How?' })
    const { status, problem } = await send(`/v1/runs/${id}/events`, {
      method: 'GET',
      type: null,
      headers: { 'last-event-id': 'nope' },
    })
    expect([status, problem.errors?.[0]?.field]).toEqual([400, 'Last-Event-ID'])
  })
})
