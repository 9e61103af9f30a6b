import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Run, Task } from '@plumbline/flow'
import { startPrivateCluster, startPrivateRedis } from '@plumbline/platform'
import { asked, reviewTask, routeTask, sampleRun } from '@plumbline/ports/run-store/sample-run'
import { connectFailFast, whenReady, type RedisClient } from '../client/client'
import { openAskQuotas, type AskQuotas } from './ask-quotas'
import { openRedisRunStore, type RedisRunStore } from '../runs/redis-run-store'
import { openSpending } from './spending'

const servers: [string, () => Promise<{ url: string; stop(): Promise<void> }>][] = [
  ['one Redis', () => startPrivateRedis()],
  ['a cluster', () => startPrivateCluster()],
]
const dueAt = Date.now() + 600_000

describe.each(servers)('the count of unfinished runs on %s', (_, start) => {
  let server: Awaited<ReturnType<typeof start>>
  let redis: RedisClient
  let store: RedisRunStore
  let quotas: AskQuotas
  beforeAll(async () => {
    server = await start()
    redis = connectFailFast(server.url)
    await whenReady(redis, 10_000)
    store = openRedisRunStore({ redis })
    quotas = openAskQuotas(redis, 2_000)
  })
  afterAll(async () => {
    await store.close()
    redis.disconnect()
    await server.stop()
  })

  const take = (run: Run) =>
    quotas.take({ tenant: run.tenant, key: 'k', limits: { runsAtOnce: 1 }, asks: 1, runId: run.id })
  const counted = async (tenant: string): Promise<Run> => {
    const run = sampleRun({ id: `${tenant}-1`, tenant })
    expect((await take(run)).kind).toBe('taken')
    await store.create(run, [asked()], 'body')
    return run
  }
  const nextOf = ({ tenant }: Run) => take(sampleRun({ id: `${tenant}-2`, tenant }))
  const commit = async (run: Run, status: Run['status'], open: Task[]): Promise<Run> => {
    const version = (await store.load(run.id))?.version ?? ''
    const moved = { ...run, status, open }
    expect(await store.commit({ run: moved, version, by: null, events: [], evidence: [] })).toEqual({ kind: 'moved' })
    return moved
  }

  test('an unfinished run stays in the count after a commit', async () => {
    const run = await counted('moving')
    await commit(run, 'running', [routeTask()])
    expect((await nextOf(run)).kind).toBe('full')
    expect(await quotas.removeStale(run.tenant)).toBe(false)
  })

  test('a run that ended leaves the count after its worker dispatched', async () => {
    const run = await counted('ended')
    const { lane, id: runId, tenant } = await commit(run, 'answered', [])
    await store.unschedule({ lane, runId, tenant })
    expect((await nextOf(run)).kind).toBe('taken')
  })

  test('a run that is held for review leaves the count too', async () => {
    const run = await counted('parked')
    await store.rest(await commit(run, 'parked', [reviewTask(1, dueAt)]), 0)
    expect((await nextOf(run)).kind).toBe('taken')
  })

  test('a run that ended or is held leaves the reserved costs with its own cost, an unfinished run stays', async () => {
    const limits = { budget: { cents: 10 }, usual: { cents: 5, tokens: 1 }, limit: { cents: 9, tokens: 1 } }
    const reserved = async (name: string): Promise<Run> => {
      const run = sampleRun({ id: `reserved-${name}`, tenant: 'reserved' })
      const { id, tenant } = run
      const reply = await openSpending(redis).reserve({ run: { id, tenant, deadlineAt: dueAt }, at: 0, ...limits })
      expect(reply).toBe('reserved')
      await store.create(run, [asked()], 'body')
      return { ...run, usage: { calls: 1, tokensIn: 1, tokensOut: 1, cents: 2 } }
    }
    const { lane, id: runId, tenant, usage } = await commit(await reserved('ended'), 'answered', [])
    const parked = await commit(await reserved('parked'), 'parked', [reviewTask(1, dueAt)])
    await store.unschedule({ lane, runId, tenant, usage })
    await store.rest(parked, 0)
    await quotas.release(tenant, (await reserved('running')).id)
    expect(await redis.hgetall('usage:{reserved}:reserved')).toEqual({
      microcents: '2000000',
      tokens: '1',
      'reserved-running microcents': '2000000',
      'reserved-running tokens': '1',
      runs: '2',
      'spent microcents': '4000000',
      'spent tokens': '4',
    })
  })

  test('the check finds a run that ended and is still in the count', async () => {
    const run = await counted('left')
    await redis.hset(`run:{${run.id}}:state`, 'status', 'answered')
    expect((await nextOf(run)).kind).toBe('full')
    expect(await quotas.removeStale(run.tenant)).toBe(true)
    expect((await nextOf(run)).kind).toBe('taken')
  })

  test('the check keeps an ask that is not stored yet; a release removes it, and never a stored one', async () => {
    const early = sampleRun({ id: 'early-1', tenant: 'early' })
    expect((await take(early)).kind).toBe('taken')
    expect(await quotas.removeStale('early')).toBe(false)
    expect((await nextOf(early)).kind).toBe('full')
    await quotas.release('early', early.id)
    expect((await nextOf(early)).kind).toBe('taken')
    const run = await counted('stored')
    await quotas.release('stored', run.id)
    expect((await nextOf(run)).kind).toBe('full')
  })
})

test('on a single Redis, the commit that ends a run also removes it from the count', async () => {
  const server = await startPrivateRedis()
  const redis = connectFailFast(server.url)
  await whenReady(redis, 10_000)
  const store = openRedisRunStore({ redis })
  const run = sampleRun({ id: 'r1', tenant: 't' })
  await openAskQuotas(redis, 2_000).take({ tenant: 't', key: 'k', limits: { runsAtOnce: 1 }, asks: 1, runId: 'r1' })
  await store.create(run, [asked()], 'body')
  const version = (await store.load('r1'))?.version ?? ''
  await store.commit({ run: { ...run, status: 'answered', open: [] }, version, by: null, events: [], evidence: [] })
  expect(await redis.zcard('asks:{t}:unfinished')).toBe(0)
  await store.close()
  redis.disconnect()
  await server.stop()
})
