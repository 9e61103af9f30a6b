import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  AppError,
  type PrivateCluster,
  type PrivateRedis,
  startPrivateCluster,
  startPrivateRedis,
} from '@plumbline/platform'
import { asked, reviewTask, sampleRun } from '@plumbline/ports/run-store/sample-run'
import { connectFailFast, type RedisClient, whenReady } from '../client/client'
import { openRedisRunStore, type RedisRunStore } from './redis-run-store'
import { keys } from '../client/keys'

describe('one Redis', () => {
  let server: PrivateRedis
  let redis: RedisClient
  let store: RedisRunStore
  beforeEach(async () => {
    server = await startPrivateRedis()
    redis = connectFailFast(server.url)
    await whenReady(redis, 5_000)
    store = openRedisRunStore({ redis })
  })
  afterEach(async () => {
    await store.close()
    redis.disconnect()
    await server.stop()
  })

  const unavailable = { code: 'store.unavailable', retry: 'later' }
  const timed = async (work: () => Promise<unknown>): Promise<{ error: unknown; ms: number }> => {
    const from = performance.now()
    const error = await work().then(
      () => null,
      (reason: unknown) => reason,
    )
    return { error, ms: performance.now() - from }
  }
  const gatewayCalls = (): (() => Promise<unknown>)[] => [
    () => store.schedule({ lane: 'main', runId: 'a' }, 0),
    () => store.create(sampleRun({ id: 'a' }), [asked()], 'body'),
    () => store.load('a'),
    () => store.loadMany(['a', 'b']),
    () => store.ledger('a', null, 10),
    () => store.ledgerFrom('a', null, 10),
    () => store.draft('a', null),
    () => store.list('default', { cursor: null, limit: 10 }),
    () => store.parked('default', { order: 'deadline', cursor: null, limit: 10, wanted: () => true }),
    () => store.now(),
  ]
  const workCalls = (): (() => Promise<unknown>)[] => [
    () => store.begin('a', 'route', 'f1', { isolated: false }),
    () => store.commit({ run: sampleRun({ id: 'a' }), version: 'v', by: null, events: [], evidence: [] }),
    () => store.countError('a', 'route', 'f1'),
    () => store.evidence('a', ['p']),
    () => store.takeDue('main', 10, 0),
    () => store.rest(sampleRun({ id: 'a', open: [reviewTask(1, 1)] }), 0),
  ]

  test('a Redis that is down is unavailable within a second; once it is back, the store works and receives messages', async () => {
    let heard = 0
    await store.subscribe('kept', () => (heard += 1))
    const run = sampleRun({ id: 'kept' })
    await store.create(run, [asked()], 'body')
    await server.kill()
    for (const { error, ms } of await Promise.all([...gatewayCalls(), ...workCalls()].map(timed))) {
      expect(error).toMatchObject(unavailable)
      expect(ms).toBeLessThan(2_000)
    }
    await server.start()
    await expect.poll(() => store.now().catch(() => 0), { timeout: 20_000 }).toBeGreaterThan(0)
    await store.create(run, [asked()], 'body')
    const commits = async (): Promise<number> => {
      const version = (await store.load(run.id))?.version ?? ''
      await store.commit({ run, version, by: null, events: [], evidence: [] })
      return heard
    }
    await expect.poll(commits, { timeout: 20_000 }).toBeGreaterThan(0)
  })

  test('an unresponsive Redis is unavailable to gateway callers within a second, and works again when it responds', async () => {
    process.kill(server.pid, 'SIGSTOP')
    try {
      const [door, work] = await Promise.all([
        Promise.all(gatewayCalls().map(timed)),
        Promise.all(workCalls().map(timed)),
      ])
      for (const { error, ms } of door) {
        expect(error).toMatchObject(unavailable)
        expect(ms).toBeLessThan(2_000)
      }
      for (const { error, ms } of work) {
        expect(error).toMatchObject(unavailable)
        expect(ms).toBeGreaterThan(2_000)
      }
    } finally {
      process.kill(server.pid, 'SIGCONT')
    }
    await expect.poll(() => store.now().catch(() => 0), { timeout: 20_000 }).toBeGreaterThan(0)
  })

  test('a full Redis refuses what is new, says so, writes nothing by halves and still answers reads', async () => {
    const run = sampleRun({ id: 'kept' })
    await store.create(run, [asked()], 'body')
    await redis.config('SET', 'maxmemory', '1mb')
    const full = { code: 'store.full', retry: 'later' }
    await expect(store.create(sampleRun({ id: 'new' }), [asked()], 'body')).rejects.toMatchObject(full)
    await expect(store.begin(run.id, 'route', 'f1', { isolated: false })).rejects.toMatchObject(full)
    const version = (await store.load(run.id))?.version ?? ''
    const commit = { run: { ...run, open: [] }, version, by: null, events: [asked('second')], evidence: [] }
    await expect(store.commit(commit)).rejects.toMatchObject(full)
    expect(await store.load('new')).toBeNull()
    expect(await store.load(run.id)).toMatchObject({ run, version })
    expect(await store.ledger(run.id, null, 10)).toHaveLength(1)
    await redis.config('SET', 'maxmemory', '0')
    expect(await store.commit(commit)).toEqual({ kind: 'moved' })
  })

  test('a process that was blocked reads the answer before it calls Redis silent', async () => {
    const answer = store.now()
    await new Promise((resolve) => setImmediate(resolve))
    const until = performance.now() + 1_500
    while (performance.now() < until);
    expect(await answer).toBeGreaterThan(0)
  })

  test('a reply that is a fault of ours is never tried again', async () => {
    await redis.set(keys.state('odd'), 'not a hash')
    await expect(store.load('odd')).rejects.toMatchObject({ code: 'store.failed', retry: 'never' })
    await redis.hset(keys.state('broken'), 'run', '{', 'policy', '{}', 'version', 'v')
    await expect(store.load('broken')).rejects.toMatchObject({ code: 'store.failed', retry: 'never' })
  })

  test('a second client fails within its time limit if nothing answers', async () => {
    await server.stop()
    const other = connectFailFast(server.url)
    const { error, ms } = await timed(() => whenReady(other, 300))
    other.disconnect()
    expect(error).toMatchObject(unavailable)
    expect(ms).toBeLessThan(5_000)
  })
})

