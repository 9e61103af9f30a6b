import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openBullMqJobQueue } from '@plumbline/adapters/bullmq/bullmq-job-queue'
import { createClient } from '@plumbline/client'
import type { Gateway } from '@plumbline/gateway'
import { openBeside, openHouse, post, toAnswer, type House } from './house.spec'

const keys = ['fast', 'quick', 'few', 'many', 'one', 'wrong', 'small', 'big', 'old', 'chat'].map(
  (tenant) => `key-of-${tenant}:${tenant}:asker+admin`,
)
const question = { question: 'How heavy is Mars?' }
const options = {
  apiKeys: [...keys, 'second-of-quick:quick:asker', 'key-of-all:ops:operator+asker'].join(','),
  tenantAsksPerMinute: { fast: 60, quick: 600 },
  keyAsksPerMinute: 40,
  tenantRunsAtOnce: { few: 3, many: 505, one: 1, wrong: 2 },
  tenantWeights: { big: 3 },
  maxQueueSeconds: 600,
}

let house: House
let other: Gateway
/** A gateway that limits the number of parallel runs in the same way, but not the questions per minute. */
let unlimited: Gateway
beforeAll(async () => {
  house = await openHouse(options)
  other = await openBeside(house, options)
  unlimited = await openBeside(house, {
    apiKeys: 'unlimited-of-many:many:asker',
    tenantRunsAtOnce: options.tenantRunsAtOnce,
  })
})
afterAll(async () => {
  await other.close()
  await unlimited.close()
  await house.close()
})

const keyed = (tenant: string, more: Record<string, string> = {}) => ({ 'x-api-key': `key-of-${tenant}`, ...more })
const ask = (tenant: string, body: object = question, headers: Record<string, string> = {}, url = house.url) =>
  post(url, '/v1/runs', body, keyed(tenant, headers))
const idOf = async (answer: Response): Promise<string> => ((await answer.json()) as { id: string }).id
const metrics = async (): Promise<string> => (await fetch(`${house.url}/metrics`, { headers: keyed('all') })).text()

