import { afterAll, beforeAll, describe, expect, type ExpectStatic, it } from 'vitest'
import type { Decision, ReviewRow } from '@plumbline/contracts'
import { type Client, createClient, ProblemError } from '@plumbline/client'
import { createGateway } from '@plumbline/gateway'
import { features, onceOnly, openHouse, post, toPark, withPolicy, type House } from './house.spec'

let house: House
withPolicy('once-only', onceOnly)
withPolicy('brief', { ...onceOnly, parkMs: 1_000 })
const apiKeys = [
  'planets-key:planets:asker+reviewer+names-reviewers+admin',
  'planets-asker:planets:asker',
  'planets-other:planets:asker+reviewer',
].join(',')
beforeAll(async () => {
  house = await openHouse({ apiKeys })
})
afterAll(() => house.close())

const clientOf = (key: string, url = house.url): Client => createClient({ url, key })
const desk = () => clientOf('planets-key')
const rita = { reviewer: 'rita' }
const ruth = { reviewer: 'ruth' }
const named = (name: string, key = 'planets-key') => ({ authorization: `Bearer ${key}`, 'x-reviewer': name })
const park = async (key = 'planets-asker', policy = 'once-only'): Promise<string> => {
  const { id } = await clientOf(key).ask({ question: 'What is Mars made of?', policy })
  await house.report(id, ...toPark())
  return id
}
const approve = (decisionId: string, undoMs?: number): Decision => ({
  taskId: 'review.1',
  decisionId,
  action: 'approve',
  ...(undoMs !== undefined && { undoMs }),
})
const refusal = async (promise: Promise<unknown>): Promise<[number, string]> => {
  const error = await promise.then(
    () => 'no error',
    (error: unknown) => error,
  )
  if (!(error instanceof ProblemError)) throw new Error('not refused', { cause: error })
  return [error.problem.status, error.problem.type.replace('urn:plumbline:problem:', '')]
}
const statusOf = async (id: string) => (await house.store.load(id))?.run.status
const told = async (id: string, type: string) =>
  (await house.store.ledger(id, null, 1_000)).filter(({ event }) => event.type === type)
/** Returns the entry of the run's decision in the queue of due decisions. */
const waitingOf = async (id: string): Promise<string> =>
  (await house.redis.zrange('runs:decisions', '0', '-1')).find((member) => member.startsWith(id)) ?? ''
/**
 * Waits until this time. Redis runs on this machine, so both have the same clock. `poll` belongs to the spec that waits,
 * because several specs may wait at once.
 */
const reached = ({ poll }: Pick<ExpectStatic, 'poll'>, time: number) =>
  poll(() => Date.now(), { interval: 5, timeout: 20_000 }).toBeGreaterThanOrEqual(time)
const rowOf = async (id: string, query: object = {}): Promise<ReviewRow | undefined> =>
  (await desk().reviews({ limit: 100, order: 'age', ...query })).items.find(({ runId }) => runId === id)

const anotherGateway = () =>
  createGateway({
    features,
    redisUrl: house.server.url,
    port: 0,
    dataDir: house.dataDir,
    apiKeys,
    removePassages: () => Promise.resolve(),
  })

/** These specs wait for several seconds and use only their own runs, so they run at the same time. */
describe.concurrent('a decision that can be taken back later', () => {
  it('waits, is visible as pending, keeps others out and takes effect when its time is over', async ({ expect }) => {
    const id = await park()
    const answer = await post(house.url, `/v1/reviews/${id}/decision`, approve('d1', 6_000), named('rita'))
    expect([answer.status, ((await answer.json()) as { status: string }).status]).toEqual([202, 'parked'])
    const pending = { decisionId: 'd1', action: 'approve', by: expect.stringMatching(/^rita as named by/) as string }
    expect((await rowOf(id))?.pending).toMatchObject(pending)
    const { pending: shown, draft } = await clientOf('planets-other').review(id)
    expect(shown).toMatchObject(pending)
    expect(JSON.stringify(await clientOf('planets-asker').run(id))).not.toContain(draft.text)
    expect(await refusal(desk().decide(id, approve('d2'), ruth))).toEqual([409, 'decision-pending'])
    expect(await refusal(desk().decide(id, approve('d2', 9_000), ruth))).toEqual([409, 'decision-pending'])
    expect(await refusal(desk().decide(id, { ...approve('d1'), action: 'reject' }, rita))).toEqual([
      409,
      'decision-pending',
    ])
    const again = await post(house.url, `/v1/reviews/${id}/decision`, approve('d1', 6_000), named('rita'))
    expect(again.status).toBe(202)
    await expect.poll(() => statusOf(id)).toBe('answered')
    const late = Number((await told(id, 'decided'))[0]?.id.split('-')[0]) - Date.parse(shown?.at ?? '')
    expect(late).toBeGreaterThanOrEqual(0)
    expect(late).toBeLessThan(3_000)
    expect((await post(house.url, `/v1/reviews/${id}/decision`, approve('d1', 6_000), named('rita'))).status).toBe(200)
    expect(await told(id, 'decided')).toHaveLength(1)
    expect(await waitingOf(id)).toBe('')
  })

  it('takes effect in time although the gateway that accepted it stops, and the next gateway dies', async ({
    expect,
  }) => {
    const leaving = await anotherGateway()
    const id = await park()
    await clientOf('planets-key', leaving.url).decide(id, approve('d1', 5_000), rita)
    const at = Date.parse((await desk().review(id)).pending?.at ?? '')
    await leaving.close()
    // Simulate a gateway that takes the due decision for 500 ms and dies before it applies the decision.
    const waiting = await waitingOf(id)
    expect(waiting).not.toBe('')
    await house.redis.zadd('runs:decisions', 'XX', at + 500, waiting)
    await expect.poll(() => statusOf(id)).toBe('answered')
    const late = Number((await told(id, 'decided'))[0]?.id.split('-')[0]) - at
    expect(late).toBeGreaterThanOrEqual(500)
    expect(late).toBeLessThan(3_000)
  })

  it('counts before its review is due', async ({ expect }) => {
    const id = await park('planets-asker', 'brief')
    const { dueAt } = await desk().review(id)
    await desk().decide(id, approve('d1', 10_000), rita)
    expect(Date.parse((await desk().review(id)).pending?.at ?? '')).toBe(Date.parse(dueAt) - 2_000)
    await expect.poll(() => statusOf(id), { timeout: 15_000 }).toBe('answered')
    expect((await post(house.url, `/v1/reviews/${id}/decision`, approve('d2', 10_001), named('rita'))).status).toBe(400)
  })

  it('does not count once its review is due, where nobody was there in time', async ({ expect }) => {
    const id = await park('planets-asker', 'brief')
    const { dueAt } = await desk().review(id)
    await desk().decide(id, approve('d1', 2_000), rita)
    // Simulate a gateway that takes the decision and dies.
    const waiting = await waitingOf(id)
    await house.redis.zadd('runs:decisions', 'XX', Date.now() + 60_000, waiting)
    await reached(expect, Date.parse(dueAt))
    await house.redis.zadd('runs:decisions', 0, waiting)
    await expect.poll(() => house.redis.zscore('runs:decisions', waiting)).toBeNull()
    expect([await statusOf(id), await told(id, 'decided')]).toEqual(['parked', []])
    expect(await refusal(desk().decide(id, approve('d2'), rita))).toEqual([409, 'review-overdue'])
  })
})

