import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createClient, ProblemError } from '@plumbline/client'
import type { OpsHistory, OpsStage } from '@plumbline/contracts'
import { benchOn, type Bench } from '@plumbline/hosting/spec/bench'
import { scriptedHandlers } from '@plumbline/hosting/spec/scripted-handlers'
import { createGateway } from '@plumbline/gateway'
import { features, onceOnly, openHouse, withPolicy, type House } from './house.spec'

const apiKeys =
  'admin-of-a:a:admin, admin-of-b:b:admin, asker-of-a:a:asker, of-operator:ops:operator, watcher-of-a:a:operator:*'
let house: House
let bench: Omit<Bench, 'server'>
const as = (key: string) => createClient({ url: house.url, key })
const operator = () => as('of-operator')
const ask = (key: string, question: string, policy?: string) => as(key).ask({ question, ...(policy && { policy }) })
const status = (promise: Promise<unknown>): Promise<number> =>
  promise.then(
    () => 200,
    (error: unknown) => (error instanceof ProblemError ? error.problem.status : Promise.reject(error as Error)),
  )

withPolicy('once-only', onceOnly)

const handlers = () => ({ handlers: scriptedHandlers(), limits: { attempts: 1 } })

beforeAll(async () => {
  house = await openHouse({ apiKeys })
  bench = await benchOn({ url: house.server.url, stop: () => Promise.resolve() })
  await bench.host(handlers())
})
afterAll(async () => {
  await bench.close()
  await house.close()
})

const endedBy = async (...ids: string[]): Promise<void> => void (await Promise.all(ids.map((id) => bench.ended(id))))
/** Waits until the history meets a condition, because counts are added to it after some seconds. */
const history = async (holds: (history: OpsHistory) => boolean, key = 'of-operator'): Promise<OpsHistory> => {
  let last: OpsHistory | undefined
  await vi.waitFor(
    async () => {
      last = await as(key).history()
      if (!holds(last)) throw new Error(JSON.stringify(last.total))
    },
    { timeout: 15_000, interval: 200 },
  )
  return last!
}

describe('the history', () => {
  it('counts just what happened, by tenant, by policy and by stage', async () => {
    const plain = await Promise.all([1, 2, 3].map((n) => ask('admin-of-a', `What is part ${n}?`)))
    const again = await ask('admin-of-b', 'What is it, again?')
    const parked = await ask('admin-of-a', 'Is Mars of cheese?', 'once-only')
    await endedBy(...plain.map(({ id }) => id), again.id)
    await expect.poll(async () => (await as('admin-of-a').run(parked.id)).status).toBe('parked')
    await as('admin-of-a').decide(parked.id, { taskId: 'review.1', decisionId: 'd1', action: 'reject' })

    const runs = await Promise.all([...plain, again, parked].map(({ id }) => bench.load(id)))
    const tasks = (prefix: string): number =>
      runs.flatMap(({ closed }) => Object.keys(closed)).filter((id) => id.startsWith(prefix)).length
    const done = { generator: tasks('generate.'), researcher: tasks('research.'), grader: tasks('grade-') }
    const all = await history(
      ({ total, stages }) =>
        total.asked === 5 &&
        total.ended.rejected === 1 &&
        total.ended.answered === 4 &&
        total.groundingFailures === 1 &&
        Object.entries(done).every(([name, count]) => stages.some((one) => one.stage === name && one.done === count)),
    )
    expect(all.total).toMatchObject({
      asked: 5,
      ended: { answered: 4, rejected: 1 },
      reasons: { 'answered.checked': 4, 'rejected.decided': 1 },
      parked: { 'parked.ungrounded': 1 },
      decided: { reject: 1 },
      withRewrite: 1,
      strategies: { 'narrow-focus': expect.any(Number) },
      groundingFailures: 1,
    })
    expect(all.total.rewritesOfAnswered).toBe((await bench.load(again.id)).spent.rewrites)
    expect(all.total.p50Ms).toBeGreaterThan(0)
    expect(all.tenants.map(({ name, asked }) => [name, asked])).toEqual([
      ['a', 4],
      ['b', 1],
    ])
    expect(all.policies.map(({ name, asked }) => [name, asked])).toEqual([
      ['standard', 4],
      ['once-only', 1],
    ])
    const stage = (of: OpsStage) => all.stages.find((each) => each.stage === of)
    expect(stage('generator')).toMatchObject({ done: done.generator, failed: 0 })
    expect(stage('researcher')).toMatchObject({ done: done.researcher, failed: 0 })
    expect(stage('grader')).toMatchObject({ done: done.grader, failed: 0 })
    const [sums, points] = [all.total.asked, all.points.reduce((sum, { runs: { asked } }) => sum + asked, 0)]
    expect(points).toBe(sums)
    expect((await operator().history({ tenant: 'b' })).total.asked).toBe(1)
    expect((await operator().history({ policy: 'once-only' })).total.ended).toEqual({ rejected: 1 })
  })

  it('shows an admin its tenant, and neither others nor what all share', async () => {
    const own = await history(({ total }) => total.asked === 1, 'admin-of-b')
    expect(own.tenants.map(({ name }) => name)).toEqual(['b'])
    expect([own.stages, own.points.flatMap(({ stages }) => stages)]).toEqual([[], []])
    expect(await status(as('admin-of-b').history({ tenant: 'a' }))).toBe(404)
    expect(await status(as('asker-of-a').history())).toBe(403)
    expect(await status(as('admin-of-a').overview())).toBe(403)
    expect(await status(as('admin-of-a').processes())).toBe(403)
    expect(await status(as('admin-of-a').pauseStage('router'))).toBe(403)
  })

  it('refuses a span it cannot draw', async () => {
    const span = { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }
    expect(await status(operator().history(span))).toBe(400)
    expect(await status(operator().history({ from: 'yesterday' }))).toBe(400)
    expect(
      await status(operator().history({ from: new Date(Date.now() - 86_400_000).toISOString(), step: 'minute' })),
    ).toBe(400)
  })

  it('is exported to Prometheus too', async () => {
    const text = await (
      await fetch(`${house.url}/metrics`, { headers: { authorization: 'Bearer of-operator' } })
    ).text()
    expect(text).toContain('plumbline_tenant_runs_ended_total{tenant="a",policy="once-only",status="rejected"} 1')
    expect(text).toContain('plumbline_decisions_total{action="reject"} 1')
  })
})

