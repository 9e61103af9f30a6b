import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf, openSpending } from '@plumbline/adapters/redis'
import { createClient } from '@plumbline/client'
import { policies } from '@plumbline/flow'
import { costing, found, planned, replied, routed, toResearch } from '@plumbline/flow/spec/given.spec'
import { openHouse, post, toAnswer, withPolicy, type House } from './house.spec'

const lines = ['small models: a-small-one at models.example', 'web search: off']
const keys = 'acme-key-1:acme:asker,bold-key-1:bold:asker,poor-key-1:poor:asker'

describe('what answers are made with', () => {
  let house: House
  beforeAll(async () => {
    house = await openHouse({ models: { label: 'a-small-one at models.example', lines } })
  })
  afterAll(() => house.close())

  it('stands in /readyz and on every run', async () => {
    expect(await (await fetch(`${house.url}/readyz`)).text()).toBe(['ready', ...lines, ''].join('\n'))
    expect(await house.client.ask({ question: 'How heavy is Mars?' })).toMatchObject({
      skills: 'a-small-one at models.example',
    })
  })

  it('marks what research had to do without, once, for the asker too', async () => {
    const { id } = await house.client.ask({ question: 'How heavy is Mars?' })
    await house.report(id, toResearch, planned('How heavy is Mars?', 'How old is it?'))
    expect((await house.client.run(id)).degraded).toBeUndefined()
    await house.report(
      id,
      found('1.1', ['p1'], { degraded: ['reranker'] }),
      found('2.1', ['p2'], { degraded: ['embedder', 'reranker'] }),
    )
    expect((await house.client.run(id)).degraded).toEqual(['reranker', 'embedder'])
  })

  it('is traced for those who may decide, one line per decision, and for nobody else', async () => {
    const { id } = await house.client.ask({ question: 'How heavy is Mars?' })
    const [first, ...rest] = toAnswer()
    await house.report(id, { ...first!, ...costing({ calls: 1, tokensIn: 10, tokensOut: 2, cents: 0.5 }) }, ...rest)
    expect((await house.client.run(id)).trace).toBeUndefined()
    const { trace = [], usage } = await house.client.run(id, { audience: 'desk' })
    expect(trace[0]).toBe('0.000 s ask: "How heavy is Mars?" under standard')
    for (const what of ['route', 'model', 'plan', 'step', 'search', 'grade', 'draft', 'claim', 'check', 'end'])
      expect(trace.join('\n')).toContain(` s ${what}: `)
    expect(trace.some((line) => line.includes('\n'))).toBe(false)
    expect(usage).toMatchObject({ calls: 1, cents: 0.5 })
  })

  it('counts what was spent outside of the run too, for the run and for the day', async () => {
    const { id } = await house.client.ask({ question: 'How heavy is Mars?' })
    await house.report(id, ...toAnswer())
    const spent = { calls: 3, tokensIn: 300, tokensOut: 30, cents: 0.25 }
    await openSpending(house.redis).charge({ id, tenant: 'default' }, spent, Date.now())
    expect((await house.client.run(id)).usage).toEqual(spent)
    const today = await house.client.usage()
    expect(today).toEqual({ tenant: 'default', day: dayOf(Date.now()), usage: spent })
    expect(await house.client.usage({ day: '2026-01-31' })).toMatchObject({
      day: '2026-01-31',
      usage: { calls: 0, cents: 0 },
    })
    expect((await fetch(`${house.url}/v1/usage?day=yesterday`)).status).toBe(400)
  })
})

