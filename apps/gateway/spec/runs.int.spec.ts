import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunView, StreamEvent } from '@plumbline/contracts'
import { createClient, ProblemError } from '@plumbline/client'
import { createGateway } from '@plumbline/gateway'
import { stages } from '@plumbline/flow'
import { openQueue } from '@plumbline/adapters/bullmq/queues'
import { checked } from '@plumbline/flow/spec/run-fixtures.spec'
import { features, evidenceIn, onceOnly, openHouse, post, toAnswer, toPark, withPolicy, type House } from './house.spec'

let house: House
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const question = 'How heavy is Mars?'
const jobsOf = async (runId: string): Promise<string[]> => {
  const queues = [...stages, 'review'].map((name) => openQueue(house.redis, 'main', name))
  const jobs = (await Promise.all(queues.map((queue) => queue.getJobs(['waiting', 'prioritized'])))).flat()
  await Promise.all(queues.map((queue) => queue.close()))
  return jobs.flatMap((job) => (job.data.runId === runId ? [job.id ?? ''] : []))
}

describe('an ask', () => {
  it('is scheduled, stored and dispatched, and says where it is', async () => {
    const asked = await post(house.url, '/v1/runs', { question, metadata: { from: 'spec' } })
    const view = (await asked.json()) as RunView
    expect(asked.status).toBe(202)
    expect(asked.headers.get('location')).toBe(`/v1/runs/${view.id}`)
    expect(view).toMatchObject({
      status: 'queued',
      question,
      policy: 'standard',
      skills: 'offline',
      metadata: { from: 'spec' },
      documentsUsed: [],
    })
    expect(await house.redis.zscore('runs:open:main', view.id)).not.toBeNull()
    expect(await jobsOf(view.id)).toEqual([`${view.id}.route`])
  })

  it('may lower the limits of its policy and not raise them', async () => {
    const { id } = await house.client.ask({ question, limits: { rewrites: 0, moves: 1_000_000 } })
    const run = (await house.store.load(id))?.run
    const standard = (await house.store.load((await house.client.ask({ question })).id))?.run.policy
    expect(run?.policy.maxRewrites).toBe(0)
    expect(run?.policy.maxMoves).toBe(standard?.maxMoves)
    const shared = await house.client.ask({ question, policy: 'adaptive', limits: { retries: 1 } })
    expect((await house.store.load(shared.id))?.run.policy.maxShared).toBe(1)
  })

  it('reads the collection it names, or all of them', async () => {
    await house.client.putCollection('planets', { description: 'About planets.' })
    await house.client.putCollection('moons', { description: 'About moons.' })
    const one = await house.client.ask({ question, collection: 'moons' })
    const all = await house.client.ask({ question })
    expect((await house.store.load(one.id))?.run.collections).toEqual(['moons'])
    expect((await house.store.load(all.id))?.run.collections).toEqual(['moons', 'planets'])
  })

  it('reads each collection of a list once, and refuses a list with an unknown, missing or invalid name', async () => {
    const several = await house.client.ask({ question, collection: ['planets', 'moons', 'planets'] })
    expect((await house.store.load(several.id))?.run.collections).toEqual(['planets', 'moons'])
    const refused = async (collection: string[]) =>
      house.client.ask({ question, collection }).then(
        () => 'asked',
        (error: unknown) => (error instanceof ProblemError ? error.problem.errors?.[0]?.message : undefined),
      )
    expect(await refused(['planets', 'nowhere'])).toContain('there is no collection nowhere')
    expect(await refused([])).toContain('name at least one collection')
    expect(await refused(['Planets'])).toContain('lower-case letters')
  })

  it('takes the policy that all collections of a list share', async () => {
    await house.client.putCollection('strict', { description: 'Strict', policy: 'once-only' })
    await house.client.putCollection('stricter', { description: 'Stricter', policy: 'once-only' })
    const policyOf = async (collection: string[]) => (await house.client.ask({ question, collection })).policy
    expect(await policyOf(['strict', 'stricter'])).toBe('once-only')
    expect(await policyOf(['strict', 'moons'])).toBe('standard')
  })

  it('takes the policy of the collection it names, unless it names one', async () => {
    await house.client.putCollection('strict', { description: 'Asked once.', policy: 'once-only' })
    expect((await house.client.ask({ question, collection: 'strict' })).policy).toBe('once-only')
    expect((await house.client.ask({ question, collection: 'strict', policy: 'standard' })).policy).toBe('standard')
  })
})

