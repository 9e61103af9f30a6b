import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silent, startPrivateCluster, startPrivateRedis } from '@plumbline/platform'
import { connectFailFast, type RedisClient, whenReady } from '../client/client'
import { dayOf, openSpending, type Spending } from './spending'
import { openSettling } from './settle-run'
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

  describe('a reservation', () => {
    const usual = { cents: 10, tokens: 1_000 }
    const limit = { cents: 20, tokens: 5_000 }
    const inTime = () => Date.now() + 60_000
    const reserving =
      (tenant: string, budget: { cents?: number; tokens?: number }) =>
      (id: string, deadlineAt = inTime()) =>
        spending.reserve({ run: { id, tenant, deadlineAt }, at: noon, budget, usual, limit })
    const costing = (cents: number, tokens = 0) => ({ calls: 1, tokensIn: tokens, tokensOut: 0, cents })
    const settle = (tenant: string, id: string, cents?: number) =>
      openSettling(redis)(tenant, id, cents === undefined ? undefined : costing(cents))

    test('leaves no budget to others until its run ends, and then the mean of the ended runs is reserved', async () => {
      const reserve = reserving('means', { cents: 30 })
      const first = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => reserve(id)))
      expect(first).toEqual(['reserved', 'reserved', 'reserved', 'full', 'full'])
      await spending.charge({ id: 'a', tenant: 'means' }, costing(4), noon)
      await settle('means', 'a', 4)
      await settle('means', 'a', 4)
      // 4 of 30 cents are spent, 20 are reserved for b and c, and the estimate for each new run is 4.
      expect([await reserve('d'), await reserve('e')]).toEqual(['reserved', 'full'])
      await Promise.all(['b', 'c', 'd'].map((id) => settle('means', id, 0)))
      const left = Array.from({ length: 40 }, (_, n) => reserve(`f${n}`))
      expect((await Promise.all(left)).filter((reply) => reply === 'reserved')).toHaveLength(26)
    })

    test('is counted once for a repeated ask', async () => {
      const reserve = reserving('twice', { cents: 20 })
      expect([await reserve('a'), await reserve('a'), await reserve('b')]).toEqual(['reserved', 'reserved', 'reserved'])
      expect(await reserve('c')).toBe('full')
    })

    test('is never more than the limit of its run, and is not refused while nothing else is reserved', async () => {
      const reserve = reserving('small', { cents: 3 })
      expect([await reserve('a'), await reserve('b')]).toEqual(['reserved', 'full'])
      await settle('small', 'a', 1_000)
      expect(await reserve('b')).toBe('reserved')
      expect(await redis.hget('usage:{small}:reserved', 'microcents')).toBe('20000000')
      await spending.charge({ id: 'b', tenant: 'small' }, costing(3), noon)
      await settle('small', 'b', 3)
      expect(await reserve('c')).toBe('spent')
    })

    test('counts tokens too, and a run that cost nothing', async () => {
      const reserve = reserving('tokens', { tokens: 2_000 })
      const first = [await reserve('a'), await reserve('b'), await reserve('c')]
      expect(first).toEqual(['reserved', 'reserved', 'full'])
      await settle('tokens', 'a', 0)
      await settle('tokens', 'b', 0)
      for (const id of ['d', 'e', 'f']) expect(await reserve(id)).toBe('reserved')
      for (const id of ['d', 'e', 'f']) await settle('tokens', id, 0)
      await spending.charge({ id: 'f', tenant: 'tokens' }, costing(0, 2_000), noon)
      expect(await reserve('g')).toBe('spent')
    })

    test('ends at the deadline of a run that nobody settled', async () => {
      const reserve = reserving('late', { cents: 10 })
      expect(await reserve('a', Date.now() - 1)).toBe('reserved')
      expect(await reserve('b')).toBe('reserved')
      expect(await reserve('c')).toBe('full')
    })

    test('of a run that never started does not change the mean', async () => {
      const reserve = reserving('never', { cents: 100 })
      await reserve('a')
      await settle('never', 'a')
      expect(await redis.hgetall('usage:{never}:reserved')).toEqual({ microcents: '0', tokens: '0' })
    })

    test('weighs recent runs more', async () => {
      const reserve = reserving('recent', { cents: 1_000_000 })
      for (let n = 0; n < 400; n += 1) {
        await reserve(`r${n}`)
        await settle('recent', `r${n}`, n < 200 ? 2 : 8)
      }
      const { runs, 'spent microcents': sum } = await redis.hgetall('usage:{recent}:reserved')
      expect(Number(sum) / Number(runs) / 1_000_000).toBeGreaterThan(7)
    })

    test('expires, and a run without one writes nothing', async () => {
      const names = ['usage:{expiring}:reserved', 'usage:{expiring}:reserved-until']
      await settle('expiring', 'a', 1)
      expect(await Promise.all(names.map((name) => redis.exists(name)))).toEqual([0, 0])
      await reserving('expiring', { cents: 10 })('a')
      for (const name of names) expect(await redis.pttl(name)).toBeGreaterThan(0)
    })
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

test('a tenant has spent its daily budget, which is its own or the one for all tenants', async () => {
  const budget = openTenantBudget(spender(10), inCents({ '*': 10, acme: 11, constructor: 12 }), silent)
  expect(await budget.isSpent('globex', at)).toBe(true)
  expect(await budget.isSpent('acme', at)).toBe(false)
  expect(await budget.isSpent('constructor', at)).toBe(false)
})

test('tokens have their own budget, for input and output together', async () => {
  const ofDay = () => Promise.resolve({ calls: 1, tokensIn: 600, tokensOut: 400, cents: 1 })
  const budget = openTenantBudget({ ofDay }, { cents: { acme: 2 }, tokens: { '*': 1_001, acme: 1_000 } }, silent)
  expect(await budget.isSpent('globex', at)).toBe(false)
  expect(await budget.isSpent('acme', at)).toBe(true)
})

test('without a budget, no usage is read', async () => {
  const spent = spender(1_000)
  expect(await openTenantBudget(spent, inCents({ acme: 1 }), silent).isSpent('globex', at)).toBe(false)
  expect(await openTenantBudget(spent, inCents({}), silent).isSpent('toString', at)).toBe(false)
  expect(spent.asked).toEqual([])
})

test('a result is cached for a second, but not for another day', async () => {
  const spent = spender(0)
  const budget = openTenantBudget(spent, inCents({ '*': 1 }), silent)
  for (const after of [0, 500, 999, 1_000]) await budget.isSpent('acme', at + after)
  expect(spent.asked).toEqual(['acme 2026-01-31', 'acme 2026-02-01'])
})

test('a failed lookup does not block a tenant', async () => {
  const budget = openTenantBudget({ ofDay: () => Promise.reject(new Error('gone')) }, inCents({ '*': 1 }), silent)
  expect(await budget.isSpent('acme', at)).toBe(false)
})
