import { expect, it } from 'vitest'
import { keys } from '../client/keys'
import { ownRedis } from '../spec/own-redis.spec'
import { grains, openOpsHistory } from './history'

const { redis } = await ownRedis()
const history = openOpsHistory(redis)
const others = '["runs","*","*"]'
const row = (tenant: string, counts: Record<string, number>) => ({
  name: JSON.stringify(['runs', tenant, 'standard']),
  instead: others,
  counts,
})
const noon = Date.UTC(2026, 10, 22, 12)

it('adds what several processes counted, by minute and by hour', async () => {
  await Promise.all([
    history.add([row('a', { asked: 2, 'ended:answered': 1 })], [], noon + 1_000),
    history.add([row('a', { asked: 3 }), row('b', { asked: 1 })], [], noon + 59_000),
    history.add([row('a', { asked: 5 })], [], noon + 61_000),
  ])
  const minutes = await history.read('minute', noon, noon + 120_000)
  expect(minutes.map(({ at, rows }) => [at - noon, rows.get('["runs","a","standard"]'), rows.size])).toEqual([
    [0, { asked: 5, 'ended:answered': 1 }, 2],
    [60_000, { asked: 5 }, 1],
  ])
  const [hour] = await history.read('hour', noon, noon + 1)
  expect(hour?.rows.get('["runs","a","standard"]')).toEqual({ asked: 10, 'ended:answered': 1 })
})

it('limits its rows, counts further tenants together, and lets all its keys expire', async () => {
  const tenants = Array.from({ length: 1_000 }, (_, n) => row(`t${n}`, { asked: 1 }))
  await history.add(
    tenants,
    [{ runId: 'r1', taskId: 'plan', tenant: 'a', policy: 'standard', reason: 'x', at: 1 }],
    noon,
  )
  await history.add(tenants, [], noon)
  for (const grain of ['minute', 'hour'] as const) {
    const [bucket] = await history.read(grain, noon, noon + 1)
    expect(bucket?.rows.size).toBe(grains[grain].mostRows + 1)
    const sum = [...(bucket?.rows.values() ?? [])].reduce((all, { asked = 0 }) => all + asked, 0)
    expect(sum).toBe(2_000)
    expect(await redis.memory('USAGE', keys.counted(grain, noon))).toBeLessThan(250 * grains[grain].mostRows)
  }
  for (const key of await redis.keys('ops:*')) expect(await redis.pttl(key)).toBeGreaterThan(0)
})

it('keeps a limited number of abandoned tasks, the newest first, and shortens long reasons', async () => {
  const entries = Array.from({ length: 1_200 }, (_, n) => ({
    runId: `r${n}`,
    taskId: 'plan',
    tenant: 'a',
    policy: 'standard',
    reason: 'x'.repeat(2_000),
    at: n,
  }))
  for (let i = 0; i < entries.length; i += 100) await history.add([], entries.slice(i, i + 100), noon)
  const kept = await history.abandoned()
  expect([kept.length, kept[0]?.at, kept[0]?.reason.length]).toEqual([1_000, 1_199, 500])
})
