import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answer } from '../answer'
import { startModelServer, type ModelServer } from '../model-server'
import { ask, chunksOf, contentOf, forced, post, route, stream } from './ask'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const outcomes = (): unknown[] => server.requests.map(({ outcome }) => outcome)
const ended = (count = 1): Promise<void> =>
  server.until((requests) => requests.filter(({ outcome }) => outcome).length === count)

describe('statuses', () => {
  it('says when to come back, in both forms', async () => {
    const at = new Date('2030-01-02T03:04:05Z')
    server.script({}, answer.limited(2), answer.limited(at), answer.limited(), 'Now.')
    const got = [await ask(server), await ask(server), await ask(server), await ask(server)]
    expect(got.map(({ status }) => status)).toEqual([429, 429, 429, 200])
    expect(got.map(({ headers }) => headers.get('retry-after'))).toEqual([
      '2',
      'Wed, 02 Jan 2030 03:04:05 GMT',
      null,
      null,
    ])
    expect(server.requests.map(({ status }) => status)).toEqual([429, 429, 429, 200])
  })

  it('has an error of each service', async () => {
    server.script({}, answer.status(503), answer.status(401), answer.status(500, {}, { message: 'Broken.' }))
    expect((await ask(server)).body).toMatchObject({ error: { type: 'server_error', code: null } })
    expect((await ask(server)).body).toMatchObject({
      error: { type: 'invalid_request_error', code: 'invalid_api_key' },
    })
    const refused = await post(server, '/v2/rerank', { model: 'r', query: 'a', documents: ['b'] })
    expect([refused.status, await refused.json()]).toEqual([500, { message: 'Broken.' }])
  })
})

describe('time', () => {
  it('writes at the pace of a model, whole or as a stream', async () => {
    server.pace({ firstTokenMs: 1_000, tokensPerSecond: 100 }, { model: 'm' })
    server.script({}, 'One sentence of ten tokens, more or less.')
    const from = performance.now()
    await ask(server)
    const whole = performance.now() - from
    expect(whole).toBeGreaterThanOrEqual(40 + 110 - 5)
    const begun = performance.now()
    const streamed = await stream(server)
    const reader = streamed.body!.getReader()
    await reader.read()
    expect(performance.now() - begun).toBeGreaterThanOrEqual(40 - 5)
    while (!(await reader.read()).done);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(40 + 110 - 5)
    const unpaced = performance.now()
    await ask(server, { model: 'other' })
    expect(performance.now() - unpaced).toBeLessThan(whole)
  })

  it('hangs until the client leaves', async () => {
    server.script({}, answer.hang())
    const leave = new AbortController()
    const asked = ask(server, {}, leave.signal)
    await server.until((requests) => requests.length === 1)
    leave.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
    await ended()
    expect(server.requests[0]).toMatchObject({ outcome: 'aborted' })
    expect(server.requests[0]?.status).toBeUndefined()
  })

  it('ends a delay when the client leaves', async () => {
    server.latency({ kind: 'fixed', ms: 3_600_000 })
    const leave = new AbortController()
    const asked = ask(server, {}, leave.signal)
    await server.until((requests) => requests.length === 1)
    leave.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
    await ended()
    expect(outcomes()).toEqual(['aborted'])
  })

  it('delays the selected requests', async () => {
    server.latency({ kind: 'fixed', ms: 40 }, { model: 'm' })
    await ask(server)
    const [request] = server.requests
    expect(request!.finishedAt! - request!.receivedAt).toBeGreaterThanOrEqual(38)
  })

  it('counts how many were under way as each came', async () => {
    let release = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    server.script({}, async () => {
      await gate
      return 'Together.'
    })
    const asked = [ask(server), ask(server), ask(server)]
    await server.until((requests) => requests.length === 3)
    release()
    await Promise.all(asked)
    expect(server.requests.map(({ concurrency }) => concurrency)).toEqual([1, 2, 3])
    await ended(3)
    await ask(server)
    expect(server.requests[3]?.concurrency).toBe(1)
  })
})