describe('the diagnosis', () => {
  it('names for each collection why searches failed, to those who may see the counts', async () => {
    await as('admin-of-a').putCollection('planets', { description: 'Facts about the planets.' })
    for (const n of [1, 2, 3, 4, 5]) await endedBy((await ask('admin-of-a', `What is it, again ${n}?`)).id)
    await expect
      .poll(async () => (await as('admin-of-a').diagnosis()).collections, { timeout: 15_000, interval: 200 })
      .toEqual([
        {
          tenant: 'a',
          collection: 'planets',
          runs: 5,
          findings: [
            {
              kind: 'too-broad',
              words: expect.stringContaining('too broad'),
              evidence: [
                { what: 'helpful-rewrites', strategy: 'narrow-focus', count: 10, of: 10 },
                { what: 'rejected-grades', count: expect.any(Number), of: expect.any(Number) },
              ],
            },
          ],
        },
      ])
    expect((await operator().diagnosis({ tenant: 'a' })).collections).toHaveLength(1)
    expect((await operator().diagnosis({ tenant: 'b' })).collections).toEqual([])
    expect((await as('admin-of-b').diagnosis()).collections).toEqual([])
    expect(await status(as('admin-of-b').diagnosis({ tenant: 'a' }))).toBe(404)
    expect(await status(as('asker-of-a').diagnosis())).toBe(403)
    expect(await status(operator().diagnosis({ from: '2099-01-01T00:00:00Z' }))).toBe(400)
    await as('admin-of-a').removeCollection('planets')
  })
})

describe('a stage', () => {
  const researcher = async (url = house.url) => {
    const { stages } = await createClient({ url, key: 'of-operator' }).overview()
    return stages.find(({ stage }) => stage === 'researcher')
  }

  it('is paused until it is resumed, whoever asks and whatever restarts', async () => {
    await operator().pauseStage('researcher')
    const { id } = await ask('admin-of-a', 'What waits?')
    await expect.poll(() => researcher()).toMatchObject({ paused: true, waiting: 2, active: 0 })
    const second = await createGateway({
      features,
      redisUrl: house.server.url,
      port: 0,
      apiKeys,
      dataDir: house.dataDir,
      removePassages: () => Promise.resolve(),
    })
    expect(await researcher(second.url)).toMatchObject({ paused: true, waiting: 2 })
    await second.close()
    const other = await bench.host({ ...handlers(), stages: ['researcher'] })
    expect((await bench.load(id)).status).toBe('running')
    await other.close()
    await operator().resumeStage('researcher')
    await endedBy(id)
    await expect.poll(() => researcher()).toMatchObject({ paused: false, waiting: 0 })
    expect(await status(operator().pauseStage('kitchen' as OpsStage))).toBe(404)
  })
})

describe('the overview', () => {
  it('shows the status', async () => {
    const parked = await ask('admin-of-a', 'Is the moon of cheese?', 'once-only')
    await expect.poll(async () => (await operator().overview()).held.waiting).toBe(1)
    const { accepting, stages, runs, runsPerHour } = await operator().overview()
    expect(accepting).toBe(true)
    expect(runs).toMatchObject({ parked: 1, running: 0 })
    expect(runsPerHour).toBeGreaterThanOrEqual(5)
    for (const stage of stages.filter(({ stage }) => stage !== 'ingest')) {
      expect(stage).toMatchObject({ waiting: 0, active: 0, delayed: 0, paused: false, oldestMs: null })
      expect(stage.slots).toBeGreaterThan(0)
    }
    await as('admin-of-a').cancel(parked.id)
  })
})

