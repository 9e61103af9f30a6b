import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient, ProblemError, type Client } from '@plumbline/client'
import type { Rules } from '@plumbline/contracts'
import { advance, start, type Run } from '@plumbline/flow'
import { admitted, asked, policy, reportOf } from '@plumbline/flow/spec/run-fixtures.spec'
import { silent } from '@plumbline/platform/log'
import { createMemoryJobQueue } from '@plumbline/ports/memory-job-queue'
import { createClock } from '@plumbline/worker'
import { dispatch, moveRun } from '@plumbline/worker/move'
import { createSweeper } from '@plumbline/worker/sweeper'
import { openHouse, toAnswer, withPolicy, type House } from './house.spec'

const nothing: Rules = { hold: { everything: false, samplePercent: 0, collections: [], words: [] }, deadline: null }
const holding = (hold: Partial<Rules['hold']>): Rules => ({ ...nothing, hold: { ...nothing.hold, ...hold } })

withPolicy('askers-decide', { decider: 'asker' })
let house: House
let admin: Client
let asker: Client
let stranger: Client
beforeAll(async () => {
  house = await openHouse({
    apiKeys: 'admin-key:acme:admin,asker-key:acme:asker,other-key:other:admin',
    markedAnswers: ['other'],
  })
  admin = createClient({ url: house.url, key: 'admin-key' })
  asker = createClient({ url: house.url, key: 'asker-key' })
  stranger = createClient({ url: house.url, key: 'other-key' })
})
afterAll(() => house.close())

const set = async (rules: Rules, client = admin): Promise<void> => {
  const { version } = await client.rules()
  await client.putRules({ ...rules, version })
}
beforeEach(() => set(nothing))

const refusal = async (promise: Promise<unknown>): Promise<{ status: number; detail: string }> => {
  const error = await promise.then(
    () => 'no error',
    (error: unknown) => error,
  )
  if (!(error instanceof ProblemError)) throw new Error('not refused', { cause: error })
  return error.problem
}
const answered = async (question = 'How heavy is Mars?', client = asker): Promise<Run> => {
  const { id } = await client.ask({ question })
  return house.report(id, ...toAnswer())
}

