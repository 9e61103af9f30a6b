import { afterAll, expect, test } from 'vitest'
import {
  abandoned,
  asked,
  reviewTask,
  routeTask,
  samplePassage,
  sampleRun,
} from '@plumbline/ports/run-store/sample-run'
import { openRedisRunStore } from './redis-run-store'
import { openCatalog } from '../documents/catalog'
import { wholeRun } from '../spec/one-run'
import { ownRedis } from '../spec/own-redis.spec'

const hour = 3_600_000
const retentionMs = 24 * hour
/** Matches keys that never expire, because they belong to no single run: the lists of runs and the catalog. */
const staying = /^(runs|catalog|documents):/

const { redis } = await ownRedis()
const store = openRedisRunStore({ redis, retentionMs, answerWithinMs: 20_000 })
afterAll(() => store.close())

const expiries = async (): Promise<Record<string, number>> => {
  const all = await redis.keys('*')
  const mortal = all.filter((key) => !staying.test(key))
  return Object.fromEntries(await Promise.all(mortal.map(async (key) => [key, await redis.pexpiretime(key)] as const)))
}
const keysOf = async (runId: string): Promise<string[]> => (await redis.keys(`run:{${runId}}:*`)).sort()
const commit = async (run: ReturnType<typeof sampleRun>, evidence = [samplePassage('p1')]) => {
  const version = (await store.load(run.id))?.version ?? ''
  expect(await store.commit({ run, version, by: null, events: [abandoned('x')], evidence })).toEqual({ kind: 'moved' })
}

test('every key of a run expires a retention after its deadline, and a draft within minutes', async () => {
  const run = sampleRun({ id: 'whole' })
  await store.schedule({ lane: 'main', runId: run.id }, run.createdAt)
  await store.create(run, [asked()], 'body')
  const expected = run.deadlineAt + retentionMs
  expect(await expiries()).toEqual({ 'run:{whole}:state': expected, 'run:{whole}:ledger': expected })
  await store.begin(run.id, 'route', 'f1', { isolated: false })
  await store.appendDraft(run.id, { taskId: 'route', fence: 'f1', text: 'The Moon' })
  await commit(run)
  await commit(run, [samplePassage('p2')])
  const { 'run:{whole}:draft': draft, ...rest } = await expiries()
  expect(draft).toBeGreaterThan(Date.now())
  expect(draft).toBeLessThan(Date.now() + hour)
  expect(rest).toEqual({
    'run:{whole}:state': expected,
    'run:{whole}:ledger': expected,
    'run:{whole}:evidence': expected,
  })
})

test('a parked run is kept a retention beyond its review, and an ended one beyond its end', async () => {
  const run = sampleRun({ id: 'parked' })
  await store.create(run, [asked()], 'body')
  await commit(run)
  const dueAt = run.createdAt + 72 * hour
  await commit({ ...run, status: 'parked', open: [reviewTask(1, dueAt)] }, [])
  for (const key of await keysOf(run.id))
    expect([key, await redis.pexpiretime(key)]).toEqual([key, dueAt + retentionMs])
  const endedAt = run.createdAt + 50 * hour
  await commit({ ...run, status: 'answered', open: [], endedAt }, [])
  expect(await keysOf(run.id)).toHaveLength(3)
  for (const key of await keysOf(run.id))
    expect([key, await redis.pexpiretime(key)]).toEqual([key, endedAt + retentionMs])
})

test('a run keeps the retention it was created with, whichever process moves it', async () => {
  const run = sampleRun({ id: 'short' })
  await openRedisRunStore({ redis, retentionMs: hour }).create(run, [asked()], 'body')
  await commit(run)
  for (const key of await keysOf(run.id))
    expect([key, await redis.pexpiretime(key)]).toEqual([key, run.deadlineAt + hour])
})

test('a run past its deadline is still kept a retention from its last move', async () => {
  const createdAt = Date.now() - 100 * hour
  const run = sampleRun({ id: 'late', createdAt, deadlineAt: createdAt + 1 })
  await store.create(run, [asked()], 'body')
  await commit(run)
  for (const key of await keysOf(run.id)) expect(await redis.pttl(key)).toBeGreaterThan(retentionMs - 60_000)
})

test('when its time is over a run is gone, and no call brings a key of it back', async () => {
  const run = sampleRun({ id: 'over', open: [routeTask()], deadlineAt: 0 })
  await openRedisRunStore({ redis, retentionMs: 2_000 }).create(run, [asked()], 'body')
  const begun = await store.begin(run.id, 'route', 'f1', { isolated: false })
  const version = begun.kind === 'open' ? begun.version : ''
  expect(version).not.toBe('')
  await expect.poll(() => store.load(run.id), { timeout: 20_000 }).toBeNull()
  expect(await store.begin(run.id, 'route', 'f2', { isolated: true })).toMatchObject({ kind: 'gone' })
  expect(
    await store.commit({
      run,
      version,
      by: { taskId: 'route', fence: 'f1' },
      events: [asked()],
      evidence: [samplePassage('p1')],
    }),
  ).toEqual({ kind: 'gone' })
  expect(await store.countError(run.id, 'route', 'f1')).toBeNull()
  await store.uncountStarts(run.id, 'route', 'f1', 'all')
  await store.appendDraft(run.id, { taskId: 'route', fence: 'f1', text: 'late' })
  expect(await keysOf(run.id)).toEqual([])
  expect((await store.list('default', { cursor: null, limit: 100 })).ids).not.toContain(run.id)
})

test('every other key of the store and the catalog without expiry has an allowed name', async () => {
  const catalog = openCatalog(redis)
  await catalog.putCollection('default', 'planets', { description: 'Planets' })
  await catalog.createDocument('default', 'd1', 'v1', {
    told: { title: 'Mars', collection: 'planets' },
    source: { kind: 'text' },
    digest: 'd',
  })
  for (const [key, at] of Object.entries(await expiries())) expect([key, at > Date.now()]).toEqual([key, true])
})

const used = async (): Promise<number> => Number(/used_memory_dataset:(\d+)/.exec(await redis.info('memory'))?.[1])

test('a retained run of three steps with twelve passages of 800 characters takes at most 25 KB', async () => {
  await wholeRun(store, 'first')
  const before = await used()
  const count = 200
  for (let i = 0; i < count; i += 20)
    await Promise.all(Array.from({ length: 20 }, (_, j) => wholeRun(store, `r${i + j}`)))
  const bytesPerRun = ((await used()) - before) / count
  expect(bytesPerRun).toBeLessThanOrEqual(25_000)
})
