import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { keys } from '@plumbline/adapters/redis/client/keys'
import { type Client, createClient, ProblemError } from '@plumbline/client'
import type { Decision } from '@plumbline/contracts'
import { bounds } from '@plumbline/gateway/settings'
import { onceOnly, openBeside, openHouse, toPark, withPolicy, type House } from './house.spec'

const tenants = ['one', 'tags', 'rest', 'hand', 'gone', 'eyes', 'many']
const crew = ['anna', 'boris', 'carla', 'david', 'elena']
const apiKeys = [
  ...tenants.flatMap((tenant) => [
    `${tenant}-asker:${tenant}:asker`,
    `${tenant}-board:${tenant}:asker:board`,
    `${tenant}-rita:${tenant}:asker+reviewer+names-reviewers`,
    `${tenant}-ruth:${tenant}:reviewer:board`,
  ]),
  ...crew.map((name) => `many-${name}:many:reviewer`),
].join(',')
const fourEyes = ['eyes']

let house: House
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse({ apiKeys, fourEyes })
})
afterAll(() => house.close())

const clientOf = (key: string, url = house.url): Client => createClient({ url, key })
const nameOf = async (key: string): Promise<string> => (await clientOf(key).me()).name
const park = async (key: string): Promise<string> => {
  const { id } = await clientOf(key).ask({ question: 'What is Mars made of?', policy: 'once-only' })
  await house.report(id, ...toPark())
  return id
}
const assigneeOf = async (id: string): Promise<string | undefined> => (await house.store.load(id))?.run.assignee
const assignees = (ids: string[]) => Promise.all(ids.map(assigneeOf))
const soon = (ids: string[]) => expect.poll(() => assignees(ids))
const decide = (action: 'approve' | 'reject'): Decision => ({ taskId: 'review.1', decisionId: action, action })
const statusOf = async (promise: Promise<unknown>): Promise<number> =>
  promise.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof ProblemError) return error.problem.status
      throw error
    },
  )

describe('a reviewer who takes work', () => {
  it('gets the most urgent drafts up to the capacity, and the next after a decision', async () => {
    const rita = clientOf('one-rita')
    const name = await nameOf('one-rita')
    const ids = [await park('one-asker'), await park('one-asker'), await park('one-asker')]
    expect((await rita.reviews()).yours).toEqual({ assigned: 0 })
    expect(await assignees(ids)).toEqual([undefined, undefined, undefined])
    expect(await rita.takeWork({ atMost: 2 })).toMatchObject({ atMost: 2, assigned: 2 })
    expect(await assignees(ids)).toEqual([name, name, undefined])
    expect((await rita.reviews({ assignee: 'none' })).yours).toEqual({ assigned: 2, atMost: 2 })
    await rita.decide(ids[0] ?? '', decide('reject'))
    await soon(ids.slice(2)).toEqual([name])
    // A change of the assignee reaches the list of reviews a moment after the run.
    await expect.poll(async () => (await rita.reviews({ assignee: name })).counts.total).toBe(2)
    await rita.stopWork()
    expect((await rita.reviews()).yours).toEqual({ assigned: 0 })
    expect(await house.redis.zcard(keys.reviewersDue)).toBeLessThanOrEqual(1)
    await expect.poll(() => house.redis.zcard(keys.reviewersDue)).toBe(0)
  })

  it('gets only drafts that the reviewer may read, also those held later', async () => {
    const [rita, ruth] = await Promise.all([nameOf('tags-rita'), nameOf('tags-ruth')])
    await clientOf('tags-rita').takeWork({ atMost: 5 })
    const ids = [await park('tags-board'), await park('tags-asker')]
    await soon(ids).toEqual([undefined, rita])
    await clientOf('tags-ruth').takeWork({ atMost: 5 })
    expect(await assignees(ids)).toEqual([ruth, rita])
    await park('tags-board')
    await expect.poll(async () => (await clientOf('tags-ruth').reviews()).yours?.assigned).toBe(2)
  })

  it('needs the role reviewer and a capacity from 1 to 100', async () => {
    expect(await statusOf(clientOf('one-asker').takeWork({ atMost: 5 }))).toBe(403)
    expect(await statusOf(clientOf('one-asker').stopWork())).toBe(403)
    for (const atMost of [0, 101, 1.5]) expect(await statusOf(clientOf('one-rita').takeWork({ atMost }))).toBe(400)
  })
})

