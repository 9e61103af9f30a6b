import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openBullMqJobQueue } from '@plumbline/adapters/bullmq/bullmq-job-queue'
import { openQueue } from '@plumbline/adapters/bullmq/queues'
import { createLog } from '@plumbline/platform'
import { watchLiveness } from './health/liveness'
import type { LaneWorker } from './lane-worker'
import { openBench, until, type Bench } from './spec/bench'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(async () => {
  vi.useRealTimers()
  await bench.close()
})

describe('a Redis that is full', () => {
  it('gets few calls, causes few log lines, loses nothing, and is used again when it has free memory', async () => {
    const seconds = new Map<number, number>()
    const log = createLog({
      app: 'spec',
      destination: {
        write: () => {
          const second = Math.floor(Date.now() / 1_000)
          seconds.set(second, (seconds.get(second) ?? 0) + 1)
        },
      },
    })
    const full = async (yes: boolean): Promise<void> =>
      void (await bench.redis.config('SET', 'maxmemory', yes ? '1mb' : '0'))
    const ids = await Promise.all(Array.from({ length: 5 }, () => bench.ask()))
    await full(true)
    const host = await bench.host({ log })
    const before = await commandsOf(bench)
    const from = performance.now()
    await until(() => expect(host.lacking().join()).toContain('paused after errors'))
    await until(() => expect(seconds.size).toBeGreaterThan(3))
    const perSecond = ((await commandsOf(bench)) - before) / ((performance.now() - from) / 1_000)
    expect(perSecond).toBeLessThan(1_000)
    expect(Math.max(...seconds.values())).toBeLessThanOrEqual(12)
    await full(false)
    const runs = await Promise.all(ids.map((id) => bench.ended(id)))
    expect(runs.map(({ status }) => status)).toEqual(ids.map(() => 'answered'))
    await until(() => expect(host.lacking()).toEqual([]))
  })
})

const commandsOf = async ({ redis }: Bench): Promise<number> =>
  Number(/total_commands_processed:(\d+)/.exec(await redis.info('stats'))?.[1])

describe('a worker that is connected but no longer consumes', () => {
  const worker: LaneWorker = {
    queue: 'router',
    lane: 'main',
    freeSlots: 4,
    takenAt: 0,
    paused: false,
    took: () => {},
    gave: () => {},
    pause: () => {},
    resume: () => {},
    start: () => {},
    close: async () => {},
  }
  const watched = async (paused: boolean): Promise<number> => {
    const queue = openBullMqJobQueue({ connection: bench.redis })
    const router = openQueue(bench.redis, 'main', 'router')
    if (paused) await router.pause()
    await bench.ask()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    const watch = watchLiveness(queue, [worker])
    let failedAfter = Number.POSITIVE_INFINITY
    for (let second = 5; second <= 120 && watch.live(); second += 5) {
      await vi.advanceTimersByTimeAsync(5_000)
      await queue.depth('main', 'router')
      failedAfter = watch.live() ? failedAfter : second
    }
    watch.stop()
    vi.useRealTimers()
    await router.close()
    await queue.close()
    return failedAfter
  }

  it('fails its liveness within a minute', async () => expect(await watched(false)).toBeLessThanOrEqual(60))
  it('is well when its stage is paused', async () => expect(await watched(true)).toBe(Number.POSITIVE_INFINITY))
})