describe('the rules of a tenant', () => {
  it('hold a run for reviewers even where its policy lets the asker decide', async () => {
    await set(holding({ everything: true }))
    const { id } = await asker.ask({ question: 'How heavy is Mars?', policy: 'askers-decide' })
    const parked = await house.report(id, ...toAnswer())
    expect(parked).toMatchObject({ status: 'parked', policy: { decider: 'asker' } })
    const taskId = parked.open[0]?.id ?? ''
    const bodies = [
      { action: 'reject' },
      { action: 'reject', undoMs: 9_000 },
      { action: 'retry' },
      { action: 'retry', guidance: 'Shorter.' },
      { action: 'research', guidance: 'The crust of Mars.' },
      { action: 'edit', text: 'Mars is heavy [1].' },
      { action: 'approve' },
    ] as const
    for (const [n, body] of bodies.entries())
      expect(await refusal(asker.decide(id, { taskId, decisionId: `d-${n}`, ...body }))).toMatchObject({ status: 403 })
    expect((await house.store.load(id))?.run.status).toBe('parked')
    await asker.cancel(id)
  })

  it('are none at first, and are changed by admins who have read them', async () => {
    expect(await stranger.rules()).toEqual({
      ...nothing,
      version: 0,
      updatedAt: null,
      updatedBy: null,
      mayRelease: true,
    })
    const { version } = await admin.rules()
    const changed = await admin.putRules({ ...holding({ samplePercent: 2 }), version })
    expect(changed).toMatchObject({ version: version + 1, hold: { samplePercent: 2 }, mayRelease: false })
    expect(await admin.rules()).toEqual(changed)
    expect(await refusal(admin.putRules({ ...nothing, version }))).toMatchObject({ status: 409 })
    expect((await admin.rules()).hold.samplePercent).toBe(2)
    expect(await refusal(asker.rules())).toMatchObject({ status: 403 })
    expect((await stranger.rules()).version).toBe(0)
  })

  it('may leave out the working hours', async () => {
    const { version } = await admin.rules()
    const saved = await admin.putRules({ ...nothing, version, deadline: { minutes: 60, then: 'refuse' } })
    expect(saved.deadline).toEqual({ minutes: 60, hours: null, then: 'refuse' })
    await admin.putRules({ ...nothing, version: saved.version })
  })

  it('that are invalid are refused with an explanation', async () => {
    const wrong = async (change: object): Promise<string> =>
      (await refusal(admin.putRules({ ...nothing, version: 0, ...change } as never))).detail
    const deadline = { minutes: 60, hours: null, then: 'refuse' }
    const hours = { timeZone: 'Europe/Berlin', days: ['mon'], from: '09:00', to: '17:00' }
    expect(await wrong({ hold: { ...nothing.hold, samplePercent: 101 } })).toContain(
      'hold.samplePercent: send 100 or less',
    )
    expect(await wrong({ hold: { ...nothing.hold, words: ['…'] } })).toContain('with letters or digits')
    expect(await wrong({ deadline: { ...deadline, hours: { ...hours, timeZone: 'Mars' } } })).toContain('Europe/Berlin')
    expect(await wrong({ deadline: { ...deadline, hours: { ...hours, to: '09:10' } } })).toContain('30 minutes after')
    expect(await wrong({ deadline: { ...deadline, then: 'escalate' } })).toContain('how long an escalated answer waits')
    expect(await wrong({ deadline: { ...deadline, minutes: 43_000, hours } })).toContain('more than a year')
    expect(await wrong({ deadline: { ...deadline, then: 'caveat' } })).toContain('MARKED_ANSWERS')
    expect(await wrong({ surprise: 1 })).toContain('there is no such field')
  })

  it('hold every answer of the tenant and of no other; a person approves it at once', async () => {
    await set(holding({ everything: true }))
    const run = await answered()
    expect(run).toMatchObject({ status: 'parked', reason: 'parked.tenant' })
    const seen = JSON.stringify(await asker.run(run.id))
    expect(seen).not.toContain('6.4e23')
    const [row] = (await admin.reviews({ reason: 'parked.tenant' })).items
    expect(row).toMatchObject({ runId: run.id, score: 1, risk: 0 })
    await admin.decide(run.id, { taskId: row?.taskId ?? '', decisionId: 'd1', action: 'approve' })
    expect(await asker.run(run.id)).toMatchObject({
      status: 'answered',
      answer: { text: 'Mars weighs 6.4e23 kg [1].' },
    })
    expect(await answered('How heavy is Mars?', stranger)).toMatchObject({ status: 'answered' })
  })

  it('hold a sample by the id of the run, the same whenever it is asked', async () => {
    await set(holding({ samplePercent: 30 }))
    const runs = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        asker.ask({ question: `Question ${n}?` }, { idempotencyKey: `sample-${n}` }),
      ),
    )
    const stored = await house.store.loadMany(runs.map(({ id }) => id))
    const sampled = stored.filter((run) => run?.hold?.reason === 'parked.sample')
    // The run ids are derived from the idempotency keys, so the sample is the same each time.
    expect(sampled.length).toBe(64)
    const [first] = sampled
    await asker.ask(
      { question: first?.question ?? '' },
      { idempotencyKey: `sample-${/\d+/.exec(first?.question ?? '')?.[0]}` },
    )
    expect((await house.store.load(first?.id ?? ''))?.run.hold).toEqual({ reason: 'parked.sample' })
  })

  it('hold questions by their words and answers by their collection', async () => {
    await admin.putCollection('planets', { description: 'Facts about the planets.' })
    await admin.putCollection('memory', { description: 'What else there is.' })
    await set(holding({ words: ['Notice period'], collections: ['planets'] }))
    expect(await answered('What is the NOTICE-period?')).toMatchObject({ reason: 'parked.words' })
    expect(await answered()).toMatchObject({ reason: 'parked.collection' })
    await set(holding({ words: ['notice period'], collections: ['memory'] }))
    expect(await answered()).toMatchObject({ status: 'answered' })
    const { id } = await asker.ask({ question: 'And for how long?', threadId: 'notice' })
    expect((await house.store.load(id))?.run.hold).toEqual({ collections: ['memory'], words: ['notice period'] })
  })

  it('say how long a held draft waits; a caveat is for tenants whom the operator named', async () => {
    const deadline = { minutes: 90, hours: null, then: 'caveat' } as const
    await set({ ...holding({ everything: true }), deadline }, stranger)
    const run = await answered('How heavy is Mars?', stranger)
    expect(run.deadline).toEqual({ waitMs: 5_400_000, then: 'caveat' })
    expect(run.deadlineAt - (run.open[0]?.openedAt ?? 0)).toBe(5_400_000)
    await set({ ...nothing, deadline: { ...deadline, then: 'escalate', escalatedMinutes: 10 } })
    const { id } = await asker.ask({ question: 'How heavy is Mars?' })
    expect((await house.store.load(id))?.run.deadline).toEqual({
      waitMs: 5_400_000,
      then: 'escalate',
      escalatedMs: 600_000,
    })
  })
})

it('a held answer that nobody decided is escalated by the sweeper, waits, and can be decided', async () => {
  const id = `r${'0'.repeat(23)}e`
  const at = Date.now() - 3_600_000
  const ask = { ...asked, id, tenant: 'acme', at: at - 20_000, hold: { reason: 'parked.tenant' } as const }
  const deadline = { waitMs: 60_000, then: 'escalate', escalatedMs: 7_200_000 } as const
  const begun = start({ ...ask, deadline }, policy())
  await house.store.create(begun.run, begun.events, '')
  const queue = createMemoryJobQueue()
  for (const said of [admitted, ...toAnswer()]) {
    const outcome = await moveRun(house.store, id, (run: Run) => advance(run, reportOf(run, said)))
    if (outcome.kind !== 'moved') throw new Error(outcome.kind)
    await dispatch({ store: house.store, queue }, outcome.before, outcome.after)
  }
  const sweeper = createSweeper({ store: house.store, queue, lanes: ['main'], clock: createClock(silent), log: silent })
  await sweeper.look()
  await sweeper.stop()
  const [row] = (await admin.reviews({ order: 'age' })).items
  expect(row).toMatchObject({ runId: id, taskId: 'review.1' })
  expect(Date.parse(row?.dueAt ?? '') - Date.parse(row?.escalatedAt ?? '')).toBe(7_200_000)
  await admin.decide(id, { taskId: 'review.1', decisionId: 'late', action: 'approve' })
  expect(await asker.run(id)).toMatchObject({ status: 'answered', reason: 'answered.decided' })
})
