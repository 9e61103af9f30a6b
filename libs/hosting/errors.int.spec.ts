import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { queuePrefix } from '@plumbline/adapters/bullmq/queues'
import { end } from '@plumbline/flow'
import { AppError } from '@plumbline/platform'
import { dispatch, moveRun, type StageHandler } from '@plumbline/worker'
import { type Bench, openBench, until } from './spec/bench'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

/** Fails on its first calls, and records the time of each call. */
const failing = (times: number, error: () => Error) => {
  const calls: number[] = []
  const route: StageHandler<'route'> = async ({ run }) => {
    calls.push(Date.now())
    if (calls.length <= times) throw error()
    return { outcome: 'research', logic: 'plain', collections: run.collections }
  }
  return { calls, route }
}
const abandonedIn = async (id: string) =>
  (await bench.store.ledger(id, null, 100)).flatMap(({ event }) => (event.type === 'abandoned' ? [event.reason] : []))
const quick = { attempts: 3, backoffMs: 50, timeoutMs: 5_000 }

describe('a task that goes wrong', () => {
  it('is retried after `later` without using up an attempt, and not before its time', async () => {
    const dates: number[] = []
    const { calls, route } = failing(5, () => {
      dates.push(Date.now() + 300)
      return new AppError('model.rate-limited', 'later', { notBefore: Date.now() + 300 })
    })
    await bench.host({ handlers: { route }, limits: quick })
    const run = await bench.ended(await bench.ask())
    expect(run.status).toBe('answered')
    expect(calls).toHaveLength(6)
    for (const [n, date] of dates.entries()) expect(calls[n + 1]).toBeGreaterThanOrEqual(date - 20)
  })

  it('is tried again after an error, and abandoned when its attempts are spent', async () => {
    const twice = failing(2, () => new Error('no luck'))
    const always = failing(100, () => new Error('never any luck'))
    const host = await bench.host({ handlers: { route: twice.route }, limits: quick })
    const first = await bench.ask()
    expect(await bench.ended(first)).toMatchObject({ status: 'answered', route: { logic: 'plain' } })
    expect(twice.calls).toHaveLength(3)
    expect(await abandonedIn(first)).toEqual([])
    await host.close()

    await bench.host({ handlers: { route: always.route }, limits: quick })
    const second = await bench.ask()
    await bench.ended(second)
    expect(always.calls).toHaveLength(3)
    expect(await abandonedIn(second)).toEqual(['task.failed'])
  })

  it('is abandoned at once after `never`', async () => {
    const { calls, route } = failing(100, () => new AppError('model.refused', 'never'))
    await bench.host({ handlers: { route }, limits: quick })
    const id = await bench.ask()
    await bench.ended(id)
    expect(calls).toHaveLength(1)
    expect(await abandonedIn(id)).toEqual(['model.refused'])
  })

  it('does not hold its slot when it ignores its time limit', async () => {
    let called = 0
    const route: StageHandler<'route'> = ({ run }) => {
      called += 1
      return called === 1
        ? new Promise(() => {})
        : Promise.resolve({ outcome: 'research', logic: 'plain', collections: run.collections })
    }
    await bench.host({ handlers: { route }, limits: { ...quick, timeoutMs: 200, concurrency: 1 } })
    const [stuck, other] = [await bench.ask(), await bench.ask()]
    expect((await bench.ended(other)).status).toBe('answered')
    expect((await bench.ended(stuck)).status).toBe('answered')
    expect(called).toBe(3)
  })

  it('ends with its run at the deadline, however long the requested delay', async () => {
    const { calls, route } = failing(
      100,
      () => new AppError('model.down', 'later', { notBefore: Date.now() + 3_600_000 }),
    )
    await bench.host({ handlers: { route }, limits: quick })
    const run = await bench.ended(await bench.ask({ deadlineMs: 5_000 }))
    expect(run).toMatchObject({ status: 'expired', reason: 'expired.deadline' })
    expect(calls).toHaveLength(1)
  })
})

describe('a run that is ended by someone else', () => {
  it('stops the handler that another process holds', async () => {
    const seen: unknown[] = []
    const route: StageHandler<'route'> = ({ signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          seen.push(signal.reason)
          reject(signal.reason as Error)
        }),
      )
    const holder = await bench.host({ handlers: { route }, stages: ['router'] })
    await bench.host({ stages: ['planner', 'researcher', 'grader', 'generator'] })
    const id = await bench.ask()
    await until(async () => expect((await bench.queue.depth('main', 'router')).active).toBe(1))
    const made = await moveRun(bench.store, id, (run, at) => end(run, { status: 'cancelled', by: 'asker', at }))
    if (made.kind !== 'moved') throw new Error(made.kind)
    await dispatch(bench, made.before, made.after)
    await until(async () => expect((await bench.queue.depth('main', 'router')).active).toBe(0))
    expect(seen).toEqual([expect.objectContaining({ why: 'closed' })])
    expect((await bench.load(id)).status).toBe('cancelled')
    expect(holder.lacking()).toEqual([])
  })
})

const routed = (collections: string[]) => ({ outcome: 'research' as const, logic: 'plain', collections })
/** Marks a job as stalled, as BullMQ does when the job's worker is lost. BullMQ never removes this mark. */
const stalled = async (id: string): Promise<void> =>
  void (await bench.redis.hset(`${queuePrefix('main')}:router:${id}.route`, 'stc', 1))

describe('a job that BullMQ calls stalled', () => {
  it('runs beside others if its task never started', async () => {
    const started: string[] = []
    const together = Promise.withResolvers<void>()
    const route: StageHandler<'route'> = async ({ run }) => {
      if (started.push(run.id) === 2) together.resolve()
      await together.promise
      return routed(run.collections)
    }
    const ids = [await bench.ask(), await bench.ask()]
    await Promise.all(ids.map(stalled))
    await bench.host({ handlers: { route } })
    const runs = await Promise.all(ids.map((id) => bench.ended(id)))
    expect(runs.map(({ status }) => status)).toEqual(['answered', 'answered'])
  })

  it('runs alone once when its task started and did not report, however often it is postponed then', async () => {
    let calls = 0
    const route: StageHandler<'route'> = async ({ run }) => {
      calls += 1
      if (calls <= 5) throw new AppError('model.down', 'later', { notBefore: Date.now() + 20 })
      return routed(run.collections)
    }
    const id = await bench.ask()
    await bench.store.begin(id, 'route', 'crashed', { isolated: false })
    await stalled(id)
    const host = await bench.host({ handlers: { route } })
    expect((await bench.ended(id)).status).toBe('answered')
    expect(calls).toBe(6)
    await until(async () =>
      expect(await host.registry.metrics()).toContain('plumbline_redelivered_total{stage="router"} 1\n'),
    )
  })
})
