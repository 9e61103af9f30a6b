import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keys } from '@plumbline/adapters/redis/client/keys'
import { createClient, type Client } from '@plumbline/client'
import type { BatchResult } from '@plumbline/contracts'
import { createGateway, type Gateway } from '@plumbline/gateway'
import { features, onceOnly, openHouse, toAnswer, toPark, withPolicy, type House } from './house.spec'

withPolicy('once-only', onceOnly)
const options = {
  apiKeys:
    ['a', 'b', 'few', 'slow', 'cancels', 'killed'].map((tenant) => `key-of-${tenant}:${tenant}:asker+admin:*`).join() +
    ',reads-less-of-a:a:asker:staff,reviewer-of-a:a:reviewer:*,staff-of-a:a:asker:staff+board',
  tenantRunsAtOnce: { few: 4, killed: 20 },
  tenantAsksPerMinute: { slow: 120 },
}
let house: House
beforeAll(async () => {
  house = await openHouse(options)
})
afterAll(() => house.close())

const client = (tenant: string): Client => createClient({ url: house.url, key: `key-of-${tenant}` })
const jsonl = (lines: object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const questions = (count: number, more: object = {}): string =>
  jsonl(Array.from({ length: count }, (_, n) => ({ custom_id: `q${n + 1}`, question: `What of ${n + 1}?`, ...more })))
const resultsOf = async (of: Client, id: string): Promise<BatchResult[]> => {
  const all: BatchResult[] = []
  for await (const one of of.batchResults(id)) all.push(one)
  return all
}
const runIds = async (of: Client): Promise<string[]> => {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await of.runs({ limit: 100, ...(cursor && { cursor }) })
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.next ?? undefined
  } while (cursor)
  return ids
}
const openRuns = async (of: Client): Promise<string[]> =>
  (await of.runs({ limit: 100, status: 'queued' })).items.map(({ id }) => id)
const send = (tenant: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${house.url}/v1/batches`, {
    method: 'POST',
    headers: { 'content-type': 'application/jsonl', 'x-api-key': `key-of-${tenant}`, ...headers },
    body,
  })
const poll = <T>(look: () => Promise<T>) => expect.poll(look, { timeout: 20_000, interval: 40 })

describe('a file', () => {
  it('with mistakes is refused whole, each wrong line by its number', async () => {
    const body = [
      '{"question":"x","custom_id":"one"}',
      'nonsense',
      '{"question":""}',
      '{"question":"y","threadId":"t"}',
      '{"question":"z","custom_id":"one"}',
      '',
      '{"question":"z"}',
    ].join('\n')
    const answer = await send('b', body)
    const problem = (await answer.json()) as { detail: string; errors: { field: string }[] }
    expect(answer.status).toBe(400)
    expect(problem.errors.map(({ field }) => field)).toEqual([
      'line 2',
      'line 3: question',
      'line 4: threadId',
      'line 5: custom_id',
      'line 6',
    ])
    expect(problem.detail).toMatch(/^No question of this batch was asked\. line 2: The line is not valid JSON/)
    for (const [wrong, status] of [
      ['', 400],
      [questions(10_001), 400],
      ['\xff', 400],
    ] as const)
      expect((await send('b', wrong)).status).toBe(status)
    expect((await send('b', '{"question":"x"}', { 'content-type': 'application/json' })).status).toBe(415)
    const elsewhere = await fetch(`${house.url}/v1/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/jsonl', 'x-api-key': 'key-of-b' },
      body: '{}',
    })
    expect(elsewhere.status).toBe(415)
    expect((await client('b').batches()).items).toEqual([])
    expect(await runIds(client('b'))).toEqual([])
  })

  it('repeated with its key is the same batch, and another file is refused', async () => {
    const own = { idempotencyKey: 'once' }
    const first = await client('b').createBatch(questions(2), own)
    expect((await client('b').createBatch(questions(2), own)).id).toBe(first.id)
    await expect(client('b').createBatch(questions(3), own)).rejects.toMatchObject({ problem: { status: 422 } })
    expect((await client('b').batches()).items).toHaveLength(1)
  })
})