describe('a thread', () => {
  let house: House
  beforeAll(async () => {
    house = await openHouse()
  })
  afterAll(() => house.close())

  it('goes on: the reply to what was asked back is the rest of the question', async () => {
    const { id } = await house.client.ask({ question: 'What is the value?', threadId: 't1' })
    await house.report(
      id,
      routed({ outcome: 'clarify', logic: 'Of what?' }),
      replied('Which value, and of which year?'),
    )
    expect(await house.client.run(id)).toMatchObject({
      status: 'needs_input',
      answer: { text: 'Which value, and of which year?' },
    })
    const next = await house.client.ask({ question: 'The mass of Mars.', threadId: 't1' })
    const run = (await house.store.load(next.id))?.run
    expect(run?.inThread).toMatchObject({
      runId: id,
      status: 'needs_input',
      question: 'What is the value?',
      text: 'Which value, and of which year?',
    })
    const last = await house.client.ask({ question: 'And of Venus?', threadId: 't1' })
    expect((await house.store.load(last.id))?.run.inThread).toBeUndefined()
  })

  it('knows what its last run cited, and is nobody else’s', async () => {
    const { id } = await house.client.ask({ question: 'How heavy is Mars?', threadId: 't2' })
    await house.report(id, ...toAnswer())
    const next = await house.client.ask({ question: 'And why?', threadId: 't2' }, { idempotencyKey: 'again' })
    expect((await house.store.load(next.id))?.run.inThread).toMatchObject({
      runId: id,
      status: 'answered',
      passageIds: ['p1'],
    })
    expect((await house.client.ask({ question: 'And why?', threadId: 't2' }, { idempotencyKey: 'again' })).id).toBe(
      next.id,
    )
    const other = await house.client.ask({ question: 'And why?', threadId: 't3' })
    expect((await house.store.load(other.id))?.run.inThread).toBeUndefined()
  })
})

describe('policies', () => {
  let house: House
  const asTenant = (tenant: string) => createClient({ url: house.url, key: `${tenant}-key-1` })
  beforeAll(async () => {
    withPolicy('marking', { whenSpent: 'mark' })
    const own = { ...policies.standard!, name: 'house-rules', maxRewrites: 1 }
    house = await openHouse({
      apiKeys: keys,
      policies: { 'house-rules': own },
      marked: ['bold'],
      dailyCents: { poor: 10 },
    })
  })
  afterAll(() => house.close())

  it('are listed, the operator’s own among them, and can be asked by', async () => {
    const client = asTenant('acme')
    const names = (await client.policies()).items.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'standard',
        'research',
        'adaptive',
        'corrective',
        'self-reflective',
        'agentic',
        'self-rag',
        'simple',
        'auto',
        'house-rules',
      ]),
    )
    const { id } = await client.ask({ question: 'How heavy is Mars?', policy: 'house-rules' })
    expect((await house.store.load(id))?.run.policy).toMatchObject({ name: 'house-rules', maxRewrites: 1 })
    const wrong = await post(
      house.url,
      '/v1/runs',
      { question: 'Why?', policy: 'no-such' },
      { authorization: 'Bearer acme-key-1' },
    )
    expect(await wrong.json()).toMatchObject({ status: 400, detail: expect.stringContaining('house-rules') as string })
  })

  it('release no marked draft to a tenant that is not said to want it', async () => {
    const whenSpent = async (tenant: string) => {
      const { id } = await asTenant(tenant).ask({ question: 'How heavy is Mars?', policy: 'marking' })
      return (await house.store.load(id))?.run.policy.whenSpent
    }
    expect(await whenSpent('acme')).toBe('park')
    expect(await whenSpent('bold')).toBe('mark')
  })

  it('cost what a tenant has: one whose day is spent is told when to come back', async () => {
    const ask = () =>
      post(house.url, '/v1/runs', { question: 'How heavy is Mars?' }, { authorization: 'Bearer poor-key-1' })
    const first = await asTenant('poor').ask({ question: 'How heavy is Mars?' }, { idempotencyKey: 'before' })
    await openSpending(house.redis).charge(
      { id: 'before', tenant: 'poor' },
      { calls: 1, tokensIn: 1, tokensOut: 1, cents: 10 },
      Date.now(),
    )
    // What was looked up is remembered for a second.
    await expect.poll(async () => (await ask()).status, { timeout: 5_000 }).toBe(429)
    const refused = await ask()
    expect((await asTenant('poor').ask({ question: 'How heavy is Mars?' }, { idempotencyKey: 'before' })).id).toBe(
      first.id,
    )
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ type: 'urn:plumbline:problem:budget-spent' })
    expect((await asTenant('acme').ask({ question: 'How heavy is Mars?' })).status).toBe('queued')
    expect(await asTenant('poor').usage()).toMatchObject({ centsPerDay: 10, usage: { cents: 10 } })
  })
})
