import { afterAll, expect, it } from 'vitest'
import type { Run } from '@plumbline/flow'
import { reviewTask, sampleRun } from '@plumbline/ports/run-store/sample-run'
import { keys } from '../client/keys'
import { ownRedis } from '../spec/own-redis.spec'
import { openRedisRunStore } from './redis-run-store'
import { openReviewers, type Reservation } from './reviewers'

const { redis } = await ownRedis()
const store = openRedisRunStore({ redis })
afterAll(() => store.close())
const reviewers = openReviewers(redis)

const tenant = 'acme'
const minute = 60_000
const put = (name: string, atMost: number, leftMs = minute): Promise<void> =>
  reviewers.put(tenant, { name, atMost, access: ['hr staff'], until: Date.now() + leftMs }, minute)
const listed = async (id: string, fields: Partial<Run> = {}): Promise<Run> => {
  const run: Run = {
    ...sampleRun({ id, tenant }),
    status: 'parked',
    open: [reviewTask(1, Date.now() + minute)],
    ...fields,
  }
  await store.relist(run)
  return run
}
const listMany = (count: number): Promise<Run[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => listed(`r${n}`)))
const reserve = (runs: Run[], names: string[]): Promise<Reservation[]> =>
  reviewers.reserve(
    tenant,
    runs.map(({ id }) => ({ runId: id, taskId: 'review.1', reviewers: names })),
  )
const countsOf = (reservations: Reservation[]) =>
  Object.fromEntries([...Map.groupBy(reservations, ({ to }) => to)].map(([name, all]) => [name, all.length]))

it('shares drafts by capacity, counts assigned drafts, and reserves nothing beyond', async () => {
  const runs = await listMany(20)
  await listed('by-hand', { assignee: 'rita' })
  await Promise.all([put('rita', 3), put('sam', 6), put('gone', 9, -1)])
  expect(countsOf(await reserve(runs.slice(0, 5), ['rita', 'sam', 'gone']))).toEqual({ rita: 1, sam: 4 })
  expect(countsOf(await reserve(runs, ['rita', 'sam']))).toEqual({ rita: 2, sam: 6 })
  expect(await reviewers.available(tenant, Date.now())).toMatchObject([
    { name: 'rita', atMost: 3, access: ['hr staff'] },
    { name: 'sam', atMost: 6 },
  ])
  expect(await redis.hkeys(keys.reviewers(tenant))).toEqual(['rita', 'sam'])
  for (const key of [keys.reviewers(tenant), keys.reservedReviews(tenant)])
    expect(await redis.pttl(key)).toBeGreaterThan(0)
})

it('returns a reservation until the list shows its assignment, so that a crash loses none', async () => {
  const [first, second, third] = await listMany(3)
  await put('rita', 2)
  const reserved = await reserve([first!, second!], ['rita'])
  expect(reserved.map(({ runId }) => runId)).toEqual(['r0', 'r1'])
  expect(await reserve([third!], ['rita'])).toEqual(expect.arrayContaining(reserved))
  await store.relist({ ...first!, assignee: 'rita', autoAssigned: true })
  expect((await reserve([third!], ['rita'])).map(({ runId }) => runId)).toEqual(['r1'])
  expect(await reviewers.assigned(tenant)).toEqual(new Map([['rita', 1]]))
  await reviewers.remove(tenant, 'rita')
  expect(await reserve([third!], ['rita'])).toEqual([])
  expect(await redis.exists(keys.reservedReviews(tenant))).toBe(0)
})

it('two callers reserve each draft once', async () => {
  const runs = await listMany(60)
  const names = ['a', 'b', 'c']
  await Promise.all(names.map((name) => put(name, 15)))
  const other = openReviewers(redis)
  await Promise.all(
    runs.flatMap(({ id }) =>
      [reviewers, other].map((each) => each.reserve(tenant, [{ runId: id, taskId: 'review.1', reviewers: names }])),
    ),
  )
  const all = await reserve([], [])
  expect(new Set(all.map(({ runId }) => runId)).size).toBe(45)
  expect(countsOf(all)).toEqual({ a: 15, b: 15, c: 15 })
})
