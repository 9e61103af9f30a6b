import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AskClass } from '@plumbline/contracts'
import { startPrivateCluster, startPrivateRedis } from '@plumbline/platform'
import type { JobQueue } from '@plumbline/ports/job-queue'
import { openBullMqJobQueue } from '../../bullmq/bullmq-job-queue'
import { queuePrefix, stageKeys } from '../../bullmq/queues'
import { connectFailFast, whenReady, type RedisClient } from '../client/client'
import { keys } from '../client/keys'
import {
  batchShare,
  lowestPriority,
  openFairShare,
  turnsPerPriority,
  type QueueTurn,
  type FairShare,
} from './fair-share'

const router = `${queuePrefix('main')}:router`
type Stage = 'router' | 'generator'

const openBench = (redis: RedisClient, lowest = lowestPriority, mostAhead = 0) => {
  const turns: FairShare = openFairShare({ redis, queueKeys: stageKeys, lowest, mostAhead })
  const queue: JobQueue = openBullMqJobQueue({ connection: redis })
  const add = (name: string, turn: number, stage: Stage = 'router') =>
    queue.add('main', [{ queue: stage, jobId: `${name}.route`, data: { runId: name, taskId: 'route' }, turn }])
  const take = async (
    tenant: string,
    { class: kind = 'interactive', cost = 1, weight = 1 }: { class?: AskClass; cost?: number; weight?: number } = {},
  ) => turns.take('main', { tenant, class: kind, cost, weight })
  const turnOf = (turn: QueueTurn): number => (turn.kind === 'taken' ? turn.turn : NaN)
  /** Adds a job like an ask does. */
  const ask = async (name: string, tenant: string, asked: Parameters<typeof take>[1] = {}): Promise<number> => {
    const turn = turnOf(await take(tenant, asked))
    await add(name, turn)
    return turn
  }
  /** Takes and finishes a job like BullMQ's worker does. */
  const serve = async (stage: Stage = 'router'): Promise<string | undefined> => {
    const prefix = `${queuePrefix('main')}:${stage}`
    const [id] = await redis.zpopmin(`${prefix}:prioritized`)
    if (id !== undefined) await redis.del(`${prefix}:${id}`)
    return id?.replace(/\..*/, '')
  }
  return { turns, queue, add, take, ask, serve, turnOf }
}

/** Implements start-time fair queueing as in textbooks, as a model for comparison. */
const plainModel = () => {
  const ends = new Map<string, number>()
  const waiting: { name: string; turn: number }[] = []
  let [now, last] = [0, 0]
  const head = () => waiting.reduce((first, each) => (each.turn < first.turn ? each : first))
  return {
    waiting,
    ask: (name: string, flow: string, cost: number, atItsEnd: boolean): number => {
      now = Math.max(now, waiting.length > 0 ? head().turn : last)
      const begin = Math.max(now, ends.get(flow) ?? 0)
      ends.set(flow, begin + cost)
      const turn = begin + (atItsEnd ? cost : 0)
      last = Math.max(last, turn)
      waiting.push({ name, turn })
      return turn
    },
    served: (name: string): number => {
      const [{ turn } = { turn: NaN }] = waiting.splice(
        waiting.findIndex((each) => each.name === name),
        1,
      )
      return turn
    },
    head: (): number => head().turn,
  }
}

type Act = { does: 'ask' | 'serve'; tenant: 'acme' | 'globex' | 'initech'; class: AskClass; cost: number }
const weights = { acme: 1, globex: 3, initech: 0.5 }
const anAct: fc.Arbitrary<Act> = fc.record({
  does: fc.constantFrom('ask', 'ask', 'serve'),
  tenant: fc.constantFrom('acme', 'globex', 'initech'),
  class: fc.constantFrom('interactive', 'interactive', 'batch'),
  cost: fc.constantFrom(0.5, 1, 1.25, 2),
})