describe('processes', () => {
  it('are listed while they are alive, with what they serve', async () => {
    const alive = async () => (await operator().processes()).items
    const worker = await bench.host({ ...handlers(), stages: ['grader'] })
    const listed = async () => (await alive()).filter(({ stages }) => stages.join() === 'grader')
    await expect.poll(listed).toHaveLength(1)
    expect((await listed())[0]).toMatchObject({ app: 'spec', pid: process.pid, slots: { grader: 16 }, active: 0 })
    expect((await alive()).map(({ app }) => app)).toContain('gateway')
    await worker.close()
    expect(await listed()).toEqual([])
  })
})

describe('abandoned tasks', () => {
  it('are listed to whose they are, and asked again once', async () => {
    const { id } = await ask('admin-of-a', 'Who drank the poison?')
    await endedBy(id)
    const list = async (key: string) => (await as(key).abandoned()).items
    await expect.poll(() => list('admin-of-a'), { timeout: 15_000 }).toHaveLength(2)
    const own = await list('admin-of-a')
    expect(own.map(({ taskId }) => taskId).sort()).toEqual(['research.1.1', 'research.2.1'])
    expect(own[0]).toMatchObject({
      runId: id,
      tenant: 'a',
      policy: 'standard',
      reason: 'task.failed',
      question: 'Who drank the poison?',
    })
    expect(await list('admin-of-b')).toEqual([])
    expect((await list('of-operator'))[0]).toMatchObject({ runId: id })
    for (const key of ['of-operator', 'watcher-of-a']) expect((await list(key))[0]?.question).toBeUndefined()
    expect(await status(as('admin-of-b').replay(id))).toBe(404)

    const again = await as('admin-of-a').replay(id)
    expect(again).toMatchObject({ tenant: 'a', runId: expect.not.stringContaining(id) })
    expect(await operator().replay(id)).toEqual(again)
    expect(await as('admin-of-a').run(again.runId)).toMatchObject({
      question: 'Who drank the poison?',
      policy: 'standard',
    })
    const { items } = await as('admin-of-a').runs({ words: 'part' })
    expect(await status(as('admin-of-a').replay(items[0]!.id))).toBe(404)
    const other = items[0]!.id

    const replayed = { runId: id, replayed: again }
    const { items: byId } = await as('admin-of-a').replayMany({ runIds: [id, other, id] })
    expect(byId).toEqual([replayed, { runId: other, problem: expect.stringContaining('no such abandoned run') }])
    expect((await as('admin-of-b').replayMany({ runIds: [id] })).items[0]?.replayed).toBeUndefined()
    const { at } = own[0]!
    const later = new Date(Date.parse(at) + 60_000).toISOString()
    expect((await operator().replayMany({ from: '2020-01-01T00:00:00Z' })).items).toEqual([replayed])
    expect((await operator().replayMany({ from: later })).items).toEqual([])
    expect((await operator().replayMany({ from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' })).items).toEqual(
      [],
    )
    expect((await as('admin-of-b').replayMany({ from: '2020-01-01T00:00:00Z' })).items).toEqual([])
    expect(await status(as('watcher-of-a').replayMany({ runIds: [id] }))).toBe(200)
    expect(await status(as('admin-of-a').replayMany({}))).toBe(400)
    expect(await status(as('admin-of-a').replayMany({ runIds: [id], from: at }))).toBe(400)
  })
})

describe('the list of runs', () => {
  const found = async (asked: Parameters<ReturnType<typeof as>['runs']>[0]) =>
    (await as('admin-of-a').runs({ limit: 50, ...asked })).items.map(({ question }) => question)

  it('is filtered by what a run is, and by the words of its question', async () => {
    expect(await found({ words: 'CHEESE mars' })).toEqual(['Is Mars of cheese?'])
    expect(await found({ policy: 'once-only' })).toEqual(['Is the moon of cheese?', 'Is Mars of cheese?'])
    expect(await found({ reason: 'rejected.decided' })).toEqual(['Is Mars of cheese?'])
    expect(await found({ status: 'answered', words: 'waits' })).toEqual(['What waits?'])
    expect(await found({ collection: 'nowhere' })).toEqual([])
    expect(await status(as('admin-of-a').runs({ reason: 'no-such-reason' }))).toBe(400)
  })

  it('is cut by time, and its pages hold each run once', async () => {
    const all = (await as('admin-of-a').runs({ limit: 50 })).items
    const { createdAt: to } = all[1]!
    const { createdAt: from } = all[4]!
    expect((await as('admin-of-a').runs({ from, to })).items.map(({ id }) => id)).toEqual(
      all.slice(2, 5).map(({ id }) => id),
    )
    const paged: string[] = []
    let cursor: string | undefined
    do {
      const page = await as('admin-of-a').runs({ words: 'part', limit: 1, ...(cursor && { cursor }) })
      paged.push(...page.items.map(({ question }) => question))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(paged.sort()).toEqual([1, 2, 3].map((n) => `What is part ${n}?`))
  })
})