describe('the lines of a batch', () => {
  it('fail one by one, and what is held shows as parked and nothing else until it is decided', async () => {
    const a = client('a')
    const batch = await a.createBatch(
      jsonl([
        { custom_id: 'good', question: 'How heavy is Mars?' },
        { question: 'How heavy is Venus?', collection: ['nowhere'] },
        { custom_id: 'held', question: 'What is Mars made of?', policy: 'once-only' },
        { custom_id: 'policy', question: 'How?', policy: 'no-such' },
      ]),
    )
    expect(batch).toMatchObject({ status: 'running', progress: { total: 4 } })
    await poll(async () => (await a.batch(batch.id)).progress).toMatchObject({ running: 2, failed: 2, waiting: 0 })
    const before = await resultsOf(a, batch.id)
    expect(before.map(({ custom_id, line, status }) => [custom_id, line, status])).toEqual([
      ['good', 1, 'queued'],
      ['2', 2, 'refused'],
      ['held', 3, 'queued'],
      ['policy', 4, 'refused'],
    ])
    expect(before[1]?.error).toMatchObject({ type: 'urn:plumbline:problem:unknown-collection' })
    const [good = '', held = ''] = [before[0]?.runId, before[2]?.runId]
    expect((await house.store.load(good))?.run).toMatchObject({
      class: 'batch',
      askedBy: expect.stringContaining('key-'),
    })
    await house.report(good, ...toAnswer())
    await house.report(held, ...toPark())
    await poll(async () => (await a.batch(batch.id)).progress).toMatchObject({
      answered: 1,
      parked: 1,
      failed: 2,
      running: 0,
    })
    const text = await (
      await fetch(`${house.url}/v1/batches/${batch.id}/results`, { headers: { 'x-api-key': 'key-of-a' } })
    ).text()
    expect(text).not.toContain('cheese')
    const during = await resultsOf(a, batch.id)
    expect(during[0]).toMatchObject({ status: 'answered', answer: { text: expect.stringContaining('6.4e23') } })
    expect(during[2]).toEqual({
      custom_id: 'held',
      line: 3,
      status: 'parked',
      reason: 'parked.ungrounded',
      runId: held,
    })
    expect((await a.batch(batch.id)).status).toBe('running')

    await a.decide(held, { taskId: 'review.1', decisionId: 'd1', action: 'approve' })
    expect((await resultsOf(a, batch.id))[2]).toMatchObject({
      status: 'answered',
      answer: { text: expect.stringContaining('cheese') },
    })
    await poll(async () => (await a.batch(batch.id)).status).toBe('finished')
    const view = await a.batch(batch.id)
    expect(view.progress).toEqual({ total: 4, waiting: 0, running: 0, parked: 0, answered: 2, failed: 2, cancelled: 0 })
    expect(Date.parse(view.resultsUntil ?? '') - Date.parse(view.createdAt)).toBeGreaterThanOrEqual(24 * 3_600_000)
    await expect(a.cancelBatch(batch.id)).rejects.toMatchObject({ problem: { status: 409 } })
    // If a run no longer exists, the result of its line has the status `gone`.
    await house.redis.del(keys.state(good))
    expect((await resultsOf(a, batch.id))[0]).toEqual({ custom_id: 'good', line: 1, status: 'gone' })
  })

  it('are invisible to other tenants, and to readers with less access', async () => {
    const { id } = await client('a').createBatch(questions(1))
    const strangers = [client('b'), createClient({ url: house.url, key: 'reads-less-of-a' })]
    for (const stranger of strangers) {
      for (const call of [() => stranger.batch(id), () => stranger.cancelBatch(id), () => resultsOf(stranger, id)])
        await expect(call()).rejects.toMatchObject({ problem: { status: 404 } })
      expect((await stranger.batches()).items.map((one) => one.id)).not.toContain(id)
    }
    const reviewer = createClient({ url: house.url, key: 'reviewer-of-a' })
    expect((await reviewer.batch(id)).id).toBe(id)
    await expect(reviewer.createBatch(questions(1))).rejects.toMatchObject({ problem: { status: 403 } })
    const staff = createClient({ url: house.url, key: 'staff-of-a' })
    await expect(staff.createBatch(jsonl([{ question: 'x', access: ['secret'] }]))).rejects.toMatchObject({
      problem: { status: 400, detail: expect.stringContaining('line 1: access') },
    })
  })
})

describe('limits of a batch', () => {
  it('is half of the runs that its tenant may have at once, so that its other asks are let in', async () => {
    const few = client('few')
    const { id } = await few.createBatch(questions(10))
    await poll(async () => (await few.batch(id)).progress.running).toBe(2)
    expect((await few.ask({ question: 'And me?' })).status).toBe('queued')
    expect((await few.batch(id)).progress).toMatchObject({ running: 2, waiting: 8 })
    const [first = ''] = (await openRuns(few)).slice(-1)
    await house.report(first, ...toAnswer())
    await poll(async () => (await few.batch(id)).progress).toMatchObject({ running: 2, answered: 1, waiting: 7 })
  })

  it('is half of the questions that its tenant may ask per minute', async () => {
    const slow = client('slow')
    const began = Date.now()
    const { id } = await slow.createBatch(questions(16))
    await poll(async () => (await slow.batch(id)).progress.running).toBeGreaterThanOrEqual(3)
    // The first line is asked at once, then one line per second. Three lines therefore take about two seconds.
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_900)
    expect((await slow.ask({ question: 'And me?' })).status).toBe('queued')
    await slow.cancelBatch(id)
  })
})