describe('how often a tenant and a key may ask', () => {
  it('is counted over two gateways together, and excess asks are told when to retry', async () => {
    const since = Date.now()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => ask('quick', question, {}, n % 2 ? house.url : other.url)),
    )
    const accepted = answers.filter(({ status }) => status === 202)
    const refused = answers.filter(({ status }) => status === 429)
    expect(accepted.length + refused.length).toBe(100)
    // A gateway may reserve part of the quota and not use it. One more ask is allowed every 1.5 s.
    expect(accepted.length).toBeLessThanOrEqual(40 + Math.ceil((Date.now() - since) / 1_500))
    expect(accepted.length).toBeGreaterThanOrEqual(36)
    const [first] = refused
    expect(await first?.json()).toMatchObject({ type: 'urn:plumbline:problem:too-many-asks', status: 429 })
    expect(first?.headers.get('retry-after')).toMatch(/^[12]$/)
    expect(first?.headers.get('ratelimit-policy')).toBe('"tenant";q=600;w=60, "key";q=40;w=60')
    expect(first?.headers.get('ratelimit')).toMatch(/^"tenant";r=5\d\d;t=\d+, "key";r=0;t=\d+$/)
    const second = await post(house.url, '/v1/runs', question, { 'x-api-key': 'second-of-quick' })
    expect(second.status).toBe(202)
    expect(second.headers.get('ratelimit')).toMatch(/"key";r=39;t=\d+$/)
  })

  it('is sent to OpenAI clients in their headers too, and browsers may read them', async () => {
    const gateway = await openBeside(house, {
      ...options,
      corsOrigins: ['https://app.example.org'],
      clientWaitSeconds: 1,
    })
    onTestFinished(() => gateway.close())
    const messages = [{ role: 'user', content: question.question }]
    const headers = keyed('chat', { origin: 'https://app.example.org' })
    const complete = (stream: boolean) =>
      post(gateway.url, '/v1/chat/completions', { model: 'standard', messages, stream }, headers)
    const shown = (answer: Response) => Object.fromEntries(answer.headers)
    for (const stream of [false, true]) {
      const answer = await complete(stream)
      await answer.body?.cancel()
      expect(answer.status).toBe(200)
      expect(shown(answer)).toMatchObject({
        'ratelimit-policy': '"key";q=40;w=60',
        ratelimit: expect.stringMatching(/^"key";r=3\d;t=\d+$/) as string,
        'x-ratelimit-limit-requests': '40',
        'x-ratelimit-remaining-requests': expect.stringMatching(/^3\d$/) as string,
        'x-ratelimit-reset-requests': expect.stringMatching(/^\d+s$/) as string,
      })
      const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(', ')
      expect(exposed).toEqual(
        expect.arrayContaining(['ratelimit', 'ratelimit-policy', 'x-ratelimit-remaining-requests', 'retry-after']),
      )
    }
    // While one asks, the next question may be allowed again.
    let refused = await complete(false)
    while (refused.status !== 429) {
      await Promise.all(Array.from({ length: 40 }, () => ask('chat', question, {}, gateway.url)))
      refused = await complete(false)
    }
    expect(shown(refused)).toMatchObject({
      'x-ratelimit-remaining-requests': '0',
      ratelimit: expect.stringMatching(/^"key";r=0;t=\d+$/) as string,
    })
  })

  it('says when to retry, and a retry at that time succeeds', async () => {
    let refused = await ask('fast')
    for (let n = 0; n < 100 && refused.status !== 429; n += 1) refused = await ask('fast')
    expect(refused.status).toBe(429)
    await wait(Number(refused.headers.get('retry-after')) * 1_000)
    expect((await ask('fast')).status).toBe(202)
  })

  it('is not used up by many rarely used keys: a gateway takes more ahead only for frequent ones', async () => {
    const crowd = Array.from({ length: 20 }, (_, n) => `key-${n}-of-crowd`)
    const gateway = await openBeside(house, { apiKeys: crowd.map((key) => `${key}:crowd:asker`).join(',') })
    onTestFinished(() => gateway.close())
    const answers = await Promise.all(crowd.map((key) => post(gateway.url, '/v1/runs', question, { 'x-api-key': key })))
    const left = answers.map(({ headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]))
    expect(Math.min(...left)).toBeGreaterThanOrEqual(6_000 - 3 * crowd.length)
  })

  it('does not affect a repeated request', async () => {
    const headers = { 'idempotency-key': 'once' }
    let first = await ask('fast', question, headers)
    await expect.poll(async () => (first = await ask('fast', question, headers)).status).toBe(202)
    const id = await idOf(first)
    await expect.poll(async () => (await ask('fast')).status, { interval: 1 }).toBe(429)
    expect(await idOf(await ask('fast', question, headers))).toBe(id)
  })
})