describe('an Idempotency-Key', () => {
  it('finds its run in the lane it has, when LANES has changed since', async () => {
    const lanes = ['left', 'right']
    const moved = await createGateway({
      features,
      redisUrl: house.server.url,
      port: 0,
      lanes,
      removePassages: () => Promise.resolve(),
    })
    const ask = (url: string) => createClient({ url }).ask({ question: 'How?' }, { idempotencyKey: 'lanes' })
    const { id } = await ask(house.url)
    await house.redis.zrem('runs:open:main', id)
    expect((await ask(moved.url)).id).toBe(id)
    const scheduled = async (lane: string) => (await house.redis.zscore(`runs:open:${lane}`, id)) !== null
    expect(await Promise.all(['main', ...lanes].map(scheduled))).toEqual([true, false, false])
    await moved.close()
  })

  it('makes one run of many asks at once, and refuses another body', async () => {
    const views = await Promise.all(
      Array.from({ length: 50 }, () =>
        house.client.ask({ question, metadata: { a: '1', b: '2' } }, { idempotencyKey: 'once' }),
      ),
    )
    expect(new Set(views.map((view) => view.id)).size).toBe(1)
    expect((await house.client.ask({ metadata: { b: '2', a: '1' }, question }, { idempotencyKey: 'once' })).id).toBe(
      views[0]?.id,
    )
    const other = await post(house.url, '/v1/runs', { question: 'Another?' }, { 'idempotency-key': 'once' })
    expect([other.status, await other.json()]).toEqual([
      422,
      expect.objectContaining({ type: 'urn:plumbline:problem:idempotency-key-reused' }),
    ])
  })

  it('with two bodies at once makes the run of one of them, with its job, and refuses the other', async () => {
    const bodies = [{ question: 'One?' }, { question: 'Or two?' }]
    const answers = await Promise.all(
      bodies.map((body) => post(house.url, '/v1/runs', body, { 'idempotency-key': 'two-bodies' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 422])
    const made = answers.findIndex(({ status }) => status === 202)
    const view = (await answers[made]?.json()) as { id: string }
    expect(view).toMatchObject(bodies[made] ?? {})
    expect(await jobsOf(view.id)).toEqual([`${view.id}.route`])
  })

  it('dispatches a run again whose jobs were lost, and shows it as it is now', async () => {
    const { id } = await house.client.ask({ question }, { idempotencyKey: 'again' })
    const router = openQueue(house.redis, 'main', 'router')
    await router.remove(`${id}.route`)
    await router.close()
    expect(await jobsOf(id)).toEqual([])
    await house.client.ask({ question }, { idempotencyKey: 'again' })
    expect(await jobsOf(id)).toEqual([`${id}.route`])
    await house.report(id, ...toAnswer())
    expect((await house.client.ask({ question }, { idempotencyKey: 'again' })).status).toBe('answered')
  })
})

describe('Prefer: wait', () => {
  it('answers 200 with the answer when the run ends in time', async () => {
    const asking = post(
      house.url,
      '/v1/runs',
      { question },
      { prefer: 'respond-async, wait=20', 'idempotency-key': 'waiting' },
    )
    await expect.poll(() => house.client.runs({ limit: 1 }).then((list) => list.items[0]?.question)).toBe(question)
    const { id } = await house.client.ask({ question }, { idempotencyKey: 'waiting' })
    await house.report(id, ...toAnswer())
    const answered = await asking
    expect([answered.status, answered.headers.get('preference-applied')]).toEqual([200, 'wait=20'])
    expect(await answered.json()).toMatchObject({
      id,
      status: 'answered',
      answer: {
        kind: 'written',
        text: 'Mars weighs 6.4e23 kg [1].',
        citations: [{ n: 1, passageId: 'p1', text: 'Text of p1.' }],
      },
    })
  })

  it('answers 202 as soon as the draft is held for a reviewer', async () => {
    const asking = (wait: number) =>
      post(
        house.url,
        '/v1/runs',
        { question, policy: 'once-only' },
        { prefer: `wait=${wait}`, 'idempotency-key': 'held' },
      )
    const { id } = (await (await asking(0)).json()) as RunView
    const first = asking(60)
    await house.report(id, ...toPark())
    for (const held of [await first, await asking(60)])
      expect([held.status, ((await held.json()) as RunView).status]).toEqual([202, 'parked'])
    await house.client.cancel(id)
  })

  it('answers 202 when it does not', async () => {
    const asked = await post(house.url, '/v1/runs', { question }, { prefer: 'wait=1' })
    expect([asked.status, ((await asked.json()) as RunView).status]).toEqual([202, 'queued'])
  })
})

describe('a quoted answer', () => {
  it('is shown whole as text and as quotes, in the view and at the end of the stream', async () => {
    const { id } = await house.client.ask({ question })
    const quotes = [{ n: 1, passageId: 'p1', text: 'Mars weighs 6.4e23 kg.', marks: [[0, 4]] as [number, number][] }]
    await house.report(
      id,
      ...evidenceIn,
      { taskId: 'generate.1', kind: 'generate', result: { outcome: 'quoted', quotes, degraded: true } },
      checked(1, { claims: [] }),
    )
    const view = await house.client.run(id)
    expect(view).toMatchObject({
      status: 'answered',
      reason: 'answered.quoted',
      degraded: ['model'],
      queries: ['query 1.1'],
      answer: { kind: 'quoted', quotes: [{ ...quotes[0], documentId: 'd-p1', title: 'Title p1' }] },
    })
    expect(view.grounding).toBeUndefined()
    expect(view.answer?.text).toMatch(/\.\n\nTitle p1 \[1\]\n\nMars weighs 6\.4e23 kg\.$/)
    const seen: StreamEvent[] = []
    for await (const event of house.client.events(id)) seen.push(event)
    expect(seen.at(-1)).toMatchObject({ type: 'ended', answer: view.answer })
  })
})

describe('the list of runs', () => {
  it('continues after its cursor, newest first, and filters by status', async () => {
    const all: string[] = []
    let cursor: string | undefined
    do {
      const page = await house.client.runs({ limit: 3, ...(cursor && { cursor }) })
      all.push(...page.items.map((run) => run.id))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(new Set(all).size).toBe(all.length)
    const { id } = await house.client.ask({ question, policy: 'once-only' })
    await house.report(id, ...toPark())
    expect((await house.client.runs({ status: 'parked' })).items.map((run) => run.id)).toEqual([id])
    expect((await house.client.runs({ limit: 100 })).items).toHaveLength(all.length + 1)
  })
})

describe('a cancel', () => {
  it('ends the run and may be repeated; what workers still report is stale', async () => {
    const { id } = await house.client.ask({ question })
    expect(await house.client.cancel(id)).toMatchObject({ status: 'cancelled', reason: 'cancelled.asked' })
    expect((await house.client.cancel(id)).status).toBe('cancelled')
    await expect(house.report(id, ...toAnswer())).rejects.toThrow('stale')
  })

  it('takes a parked draft off the desk', async () => {
    const { id } = await house.client.ask({ question, policy: 'once-only' })
    await house.report(id, ...toPark())
    expect(await jobsOf(id)).toContain(`${id}.review.1`)
    await house.client.cancel(id)
    expect(await jobsOf(id)).not.toContain(`${id}.review.1`)
  })

  it('of a run that ended otherwise is refused', async () => {
    const { id } = await house.client.ask({ question })
    await house.report(id, ...toAnswer())
    const error = await house.client.cancel(id).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({ problem: { status: 409, type: 'urn:plumbline:problem:run-ended' } })
  })
})

describe('feedback', () => {
  it('is kept beside the run, as long as the run', async () => {
    const { id } = await house.client.ask({ question })
    await house.client.feedback(id, { useful: true, note: 'Just right.' })
    expect(await house.redis.llen(`run:{${id}}:feedback`)).toBe(1)
    expect(await house.redis.pttl(`run:{${id}}:feedback`)).toBeGreaterThan(0)
  })
})
