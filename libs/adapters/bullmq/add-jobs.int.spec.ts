import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectFailFast, whenReady, type RedisClient } from '@plumbline/adapters/redis/client/client'
import type { Job } from '@plumbline/flow'
import { startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { keys } from '../redis/client/keys'
import { lowestPriority, turnsPerPriority } from '../redis/limits/fair-share'
import { jobAdder } from './add-jobs'
import { openQueue, queuePrefix } from './queues'

let server: PrivateRedis
let redis: RedisClient
beforeAll(async () => {
  // A job contains the current time, so the clock is frozen. Otherwise two jobs would never be equal.
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_123 })
  server = await startPrivateRedis()
  redis = connectFailFast(server.url)
  await whenReady(redis, 5_000)
})
afterAll(async () => {
  vi.useRealTimers()
  redis.disconnect()
  await server.stop()
})
beforeEach(() => redis.call('FLUSHALL'))

const jobs = (from: number, count: number): Job[] =>
  Array.from({ length: count }, (_, i) => ({
    queue: 'grader',
    jobId: `r${from + i}.plan`,
    data: { runId: `r${from + i}`, taskId: 'plan "é"' },
  }))
const opened = async () => {
  const queue = openQueue(redis, 'main', 'grader')
  await queue.getVersion()
  return queue
}
type Queue = Awaited<ReturnType<typeof opened>>
const ours = (queue: Queue, added: Job[]) => jobAdder(redis)('main', queue, added)
const theirs = async (queue: Queue, added: Job[]) =>
  void (await queue.addBulk(added.map(({ jobId, data }) => ({ name: 'task', data, opts: { jobId } }))))

const valueOf = async (key: string): Promise<unknown> => {
  switch (await redis.type(key)) {
    case 'hash':
      return redis.hgetall(key)
    case 'list':
      return redis.lrange(key, 0, -1)
    case 'zset':
      return redis.zrange(key, '0', '-1', 'WITHSCORES')
    case 'stream':
      return (await redis.xrange(key, '-', '+')).map(([, fields]) => fields)
    default:
      return redis.get(key)
  }
}
const leftBy = async (act: (queue: Queue) => Promise<unknown>): Promise<Record<string, unknown>> => {
  await redis.call('FLUSHALL')
  const queue = await opened()
  await act(queue)
  await queue.close()
  const noted = [queue.keys.events, queue.keys.meta]
  const all = ((await redis.call('KEYS', '*')) as string[]).sort().filter((key) => !noted.includes(key))
  return Object.fromEntries(await Promise.all(all.map(async (key) => [key, await valueOf(key)] as const)))
}

describe('jobs added in one script', () => {
  it.each<[string, (queue: Queue, add: typeof ours) => Promise<void>]>([
    ['one job', (queue, add) => add(queue, jobs(1, 1))],
    ['more than one script takes', (queue, add) => add(queue, jobs(1, 120))],
    [
      'jobs that are there already, among new ones',
      async (queue, add) => {
        await add(queue, jobs(1, 3))
        await add(queue, jobs(2, 4))
      },
    ],
    [
      'a queue whose settings are lost',
      async (queue, add) => {
        await redis.del(queue.keys.meta ?? '')
        await add(queue, jobs(1, 2))
      },
    ],
    [
      'a queue that may run no more at once',
      async (queue, add) => {
        await queue.setGlobalConcurrency(1)
        await redis.lpush(queue.keys.active ?? '', 'r0.plan')
        await add(queue, jobs(1, 2))
      },
    ],
    [
      'a paused queue',
      async (queue, add) => {
        await queue.pause()
        await add(queue, jobs(1, 2))
      },
    ],
  ])('leave what BullMQ leaves: %s', async (_, act) => {
    const bullmq = await leftBy((queue) => act(queue, theirs))
    expect(Object.keys(bullmq)).toContain(`${queuePrefix('main')}:grader:r1.plan`)
    expect(await leftBy((queue) => act(queue, ours))).toEqual(bullmq)
  })

  it('add nothing when there is nothing to add', async () => {
    const bare = await leftBy(async () => undefined)
    expect(await leftBy((queue) => ours(queue, []))).toEqual(bare)
  })
})

describe('jobs with a turn', () => {
  const withTurn = (turn: number, at = turn): Job => ({
    queue: 'grader',
    jobId: `t${at}.plan`,
    data: { runId: `t${at}`, taskId: 'plan' },
    turn,
  })
  const half = 2 ** 32
  /** Removes intended differences: keys ending in `:pc`, the lower halves of scores, and the field order of `opts`. */
  const likeBullMq = (left: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(left)
        .filter(([key]) => !key.endsWith(':pc'))
        .map(([key, value]) => {
          if (Array.isArray(value) && key.endsWith(':prioritized'))
            return [key, value.map((each, i) => (i % 2 ? Math.floor(Number(each) / half) : (each as string)))]
          if (typeof value === 'object' && value !== null && 'opts' in value)
            return [key, { ...value, opts: JSON.parse(String(value.opts)) as unknown }]
          return [key, value]
        }),
    )

  it('store the same data as BullMQ does for jobs with a priority', async () => {
    const turns = [0, 5, turnsPerPriority, 10 * turnsPerPriority + 1]
    const bullmq = await leftBy(async (queue) => {
      await queue.addBulk(
        turns.map((turn) => ({
          name: 'task',
          data: withTurn(turn).data,
          opts: { jobId: withTurn(turn).jobId, priority: 1 + Math.floor(turn / turnsPerPriority) },
        })),
      )
    })
    const left = await leftBy((queue) =>
      ours(
        queue,
        turns.map((turn) => withTurn(turn)),
      ),
    )
    expect(likeBullMq(left)).toEqual(likeBullMq(bullmq))
  })

  it('are ordered by their turns from the base of their lane, and by arrival beyond the last priority', async () => {
    await redis.call('FLUSHALL')
    const queue = await opened()
    const base = 10_000_000
    const beyond = base + lowestPriority * turnsPerPriority
    await redis.hset(keys.turns('main'), 'base', base)
    const turns = [
      beyond + 5,
      base + 65.5,
      base + 65.25,
      base - 9,
      beyond + 1,
      base + 64,
      beyond - 3 * turnsPerPriority,
    ]
    await ours(
      queue,
      turns.map((turn, at) => withTurn(turn, at)),
    )
    expect((await queue.getPrioritized()).map(({ id }) => id)).toEqual([3, 5, 2, 1, 6, 0, 4].map((at) => `t${at}.plan`))
    expect((await queue.getPrioritized()).map(({ priority }) => priority)).toEqual([
      1,
      2,
      2,
      2,
      lowestPriority - 2,
      lowestPriority,
      lowestPriority,
    ])
    await queue.close()
  })
})
