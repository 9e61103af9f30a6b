import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { queuePrefix } from '@plumbline/adapters/bullmq/queues'
import { silent, type Log } from '@plumbline/platform'
import { createClock, createSweeper, type StageHandler } from '@plumbline/worker'
import { openBench, until, type Bench } from './spec/bench'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(async () => {
  vi.useRealTimers()
  await bench.close()
})

/** Returns a route handler that waits until `release` is called. */
const gatedRoute = () => {
  const starts: unknown[] = []
  let release = (): void => {}
  const opened = new Promise<void>((resolve) => {
    release = resolve
  })
  const route: StageHandler<'route'> = async ({ run, signal }) => {
    starts.push(run.id)
    await Promise.race([
      opened,
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    ])
    return { outcome: 'research', logic: 'gated', collections: run.collections }
  }
  return { starts, route, release: () => release() }
}

describe('a stopping worker', () => {
  it('returns its task to the queue, so that another worker starts the task as if it were new', async () => {
    const gated = gatedRoute()
    const host = await bench.host({ handlers: { route: gated.route }, stages: ['router'], env: { DRAIN_MS: '100' } })
    const id = await bench.ask()
    await until(() => expect(gated.starts).toEqual([id]))
    await host.close()
    expect(await bench.queue.depth('main', 'router')).toMatchObject({ waiting: 1, active: 0 })
    expect(await bench.redis.hget(`run:{${id}}:state`, 'starts:route')).toBe('0')
    await bench.host()
    expect((await bench.ended(id)).status).toBe('answered')
    expect(gated.starts).toHaveLength(1)
  })

  it('waits for a task that finishes within the limit', async () => {
    const gated = gatedRoute()
    const host = await bench.host({ handlers: { route: gated.route }, stages: ['router'] })
    const id = await bench.ask()
    await until(() => expect(gated.starts).toEqual([id]))
    const closed = host.close()
    gated.release()
    await closed
    expect((await bench.load(id)).closed.route).toBe('research')
    expect(await bench.queue.depth('main', 'router')).toMatchObject({ waiting: 0, active: 0 })
  })
})

describe('Redis that goes away', () => {
  it("loses no task's result: it is committed when Redis is back, and runs continue", async () => {
    const gated = gatedRoute()
    const host = await bench.host({ handlers: { route: gated.route } })
    const ids = await Promise.all([bench.ask(), bench.ask(), bench.ask()])
    await until(() => expect(gated.starts).toHaveLength(3))
    await until(async () => expect(await bench.redis.info('persistence')).toContain('aof_last_write_status:ok'))
    await bench.server.kill()
    await until(() => expect(host.lacking()).toEqual(['Redis']))
    gated.release()
    await bench.server.start()
    const runs = await Promise.all(ids.map((id) => bench.ended(id)))
    expect(runs.map(({ status }) => status)).toEqual(['answered', 'answered', 'answered'])
    expect(gated.starts).toHaveLength(3)
    await until(() => expect(host.lacking()).toEqual([]))
  })
})

describe('the sweeper', () => {
  const sweeper = () => {
    const made = createSweeper({ ...bench, lanes: ['main'], clock: createClock(silent), log: silent })
    return made
  }
  const due = (runId: string) => bench.store.schedule({ lane: 'main', runId }, 0)
  const keysOf = (stage: string, part: string) => `${queuePrefix('main')}:${stage}:${part}`

  it.each([
    ['the job', (id: string) => [`${id}.route`]],
    ['the list of waiting jobs', () => ['wait']],
    ['every key of the queue', (id: string) => [`${id}.route`, 'wait', 'meta', 'marker', 'events']],
  ])('brings a run to its end after its queue lost %s', async (_, parts) => {
    const id = await bench.ask()
    await bench.redis.del(...parts(id).map((part) => keysOf('router', part)))
    await due(id)
    const looker = sweeper()
    await looker.look()
    await looker.stop()
    await bench.host()
    expect((await bench.ended(id)).status).toBe('answered')
  })

  it('adds a lost job again while workers run, and does not touch a run that has its job', async () => {
    const gated = gatedRoute()
    await bench.host({ handlers: { route: gated.route }, limits: { concurrency: 1 } })
    const held = await bench.ask()
    await until(() => expect(gated.starts).toEqual([held]))
    const lost = await bench.ask()
    await bench.redis.del(keysOf('router', 'wait'))
    await Promise.all([due(held), due(lost)])
    await until(async () => expect((await bench.queue.depth('main', 'router')).waiting).toBe(1))
    gated.release()
    expect((await bench.ended(lost)).status).toBe('answered')
    expect(gated.starts).toEqual([held, lost])
  })

  it('restores a lost job in the lane of its run, in whichever lane the run is checked', async () => {
    const id = await bench.ask()
    await bench.redis.del(keysOf('router', `${id}.route`), keysOf('router', 'wait'))
    await bench.store.schedule({ lane: 'second', runId: id }, 0)
    const looker = createSweeper({ ...bench, lanes: ['second'], clock: createClock(silent), log: silent })
    await looker.look()
    await looker.stop()
    const waiting = async (lane: string) => (await bench.queue.depth(lane, 'router')).waiting
    expect([await waiting('main'), await waiting('second')]).toEqual([1, 0])
  })

  it('ends a run past its deadline and forgets one that ended', async () => {
    const id = await bench.ask({ deadlineMs: 1_000 })
    await until(async () => expect(await bench.store.now()).toBeGreaterThan((await bench.load(id)).deadlineAt))
    await due(id)
    const looker = sweeper()
    expect(await looker.look()).toBe(1)
    expect((await bench.load(id)).status).toBe('expired')
    expect(await bench.redis.zcard('runs:open:main')).toBe(0)
    await looker.stop()
  })
})

describe('a clock that is wrong', () => {
  it('keeps a process from taking jobs until it is set right, and says so', async () => {
    const said: string[] = []
    const log: Log = {
      ...silent,
      error: (...words: unknown[]) => void said.push(String(words.at(-1))),
      info: () => {},
      warn: () => {},
      debug: () => {},
    } as Log
    const id = await bench.ask({ deadlineMs: 60_000 })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000, shouldAdvanceTime: false })
    const host = await bench.host({ log })
    expect(host.lacking()).toEqual(['a clock within 1 s of Redis'])
    expect(said.join()).toContain('differs from the store by more than 1 s')
    expect((await bench.load(id)).closed.route).toBeUndefined()
    expect((await bench.queue.depth('main', 'router')).waiting).toBe(1)
    vi.useRealTimers()
    expect((await bench.ended(id)).status).toBe('answered')
    expect(host.lacking()).toEqual([])
  })
})