describe.each([
  ['one Redis', () => startPrivateRedis()],
  ['a cluster', () => startPrivateCluster()],
] as const)('turns on %s', (_, start) => {
  let server: Awaited<ReturnType<typeof start>>
  let redis: RedisClient
  let bench: ReturnType<typeof openBench>
  beforeAll(async () => {
    server = await start()
    redis = connectFailFast(server.url)
    await whenReady(redis, 5_000)
  })
  beforeEach(async () => {
    await ('nodes' in redis ? Promise.all(redis.nodes('master').map((node) => node.flushall())) : redis.flushall())
    bench = openBench(redis)
  })
  afterAll(async () => {
    redis.disconnect()
    await server.stop()
  })

  it('are those of fair queueing, however asks and what is served interleave', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anAct, { maxLength: 60 }), async (acts) => {
        await ('nodes' in redis ? Promise.all(redis.nodes('master').map((node) => node.flushall())) : redis.flushall())
        const model = plainModel()
        for (const [n, { does, tenant, class: kind, cost }] of acts.entries()) {
          if (does === 'ask') {
            const isBatch = kind === 'batch'
            const length = cost / (weights[tenant] * (isBatch ? batchShare : 1))
            const expected = model.ask(`r${n}`, `${tenant} ${kind}`, length, isBatch)
            const turn = await bench.ask(`r${n}`, tenant, { class: kind, cost, weight: weights[tenant] })
            expect(turn).toBeCloseTo(expected, 2)
          } else if (model.waiting.length > 0) {
            const first = model.head()
            const name = await bench.serve()
            // If two runs have the same turn, either of them may be first.
            expect(model.served(name ?? '')).toBeCloseTo(first, 2)
          } else expect(await bench.serve()).toBeUndefined()
        }
      }),
      { numRuns: 40 },
    )
  })

  it('give a late tenant the next turn after a burst of another, also in a later stage, but no earlier turns', async () => {
    for (let n = 0; n < 120; n += 1) await bench.ask(`big${n}`, 'big')
    for (let n = 0; n < 40; n += 1) {
      const name = await bench.serve()
      await bench.add(`${name}`, n, 'generator')
    }
    // The generator has served ten runs, so the turn served now is 10.
    for (let n = 0; n < 10; n += 1) await bench.serve('generator')
    const small = await Promise.all([1, 2, 3].map((n) => bench.ask(`small${n}`, 'small')))
    expect(small).toEqual([10, 11, 12])
    expect(await bench.serve()).toBe('small1')
    await bench.add('late', 2, 'generator')
    expect(await bench.ask('other', 'other')).toBe(10)
  })

  it('share by weight, and a batch gets its share beside interactive asks of any number', async () => {
    for (let n = 0; n < 150; n += 1) {
      await bench.ask(`heavy${n}`, 'heavy', { weight: 3 })
      await bench.ask(`light${n}`, 'light')
      await bench.ask(`batch${n}`, 'light', { class: 'batch' })
    }
    const served = { heavy: 0, light: 0, batch: 0 }
    for (let n = 0; n < 164; n += 1) {
      const name = (await bench.serve())?.replace(/\d+/, '') as keyof typeof served
      served[name] += 1
    }
    expect(served.heavy / served.light).toBeGreaterThan(2.7)
    expect(served.heavy / served.light).toBeLessThan(3.3)
    expect(served.batch).toBeGreaterThanOrEqual(3)
    expect(served.batch).toBeLessThanOrEqual(5)
  })

  it('are one order for all gateways, and are asked for together', async () => {
    const other = openBench(redis)
    const both = [bench, other, bench, other].map(({ take }) => take('acme'))
    expect((await Promise.all(both)).map(bench.turnOf).sort((a, b) => a - b)).toEqual([0, 1, 2, 3])
  })

  it('are refused beyond the limit of distance, without a cost', async () => {
    await bench.ask('first', 'acme')
    await bench.ask('second', 'acme', { cost: 5 })
    const asked = { tenant: 'acme', class: 'interactive', cost: 1, weight: 1, mayBeBehind: 2 } as const
    expect(await bench.turns.take('main', asked)).toEqual({ kind: 'behind', by: 6, servedNow: 0 })
    expect(await bench.turns.take('main', { ...asked, tenant: 'globex' })).toMatchObject({ kind: 'taken', turn: 0 })
    expect(bench.turnOf(await bench.take('acme'))).toBe(6)
  })

  it('count from a new base when no job is left and the priorities are half used', async () => {
    const { ask, serve, queue } = openBench(redis, 8)
    for (let n = 0; n < 6; n += 1) await ask(`r${n}`, 'acme', { cost: turnsPerPriority })
    const priorities = async () =>
      Promise.all(
        (await queue.next('main', 'router', 50)).map(({ runId }) => redis.hget(`${router}:${runId}.route`, 'priority')),
      )
    expect(await priorities()).toEqual(['1', '2', '3', '4', '5', '6'])
    for (let n = 0; n < 5; n += 1) await serve()
    await ask('while one waits', 'acme', { cost: turnsPerPriority })
    expect(await redis.hget(keys.turns('main'), 'base')).toBeNull()
    for (let n = 0; n < 2; n += 1) await serve()
    const next = await ask('next', 'acme')
    expect(next).toBe(7 * turnsPerPriority)
    expect(await redis.hget(keys.turns('main'), 'base')).toBe(`${6 * turnsPerPriority}`)
    expect(await priorities()).toEqual(['2'])
  })

  it('are taken ahead by frequent askers, without waiting or duplicates, and at most a quarter is lost', async () => {
    const gateways = [openBench(redis, lowestPriority, 64), openBench(redis, lowestPriority, 64)]
    const turns: number[] = []
    let waited = 0
    // With fake timers, exactly one millisecond passes between two asks, even on a busy machine.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    for (let ms = 0; ms < 400; ms += 1, vi.advanceTimersByTime(1)) {
      for (const { turns: own, turnOf } of gateways) {
        const taken = own.take('main', { tenant: 'acme', class: 'interactive', cost: 1, weight: 1 })
        if (taken instanceof Promise && ms >= 200) waited += 1
        turns.push(turnOf(await taken))
      }
      // When this read returns, all earlier requests have their replies.
      await new Promise(setImmediate)
      await redis.hget(keys.turns('main'), 'now')
    }
    expect(waited).toBe(0)
    expect(new Set(turns).size).toBe(turns.length)
    expect(Math.max(...turns)).toBeLessThan(turns.length * 1.25 + 2 * 64)
    expect(bench.turnOf(await bench.take('globex'))).toBeLessThanOrEqual(Math.max(...turns) + 64)
  })

  it('are kept for a month after the last one, and a lane has its own', async () => {
    await bench.ask('first', 'acme')
    expect(await redis.pttl(keys.turns('main'))).toBeGreaterThan(29 * 24 * 3_600_000)
    const asked = { tenant: 'acme', class: 'interactive', cost: 1, weight: 1 } as const
    expect(await bench.turns.take('other', asked)).toMatchObject({ kind: 'taken', turn: 0 })
  })
})