describe('a cluster', () => {
  let cluster: PrivateCluster
  let redis: RedisClient
  let store: RedisRunStore
  beforeAll(async () => {
    cluster = await startPrivateCluster()
    redis = connectFailFast(cluster.url)
    await whenReady(redis, 10_000)
    store = openRedisRunStore({ redis })
  })
  afterAll(async () => {
    await store.close()
    redis.disconnect()
    await cluster.stop()
  })

  /** The number of runs is high enough that every cluster node stores some of them. */
  const ids = Array.from({ length: 30 }, (_, i) => `r${i}`)
  const codeOf = (error: unknown): string =>
    error instanceof AppError ? `${error.code} ${error.retry}` : String(error)
  const create = (id: string): Promise<string> =>
    store.create(sampleRun({ id }), [], 'body').then(({ kind }) => kind, codeOf)
  const found = (id: string): Promise<string> =>
    store.load(id).then((loaded) => (loaded ? 'found' : 'not found'), codeOf)

  test(
    'while a node is down, its runs are unavailable within a second; afterwards they are unchanged',
    { timeout: 60_000 },
    async () => {
      expect(new Set(await Promise.all(ids.map(create)))).toEqual(new Set(['created']))
      await cluster.nodes[1]?.kill()
      const from = performance.now()
      const answers = await Promise.all(ids.map(found))
      expect(performance.now() - from).toBeLessThan(3_000)
      expect(new Set(answers)).toEqual(new Set(['found', 'store.unavailable later']))
      await cluster.nodes[1]?.start()
      await expect
        .poll(async () => [...new Set(await Promise.all(ids.map(create)))].sort(), { timeout: 30_000 })
        .toEqual(['exists'])
    },
  )
})
