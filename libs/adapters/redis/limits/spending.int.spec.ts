import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silent, startPrivateCluster, startPrivateRedis } from '@plumbline/platform'
import { connectFailFast, dayOf, openSpending, type RedisClient, type Spending, whenReady } from '..'
import { openTenantBudget } from './spending'

const servers: [string, () => Promise<{ url: string; stop(): Promise<void> }>][] = [
  ['one Redis', () => startPrivateRedis()],
  ['a cluster', () => startPrivateCluster()],
]
const noon = Date.UTC(2026, 0, 31, 12)
const call = { calls: 1, tokensIn: 100, tokensCached: 40, tokensOut: 7, cents: 0.1 }

describe.each(servers)('spending on %s', (_, start) => {
  let server: Awaited<ReturnType<typeof start>>
  let redis: RedisClient
  let spending: Spending
  beforeAll(async () => {
    server = await start()
    redis = connectFailFast(server.url)
    await whenReady(redis, 5_000)
    spending = openSpending(redis)
  })
  afterAll(async () => {
    redis.disconnect()
    await server.stop()
  })

  test('adds up by run and by tenant and UTC day, to the millionth of a cent', async () => {
    const runs = [
      { id: 'one', tenant: 'acme' },
      { id: 'two', tenant: 'acme' },
    ]
    for (let n = 0; n < 10; n += 1) for (const run of runs) await spending.charge(run, call, noon)
    await spending.charge(
      { id: 'two', tenant: 'acme' },
      { calls: 1, tokensIn: 5, tokensOut: 0, cents: 0 },
      noon + 86_400_000,
    )
    expect(await spending.ofRun('one')).toEqual({
      calls: 10,
      tokensIn: 1_000,
      tokensCached: 400,
      tokensOut: 70,
      cents: 1,
    })
    expect(await spending.ofDay('acme', dayOf(noon))).toEqual({
      calls: 20,
      tokensIn: 2_000,
      tokensCached: 800,
      tokensOut: 140,
      cents: 2,
    })
    expect(await spending.ofDay('acme', '2026-02-01')).toEqual({ calls: 1, tokensIn: 5, tokensOut: 0, cents: 0 })
  })

  test('has no usage for a tenant that spent nothing, and every account expires', async () => {
    expect(await spending.ofRun('nobody')).toBeNull()
    expect(await spending.ofDay('nobody', dayOf(noon))).toBeNull()
    await spending.charge({ id: 'three', tenant: 'globex' }, call, noon)
    expect(await redis.pttl('run:{three}:usage')).toBeGreaterThan(0)
    expect(await redis.pttl(`usage:{globex}:${dayOf(noon)}`)).toBeGreaterThan(0)
  })
})

const at = Date.UTC(2026, 0, 31, 23, 59, 59)
const inCents = (cents: Record<string, number>) => ({ cents, tokens: {} })
const spender = (cents: number) => {
  const asked: string[] = []
  const ofDay = (tenant: string, day: string) => {
    asked.push(`${tenant} ${day}`)
    return Promise.resolve({ calls: 1, tokensIn: 0, tokensOut: 0, cents })
  }
  return { asked, ofDay }
}

test('a tenant has spent its day when it has spent as much as its budget, by its own or the one for all', async () => {
  const budget = openTenantBudget(spender(10), inCents({ '*': 10, acme: 11, constructor: 12 }), silent)
  expect(await budget.isSpent('globex', at)).toBe(true)
  expect(await budget.isSpent('acme', at)).toBe(false)
  expect(await budget.isSpent('constructor', at)).toBe(false)
})

test('tokens are a budget of their own, what is sent and what is written together', async () => {
  const ofDay = () => Promise.resolve({ calls: 1, tokensIn: 600, tokensOut: 400, cents: 1 })
  const budget = openTenantBudget({ ofDay }, { cents: { acme: 2 }, tokens: { '*': 1_001, acme: 1_000 } }, silent)
  expect(await budget.isSpent('globex', at)).toBe(false)
  expect(await budget.isSpent('acme', at)).toBe(true)
})

test('without a budget nothing is asked', async () => {
  const spent = spender(1_000)
  expect(await openTenantBudget(spent, inCents({ acme: 1 }), silent).isSpent('globex', at)).toBe(false)
  expect(await openTenantBudget(spent, inCents({}), silent).isSpent('toString', at)).toBe(false)
  expect(spent.asked).toEqual([])
})

test('an answer is good for a second and not for another day', async () => {
  const spent = spender(0)
  const budget = openTenantBudget(spent, inCents({ '*': 1 }), silent)
  for (const after of [0, 500, 999, 1_000]) await budget.isSpent('acme', at + after)
  expect(spent.asked).toEqual(['acme 2026-01-31', 'acme 2026-02-01'])
})

test('a failed lookup does not block a tenant', async () => {
  const budget = openTenantBudget({ ofDay: () => Promise.reject(new Error('gone')) }, inCents({ '*': 1 }), silent)
  expect(await budget.isSpent('acme', at)).toBe(false)
})