it('a batch that is cancelled in the middle asks no further questions and cancels its runs in progress', async () => {
  const own = client('cancels')
  const { id } = await own.createBatch(questions(40, { policy: 'once-only' }))
  await poll(async () => (await own.batch(id)).progress.running).toBe(8)
  const runs = await runIds(own)
  await house.report(runs[0] ?? '', ...toAnswer())
  await house.report(runs[1] ?? '', ...toPark())
  await poll(async () => (await own.batch(id)).progress).toMatchObject({ answered: 1, parked: 1 })
  expect((await own.cancelBatch(id)).status).toBe('cancelling')
  await poll(async () => (await own.batch(id)).status).toBe('cancelled')
  expect((await own.batch(id)).progress).toEqual({
    total: 40,
    waiting: 0,
    running: 0,
    parked: 0,
    answered: 1,
    failed: 0,
    cancelled: 39,
  })
  const results = await resultsOf(own, id)
  expect(results.map(({ line }) => line)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
  expect(results.filter(({ status }) => status === 'cancelled')).toHaveLength(39)
  expect((await runIds(own)).length).toBeLessThanOrEqual(10)
  expect((await own.cancelBatch(id)).status).toBe('cancelled')
})

it('continues in another gateway when one is killed, and no line is lost or asked twice', async () => {
  const own = client('killed')
  const count = 60
  let alive = true
  const answerAll = (async () => {
    while (alive) await Promise.all((await openRuns(own)).map((id) => house.report(id, ...toAnswer())))
  })()
  const { id } = await own.createBatch(questions(count))
  let other: Gateway | undefined
  try {
    await poll(async () => (await own.batch(id)).progress.answered).toBeGreaterThan(10)
    // Simulate a killed gateway: three lines are claimed but not asked, and one line is asked but not recorded.
    const leave = `local held = redis.call('HGETALL', KEYS[2])
      if held[2] ~= 'asked' then return '' end
      local n = tonumber(redis.call('HGET', KEYS[1], 'claimed'))
      for line = n + 1, n + 3 do redis.call('HSET', KEYS[2], ARGV[1] .. '.' .. line, '') end
      redis.call('HSET', KEYS[1], 'claimed', n + 3)
      local line = string.match(held[1], '%d+$')
      redis.call('HSET', KEYS[2], held[1], '')
      redis.call('HINCRBY', KEYS[1], 'running', -1)
      local lines = KEYS[3] .. cjson.decode(redis.call('HGET', KEYS[1], 'told')).lines
      redis.call('HSET', lines, line, cjson.encode({ custom_id = 'q' .. line, ask = { question = 'What of ' .. line .. '?' } }))
      return line`
    const touched = [keys.batch('killed', id), keys.batchRunning('killed'), keys.batchLines('killed', '')]
    await poll(() => house.redis.eval(leave, 3, ...touched, id)).toMatch(/^\d+$/)
    other = await createGateway({
      features,
      ...options,
      redisUrl: house.server.url,
      port: 0,
      removePassages: () => Promise.resolve(),
    })
    await poll(async () => (await own.batch(id)).status).toBe('finished')
    expect((await own.batch(id)).progress).toMatchObject({ total: count, answered: count })
    expect(await runIds(own)).toHaveLength(count)
    const results = await resultsOf(own, id)
    expect(new Set(results.map(({ runId }) => runId)).size).toBe(count)
    expect(results.map(({ custom_id }) => custom_id)).toEqual(Array.from({ length: count }, (_, n) => `q${n + 1}`))
  } finally {
    alive = false
    await answerAll
    await other?.close()
  }
})

it('stops asking with the rights of a key that was revoked', async () => {
  const admin = client('a')
  const { id: keyId, key } = await admin.createKey({ name: 'short', roles: ['asker'] })
  const own = createClient({ url: house.url, ...(key && { key }) })
  const { id } = await own.createBatch(questions(30))
  await poll(async () => (await admin.batch(id)).progress.running).toBeGreaterThanOrEqual(1)
  await admin.revokeKey(keyId)
  for (const run of (await admin.runs({ limit: 100, status: 'queued' })).items)
    await house.report(run.id, ...toAnswer())
  await poll(async () => (await admin.batch(id)).progress.waiting).toBe(0)
  const refused = (await resultsOf(admin, id)).filter(({ status }) => status === 'refused')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.error).toMatchObject({ status: 403, detail: expect.stringContaining('is no longer valid') })
})

it('every key of batches ends by itself', async () => {
  const all = await house.redis.keys('batches:{*')
  expect(all.length).toBeGreaterThan(2)
  for (const key of all) expect([key, await house.redis.pttl(key)]).not.toEqual([key, -1])
})