describe('pieces', () => {
  it('streams piece by piece, at a pace', async () => {
    server.script({}, answer.trickle({ everyMs: 1 }, 'One two three.'))
    const chunks = await chunksOf(await stream(server))
    expect(
      chunks.map((chunk) => (chunk as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content),
    ).toEqual(['', 'One', ' two', ' three.', undefined])
  })

  it('streams structured output in pieces, too', async () => {
    server.script({}, answer.json({ kind: 'research', score: 0.25 }))
    const chunks = await chunksOf(await stream(server, { response_format: route }))
    expect(chunks.length).toBeGreaterThan(4)
  })

  it('stalls after the set number of pieces', async () => {
    server.script({}, answer.trickle({ everyMs: 0, stallAfter: 2 }, 'One two three.'))
    const leave = new AbortController()
    const response = await stream(server, {}, leave.signal)
    let got = ''
    const decoder = new TextDecoder()
    await expect(async () => {
      for await (const bytes of response.body!) {
        got += decoder.decode(bytes as Uint8Array)
        if (got.includes(' two')) leave.abort(new Error('enough'))
      }
    }).rejects.toThrow('enough')
    expect(got).not.toContain('three')
    await ended()
    expect(outcomes()).toEqual(['aborted'])
  })

  it('sends a body in pieces too', async () => {
    server.script({}, answer.trickle({ everyMs: 1 }, 'All of it, 🪨 and 東京 too.'))
    expect(contentOf(await ask(server))).toBe('All of it, 🪨 and 東京 too.')
  })
})

describe('what breaks', () => {
  it('cuts the connection before the headers', async () => {
    server.script({}, answer.reset('before-headers'))
    await expect(ask(server)).rejects.toThrow('fetch failed')
    await ended()
    expect(outcomes()).toEqual(['reset'])
  })

  it('cuts a body and a stream in the middle', async () => {
    server.script({}, answer.reset('mid-body', 'One two three four.'))
    await expect(ask(server)).rejects.toThrow('terminated')
    const response = await stream(server)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
    await ended(2)
    expect(outcomes()).toEqual(['reset', 'reset'])
  })

  it('sends a body that is no JSON, or the wrong JSON', async () => {
    server.script({}, answer.malformed('body'), answer.malformed('shape'))
    await expect(ask(server)).rejects.toThrow(SyntaxError)
    expect((await ask(server)).body).toEqual({ result: 'ok' })
  })

  it('sends such pieces in a stream', async () => {
    server.script({}, answer.malformed('body'), answer.malformed('shape'))
    await expect(chunksOf(await stream(server))).rejects.toThrow(SyntaxError)
    expect(await chunksOf(await stream(server))).toEqual([{ result: 'ok' }])
  })

  it('answers as something else', async () => {
    server.script({}, answer.typed())
    const response = await post(server, '/v1/embeddings', { model: 'e', input: 'a' })
    expect(response.headers.get('content-type')).toBe('text/html')
    expect(await response.text()).toContain('Bad gateway')
  })

  it('stops where the tokens are spent', async () => {
    server.script({}, answer.text('Twelve chars and more.'))
    const { body } = await ask(server, { max_completion_tokens: 3 })
    expect(body).toMatchObject({
      choices: [{ finish_reason: 'length', message: { content: 'Twelve chars' } }],
      usage: { completion_tokens: 3 },
    })
  })

  it('does not hide a script that throws', async () => {
    server.script({}, () => {
      throw new Error('not thought of')
    })
    expect((await ask(server)).status).toBe(500)
    expect(server.faults).toMatchObject([{ faults: ['the script threw: not thought of'] }])
  })
})

describe('older servers', () => {
  it.each([
    ['json_schema', { response_format: route }],
    ['tools', forced],
    ['stream', { stream: true }],
  ] as const)('refuse %s', async (feature, asked) => {
    server.unsupported(feature)
    expect((await ask(server, asked)).status).toBe(400)
    expect((await ask(server)).status).toBe(200)
    expect(server.faults).toEqual([])
  })

  it('pass over what they do not know', async () => {
    server.unsupported('json_schema', 'ignored')
    server.script('route', 'Prose.')
    expect(contentOf(await ask(server, { response_format: route }))).toBe('Prose.')
    server.unsupported('stream', 'ignored')
    expect(contentOf(await ask(server, { stream: true }))).toContain('no script')
  })
})

it('closes with clients connected and an answer under way', async () => {
  const other = await startModelServer()
  other.script({}, answer.hang())
  const asked = ask(other)
  await other.until((requests) => requests.length === 1)
  const failed = expect(asked).rejects.toThrow('fetch failed')
  await other.close()
  await other.close()
  await failed
  await other.until(([request]) => request?.outcome === 'reset')
  await expect(ask(other)).rejects.toThrow('fetch failed')
})

it('validates nothing if validation is off', async () => {
  const server = await startModelServer({ validate: false })
  const { status } = await ask(server, { temperature: 3 })
  expect([status, server.faults]).toEqual([200, []])
  await server.close()
})

describe('beyond OpenAI', () => {
  it('reports unknown paths, unreadable bodies and invalid rerank requests as faults', async () => {
    const server = await startModelServer()
    const statuses = [
      await post(server, '/v1/completions', {}),
      await post(server, '/v1/chat/completions', '{"model":'),
      await post(server, '/v2/rerank', { model: 'r', query: '', documents: ['a'] }),
      await post(server, '/v2/rerank', { model: 'r', query: 'a', documents: ['a'], maxChunksPerDoc: 2 }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([404, 400, 400, 400])
    expect(server.faults.map(({ path }) => path)).toEqual([
      '/v1/completions',
      '/v1/chat/completions',
      '/v2/rerank',
      '/v2/rerank',
    ])
    expect(JSON.stringify(server.requests)).not.toContain('a-secret')
    await server.close()
  })
})
