import { afterAll, expect, test } from 'vitest'
import type { Run } from '@plumbline/flow'
import { asked, reviewTask, sampleRun } from '@plumbline/ports/run-store/sample-run'
import { openRedisRunStore } from './redis-run-store'
import { keys } from '../client/keys'
import { ownRedis } from '../spec/own-redis.spec'

const { redis } = await ownRedis()
const store = openRedisRunStore({ redis })
afterAll(() => store.close())

const parts = ['rows', 'groups', 'deadline', 'age', 'risk'] as const
const commit = async (run: Run): Promise<void> => {
  const version = (await store.load(run.id))?.version ?? ''
  expect(await store.commit({ run, version, by: null, events: [], evidence: [] })).toEqual({ kind: 'moved' })
}
const park = async (tenant: string): Promise<Run> => {
  const run = sampleRun({ id: `run-of-${tenant}`, tenant })
  await store.create(run, [asked()], 'body')
  const parked: Run = { ...run, status: 'parked', open: [reviewTask(1, Date.now() + 600_000)] }
  await commit(parked)
  return parked
}
const listed = (tenant: string) =>
  store.parked(tenant, { order: 'deadline', cursor: null, limit: 10, wanted: () => true })
const keysLeft = (tenant: string): Promise<number> => redis.exists(...parts.map((part) => keys.parked(tenant, part)))

test('a parked run that is not listed, as one parked before there was this list, is listed after its next look', async () => {
  const run = await park('earlier')
  await redis.del(...parts.map((part) => keys.parked('earlier', part)))
  await store.schedule({ lane: 'main', runId: run.id }, 0)
  expect((await listed('earlier')).rows).toEqual([])
  const { runIds, nextDue } = await store.takeDue('main', 10, 15_000)
  expect(runIds).toEqual([run.id])
  await store.rest(run, nextDue)
  expect(await listed('earlier')).toMatchObject({ rows: [{ runId: run.id }], groups: [{ count: 1 }] })
})

test('an entry that a crash left behind goes when somebody reads the list, and one whose commit is under way stays', async () => {
  const run = await park('crashed')
  const kept = await Promise.all(parts.map(async (part) => redis.dumpBuffer(keys.parked('crashed', part))))
  await commit({ ...run, status: 'running', open: [], closed: { 'review.1': 'rejected' } })
  expect(await keysLeft('crashed')).toBe(0)
  for (const [i, part] of parts.entries()) await redis.restore(keys.parked('crashed', part), 0, kept[i] ?? '')
  expect((await listed('crashed')).rows).toEqual([])
  expect(await keysLeft('crashed')).toBe(0)

  const other = sampleRun({ id: 'to-park', tenant: 'under-way' })
  await store.create(other, [asked()], 'body')
  const parked: Run = { ...other, status: 'parked', open: [reviewTask(1, Date.now() + 600_000)] }
  await store.commit({ run: parked, version: 'raced', by: null, events: [], evidence: [] })
  expect((await listed('under-way')).rows).toEqual([])
  expect(await keysLeft('under-way')).toBe(5)
})
