import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf, openSpending } from '@plumbline/adapters/redis/limits/spending'
import { createClient } from '@plumbline/client'
import { policies, type Policy } from '@plumbline/flow'
import { costing, found, planned, toResearch } from '@plumbline/flow/spec/run-fixtures.spec'
import { onceOnly, openHouse, post, toAnswer, toPark, withPolicy, type House } from './house.spec'

const lines = ['small models: a-small-one at models.example', 'web search: off']
/** Settings that release a draft without review. Tenants without permission get `strong` instead. */
const weak: Partial<Policy> = {
  ...onceOnly,
  checkAnswer: 'off',
  parkBelow: 0,
  whenSpent: 'caveat',
  whenParkedTooLong: 'caveat',
  streamDrafts: 'on',
  generalKnowledge: 'mark',
}
const strong: Partial<Policy> = {
  checkAnswer: 'on',
  parkBelow: 1,
  whenSpent: 'park',
  whenParkedTooLong: 'refuse',
  streamDrafts: 'off',
  generalKnowledge: 'park',
}
const keys = 'acme-key-1:acme:asker+admin,bold-key-1:bold:asker,poor-key-1:poor:asker'

/** Returns the reports without grades of passages, because with a model, passages are graded only when needed. */
const ungraded = (): ReturnType<typeof toAnswer> => toAnswer().filter(({ kind }) => kind !== 'grade-evidence')

describe('models of answers', () => {
  let house: House
  beforeAll(async () => {
    house = await openHouse({ models: { label: 'a-small-one at models.example', lines } })
  })
  afterAll(() => house.close())

  it('are in /readyz and on every run', async () => {
    expect(await (await fetch(`${house.url}/readyz`)).json()).toMatchObject({ status: 'ok', models: lines })
    expect(await house.client.ask({ question: 'How heavy is Mars?' })).toMatchObject({
      skills: 'a-small-one at models.example',
    })
  })

  it('marks missing parts of the research once, for the asker too', async () => {
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
    const [first, ...rest] = ungraded()
    await house.report(id, { ...first!, ...costing({ calls: 1, tokensIn: 10, tokensOut: 2, cents: 0.5 }) }, ...rest)
    expect((await house.client.run(id)).trace).toBeUndefined()
    const { trace = [], usage } = await house.client.run(id, { audience: 'desk' })
    expect(trace[0]).toBe('0.000 s ask: "How heavy is Mars?" under standard')
    for (const what of ['route', 'model', 'plan', 'step', 'search', 'draft', 'claim', 'check', 'end'])
      expect(trace.join('\n')).toContain(` s ${what}: `)
    expect(trace.some((line) => line.includes('\n'))).toBe(false)
    expect(usage).toMatchObject({ calls: 1, cents: 0.5 })
  })

  it('counts what was spent outside of the run too, for the run and for the day', async () => {
    const { id } = await house.client.ask({ question: 'How heavy is Mars?' })
    await house.report(id, ...ungraded())
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

describe('policies', () => {
  let house: House
  const asTenant = (tenant: string) => createClient({ url: house.url, key: `${tenant}-key-1` })
  withPolicy('weak', weak)
  beforeAll(async () => {
    const own = { ...policies.standard!, name: 'house-rules', maxRewrites: 1 }
    house = await openHouse({
      apiKeys: keys,
      ownPolicies: { 'house-rules': own, 'weak-of-the-house': { ...own, ...weak, name: 'weak-of-the-house' } },
      markedAnswers: ['bold'],
      routesFile: [
        ...['house-rules', 'weak-of-the-house'].map((policy) => ({
          name: policy,
          then: { policy },
          fits: ({ text }: { text: string }) => text.endsWith(`by ${policy}?`),
        })),
        {
          name: 'leave',
          then: { policy: 'corrective', collections: ['hr'] },
          fits: ({ text }) => text.includes('leave'),
        },
      ],
      tenantCentsPerDay: { poor: 10 },
    })
  })
  afterAll(() => house.close())

  it('without a route search only the collections of the rule that chose them', async () => {
    const client = asTenant('acme')
    for (const name of ['hr', 'parts']) await client.putCollection(name, { description: `About ${name}.` })
    const collectionsOf = async (ask: { question: string; policy?: string }) => {
      const run = (await house.store.load((await client.ask(ask)).id))?.run
      return [run?.policy.name, run?.collections]
    }
    expect(await collectionsOf({ question: 'How long is parental leave?' })).toEqual(['corrective', ['hr']])
    const asked = await collectionsOf({ question: 'How long is parental leave?', policy: 'corrective' })
    expect(asked).toEqual(['corrective', expect.arrayContaining(['hr', 'parts'])])
  })

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

  it.each<[string, Partial<Policy>]>([
    ['adaptive', { whenSpent: 'park' }],
    ['agentic', { whenSpent: 'park' }],
    ['self-reflective', { generalKnowledge: 'park' }],
    ['weak', strong],
    ['weak-of-the-house', strong],
  ])('are no way around the hold for a tenant that is not named: %s', async (policy, kept) => {
    const { id } = await asTenant('acme').ask({ question: 'How heavy is Mars?', policy })
    expect((await house.store.load(id))?.run.policy).toMatchObject(kept)
  })

  it('are chosen by the operator’s rules where the ask names none, and hold as any other', async () => {
    const client = asTenant('acme')
    const policyOf = async (ask: Parameters<typeof client.ask>[0]) =>
      (await house.store.load((await client.ask(ask)).id))?.run.policy
    expect(await policyOf({ question: 'How heavy is Mars by house-rules?' })).toMatchObject({ name: 'house-rules' })
    expect(await policyOf({ question: 'How heavy is Mars by house-rules?', policy: 'research' })).toMatchObject({
      name: 'research',
    })
    expect(await policyOf({ question: 'How heavy is Mars?' })).toMatchObject({ name: 'standard' })
    expect(await policyOf({ question: 'How heavy is Mars by weak-of-the-house?' })).toMatchObject(strong)
  })

  it('are held by the policy of a collection too, and release nothing ungrounded', async () => {
    await asTenant('acme').putCollection('loose', { description: 'Anything.', policy: 'weak' })
    const { id } = await asTenant('acme').ask({ question: 'What is Mars made of?', collection: 'loose' })
    await house.report(id, ...toPark())
    const view = await asTenant('acme').run(id)
    expect(view).toMatchObject({ status: 'parked', reason: 'parked.ungrounded' })
    expect(JSON.stringify(view)).not.toContain('cheese')
  })

  it('are unchanged for a tenant that the operator named', async () => {
    const { id } = await asTenant('bold').ask({ question: 'What is Mars made of?', policy: 'weak-of-the-house' })
    expect((await house.store.load(id))?.run.policy).toMatchObject(weak)
    await house.report(id, ...toPark().slice(0, -1))
    expect(await asTenant('bold').run(id)).toMatchObject({ status: 'answered', reason: 'answered.unchecked' })
  })

  it('cost the tenant’s budget: once it is spent, an ask is told when to retry', async () => {
    const ask = () =>
      post(house.url, '/v1/runs', { question: 'How heavy is Mars?' }, { authorization: 'Bearer poor-key-1' })
    const first = await asTenant('poor').ask({ question: 'How heavy is Mars?' }, { idempotencyKey: 'before' })
    await openSpending(house.redis).charge(
      { id: 'before', tenant: 'poor' },
      { calls: 1, tokensIn: 1, tokensOut: 1, cents: 10 },
      Date.now(),
    )
    // Poll, because a gateway caches the spent amount for a second.
    await expect.poll(async () => (await ask()).status).toBe(402)
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