describe('how many runs a tenant may have at once', () => {
  it('is counted until they have ended or wait for a person', async () => {
    const ids = [await ask('few'), await ask('few'), await ask('few', question, {}, other.url)].map(idOf)
    const refused = await ask('few')
    expect(await refused.json()).toMatchObject({ type: 'urn:plumbline:problem:too-many-runs' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await house.report((await ids[0]) ?? '', ...toAnswer())
    await expect.poll(async () => (await ask('few')).status).toBe(202)
    expect((await ask('few')).status).toBe(429)
    expect((await ask('few', question, {}, other.url)).status).toBe(429)
  })

  it('has a place as soon as a run ended: twenty asks, one after another, all fit into one', async () => {
    for (let n = 0; n < 20; n += 1) {
      const answer = await ask('one')
      expect(answer.status).toBe(202)
      expect((await ask('one')).status).toBe(429)
      await house.report(await idOf(answer), ...toAnswer())
    }
  })

  it('is exact above 500', async () => {
    const headers = { 'x-api-key': 'unlimited-of-many' }
    const answers = await Promise.all(
      Array.from({ length: 505 }, () => post(unlimited.url, '/v1/runs', question, headers)),
    )
    expect(answers.filter(({ status }) => status !== 202)).toEqual([])
    const next = () => post(unlimited.url, '/v1/runs', question, headers)
    expect((await next()).status).toBe(429)
    const last = (await house.redis.zrange('asks:{many}:unfinished', '-1', '-1'))[0] ?? ''
    await house.report(last, ...toAnswer())
    expect((await next()).status).toBe(202)
    expect((await next()).status).toBe(429)
  })

  it('does not count a run that a crash left in the count', async () => {
    const id = await idOf(await ask('one'))
    await house.report(id, ...toAnswer())
    await house.redis.zadd('asks:{one}:unfinished', Date.now(), id)
    let answer = await ask('one')
    // The next check for such runs waits longer if the last one took long.
    await expect.poll(async () => (answer.status === 202 ? answer : (answer = await ask('one'))).status).toBe(202)
    await house.report(await idOf(answer), ...toAnswer())
  })

  it('does not count an ask that was refused', async () => {
    for (let n = 0; n < 4; n += 1)
      expect((await ask('wrong', { ...question, policy: 'there-is-none' })).status).toBe(400)
  })
})

describe('the queue position of a run', () => {
  const client = (tenant: string) => createClient({ url: house.url, key: `key-of-${tenant}` })

  it('is reported while it is queued, and another tenant’s run precedes the rest of a burst', async () => {
    const burst = await Promise.all(Array.from({ length: 20 }, () => ask('big', question)))
    expect(burst.every(({ status }) => status === 202)).toBe(true)
    const small = await client('small').ask(question)
    const last = await client('big').ask({ ...question, class: 'batch' })
    const views = await Promise.all(
      [await idOf(burst[5] as Response), small.id, last.id].map((id, n) => client(n === 1 ? 'small' : 'big').run(id)),
    )
    const queues = views.map(({ queue }) => queue)
    expect(queues.map((queue) => queue?.class)).toEqual(['interactive', 'interactive', 'batch'])
    expect(queues[1]?.position).toBeLessThan(queues[2]?.position ?? 0)
    expect(queues[0]?.waitingMs).toBeGreaterThanOrEqual(0)
    const behind = await Promise.all(
      burst.map(async (answer, n) =>
        n === 5 ? 0 : ((await client('big').run(await idOf(answer))).queue?.position ?? 0),
      ),
    )
    expect(behind.filter((position) => position > (queues[1]?.position ?? 0)).length).toBeGreaterThanOrEqual(15)
    await house.report(small.id, ...toAnswer())
    expect((await client('small').run(small.id)).queue).toBeUndefined()
    await expect.poll(metrics).toMatch(/plumbline_tenant_longest_wait_seconds\{tenant="big"\} \d/)
  })

  it('counts jobs with a turn as waiting', async () => {
    expect(await metrics()).toMatch(/plumbline_queue_jobs\{lane="main",queue="router",state="waiting"\} [1-9]/)
    expect(await metrics()).toMatch(/plumbline_queue_oldest_seconds\{lane="main",queue="router"\} [0-9.]+/)
  })

  it('refuses more from waiting tenants while a job is too old, and admits others', async () => {
    const queue = openBullMqJobQueue({ connection: house.redis })
    const [next] = await queue.next('main', 'router', 1)
    await house.redis.hset(`plumbline:{main}:router:${next?.runId}.route`, 'timestamp', Date.now() - 3_600_000)
    await expect.poll(async () => (await ask('big')).status, { interval: 400 }).toBe(429)
    const refused = await ask('big')
    expect(await refused.json()).toMatchObject({ type: 'urn:plumbline:problem:queue-too-long' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask('old')).status).toBe(202)
    await queue.close()
  })
})

it('a run that was stored without a turn comes first, and its tasks get no turn', async () => {
  const { id } = await createClient({ url: house.url, key: 'key-of-old' }).ask(question)
  const loaded = await house.store.load(id)
  expect(loaded?.run.turn).toBeGreaterThanOrEqual(0)
  const text = await house.redis.hget(`run:{${id}}:state`, 'run')
  const { turn: _, ...before } = JSON.parse(text ?? '') as Record<string, unknown>
  await house.redis.hset(`run:{${id}}:state`, 'run', JSON.stringify(before), 'version', 'of an older program')
  const moved = await house.report(id, ...toAnswer().slice(0, 1))
  expect(moved.turn).toBeUndefined()
  const queue = openBullMqJobQueue({ connection: house.redis })
  const stage = moved.open[0]?.kind === 'plan' ? 'planner' : 'researcher'
  expect((await queue.next('main', stage, 1)).map(({ runId }) => runId)).toEqual([id])
  await queue.close()
})