describe('a reviewer who stops', () => {
  it('returns the drafts that the reviewer does not have open and wrote no note about', async () => {
    const [rita, ruth] = [clientOf('rest-rita'), clientOf('rest-ruth')]
    const [mine, theirs] = await Promise.all([nameOf('rest-rita'), nameOf('rest-ruth')])
    const ids = await Promise.all(Array.from({ length: 4 }, () => park('rest-asker')))
    const [byHand = '', noted = '', open = ''] = ids
    await rita.assign(byHand, { to: mine })
    await rita.takeWork({ atMost: 4 })
    expect(await assignees(ids)).toEqual([mine, mine, mine, mine])
    await rita.addNote(noted, { text: 'Ask the lab.' })
    await rita.take(open)
    await ruth.takeWork({ atMost: 4 })
    await rita.stopWork()
    await soon(ids).toEqual([mine, mine, mine, theirs])
    await rita.putBack(open)
    await soon(ids).toEqual([mine, mine, theirs, theirs])
  })

  it('includes a reviewer whose time is over', async () => {
    const id = await park('gone-asker')
    const { until } = await clientOf('gone-rita').takeWork({ atMost: 1 })
    expect(Date.parse(until) - Date.now()).toBeLessThanOrEqual(bounds.leaseMs + 1_000)
    expect(await assigneeOf(id)).toBe(await nameOf('gone-rita'))
    expect(await house.redis.pttl(keys.reviewers('gone'))).toBeGreaterThan(0)
    await house.redis.pexpire(keys.reviewers('gone'), 1)
    await soon([id]).toEqual([undefined])
    await expect.poll(async () => (await clientOf('gone-rita').reviews()).yours).toEqual({ assigned: 0 })
  })
})

it('a draft that was taken from a reviewer by hand goes to another reviewer', async () => {
  const [rita, ruth] = [clientOf('hand-rita'), clientOf('hand-ruth')]
  const ids = [await park('hand-asker'), await park('hand-asker')]
  await rita.takeWork({ atMost: 1 })
  await rita.assign(ids[0] ?? '', { to: null })
  await soon(ids).toEqual([undefined, await nameOf('hand-rita')])
  await ruth.takeWork({ atMost: 5 })
  expect(await assigneeOf(ids[0] ?? '')).toBe(await nameOf('hand-ruth'))
})

it('a draft that is written again is assigned anew, because its reviewer may have stopped', async () => {
  const rita = clientOf('hand-rita')
  const name = await nameOf('hand-rita')
  await rita.takeWork({ atMost: 100 })
  const id = await park('hand-asker')
  await soon([id]).toEqual([name])
  await rita.decide(id, { taskId: 'review.1', decisionId: 'again', action: 'retry' })
  await rita.stopWork()
  expect(await assigneeOf(id)).toBeUndefined()
})

it('two people who must approve are two assignees, and neither asked the question', async () => {
  const [rita, ruth] = [clientOf('eyes-rita'), clientOf('eyes-ruth')]
  const [mine, theirs] = await Promise.all([nameOf('eyes-rita'), nameOf('eyes-ruth')])
  const ids = [await park('eyes-rita'), await park('eyes-asker')]
  await rita.takeWork({ atMost: 5 })
  expect(await rita.takeWork({ atMost: 5 }, { reviewer: 'zoe' })).toMatchObject({ assigned: 0 })
  await rita.stopWork({ reviewer: 'zoe' })
  expect(await assignees(ids)).toEqual([undefined, mine])
  expect((await rita.decide(ids[1] ?? '', decide('approve'))).status).toBe('parked')
  expect(await assigneeOf(ids[1] ?? '')).toBeUndefined()
  expect((await rita.reviews()).yours).toMatchObject({ assigned: 0 })
  await ruth.takeWork({ atMost: 5 })
  expect(await assignees(ids)).toEqual([theirs, theirs])
})

it(
  'two gateways assign 200 drafts to five reviewers evenly, and never exceed a capacity',
  { timeout: 120_000 },
  async () => {
    const ids: string[] = []
    for (let n = 0; n < 10; n += 1)
      ids.push(...(await Promise.all(Array.from({ length: 20 }, () => park('many-asker')))))
    const beside = await openBeside(house, { apiKeys, fourEyes })
    onTestFinished(() => beside.close())
    const urls = [house.url, beside.url]
    const takeAll = (atMost: number) =>
      Promise.all(crew.flatMap((name) => urls.map((url) => clientOf(`many-${name}`, url).takeWork({ atMost }))))
    const loads = async () => {
      const counts = Map.groupBy(await assignees(ids), (assignee = 'none') => assignee)
      const { none = [], ...ofCrew } = Object.fromEntries(counts)
      return { none: none.length, crew: Object.values(ofCrew).map(({ length }) => length) }
    }
    const most: number[] = []
    const during = async <T>(work: Promise<T>): Promise<T> => {
      let isDone = false
      void work.finally(() => (isDone = true)).catch(() => undefined)
      while (!isDone) most.push(...(await loads()).crew)
      return work
    }
    await during(takeAll(30))
    await expect.poll(loads, { timeout: 20_000 }).toEqual({ none: 50, crew: [30, 30, 30, 30, 30] })
    expect(Math.max(...most)).toBeLessThanOrEqual(30)
    await during(takeAll(60))
    await expect.poll(async () => (await loads()).none, { timeout: 20_000 }).toBe(0)
    const { crew: shares } = await loads()
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
    const listed = async () => Object.values((await clientOf('many-anna').reviews()).counts.assignees)
    await expect.poll(listed).toEqual(shares)
    await expect.poll(() => house.redis.hlen(keys.reservedReviews('many'))).toBe(0)
  },
)