describe('a decision that can be taken back', () => {
  it('is undone by its author, and is not repeated by a late request', async () => {
    const id = await park()
    await desk().decide(id, approve('d1', 10_000), rita)
    expect(await refusal(desk().undo(id, 'd1', ruth))).toEqual([403, 'forbidden'])
    expect(await refusal(desk().undo(id, 'd0', rita))).toEqual([409, 'review-stale'])
    await desk().undo(id, 'd1', rita)
    await desk().undo(id, 'd1', rita)
    expect((await rowOf(id))?.pending).toBeNull()
    expect(await refusal(desk().decide(id, approve('d1', 10_000), rita))).toEqual([409, 'review-stale'])
    expect((await desk().decide(id, { ...approve('d2'), action: 'reject' }, ruth)).status).toBe('rejected')
    expect(await refusal(desk().undo(id, 'd2', ruth))).toEqual([409, 'review-stale'])
  })

  it('is one of twenty that reviewers make at once', async () => {
    const id = await park()
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        post(house.url, `/v1/reviews/${id}/decision`, approve(`d${n}`, 300), named(`r${n}`)).then(
          ({ status }) => status,
        ),
      ),
    )
    expect(statuses.filter((status) => status === 202)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(19)
    await expect.poll(() => statusOf(id)).toBe('answered')
    expect(await told(id, 'decided')).toHaveLength(1)
  })

  it('either counts or is taken back, never both, in 50 races of the two', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => park()))
    const outcomes = await Promise.all(
      ids.map(async (id, n) => {
        await desk().decide(id, approve('d1', 2_500), rita)
        const task = (await house.store.load(id))?.run.open[0]
        const at = (task?.kind === 'review' && task.pending?.at) || 0
        // The 50 requests to undo are spread from 800 ms before the decision takes effect to about 400 ms after.
        await reached(expect, at - 800 + n * 24)
        return desk()
          .undo(id, 'd1', rita)
          .then(
            () => 'undone',
            () => 'too late',
          )
      }),
    )
    for (const [n, id] of ids.entries()) {
      if (outcomes[n] === 'too late') await expect.poll(() => statusOf(id)).toBe('answered')
    }
    const ends = await Promise.all(
      ids.map(async (id) => [await statusOf(id), (await told(id, 'decided')).length] as const),
    )
    expect(ends).toEqual(outcomes.map((how) => (how === 'undone' ? ['parked', 0] : ['answered', 1])))
    expect(new Set(outcomes).size).toBe(2)
  })

  it('is held until it takes effect, once, on whichever of two gateways', async () => {
    const other = await anotherGateway()
    const desks = [desk(), clientOf('planets-key', other.url)] as const
    const heldAt = () => Promise.all(desks.map(async (one) => (await one.reviews({ limit: 1 })).counts.total))
    const ids = await Promise.all(Array.from({ length: 10 }, () => park()))
    const [before = 0] = await heldAt()
    await Promise.all(ids.map((id, n) => desks[n % 2 === 0 ? 0 : 1].decide(id, approve('d1', 4_000), rita)))
    expect(await heldAt()).toEqual([before, before])
    for (const one of desks) {
      const { items } = await one.reviews({ limit: 100, order: 'age' })
      expect(items.filter(({ runId, pending }) => ids.includes(runId) && pending)).toHaveLength(10)
    }
    await expect.poll(heldAt).toEqual([before - 10, before - 10])
    const decided = await Promise.all(ids.map(async (id) => (await told(id, 'decided')).length))
    expect(decided).toEqual(ids.map(() => 1))
    await other.close()
  })
})
