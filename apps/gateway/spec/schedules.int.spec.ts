import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSchedules, type HeldSchedule, type ScheduleState } from '@plumbline/features/schedules/store/schedules'
import { openOutbox } from '@plumbline/adapters/redis/client/webhook-outbox'
import { keys } from '@plumbline/adapters/redis/client/keys'
import { createClient, type Client } from '@plumbline/client'
import type { ScheduleView } from '@plumbline/contracts'
import { checked, drafted, found, graded, good, planned, toResearch } from '@plumbline/flow/spec/run-fixtures.spec'
import type { Gateway } from '@plumbline/gateway'
import { openIngestion } from './ingestion.spec'
import { onceOnly, openBeside, openHouse, toPark, withPolicy, type House, type ReportFields } from './house.spec'

withPolicy('once-only', onceOnly)
const options = {
  apiKeys: 'key-of-a:a:asker+admin:*, key-of-b:b:asker+admin:*, less-of-a:a:asker:staff, reviewer-of-a:a:reviewer:*',
}
let house: House
let other: Gateway
beforeAll(async () => {
  house = await openHouse(options)
  other = await openBeside(house, options)
})
afterAll(async () => {
  await other.close()
  await house.close()
})

const client = (key = 'key-of-a'): Client => createClient({ url: house.url, key })
const poll = <T>(look: () => Promise<T>) => expect.poll(look, { interval: 40 })
const question = 'How heavy is Mars?'
const yearly = { by: 'cron', cron: '0 0 1 1 *' } as const

const held = async (id: string): Promise<HeldSchedule> => {
  const one = await openSchedules(house.redis).one('a', id)
  if (!one) throw new Error(`no schedule ${id}`)
  return one
}
/** Makes a schedule due. `ago`: how long ago, in ms, as if no gateway had been running since. */
const makeDue = async (id: string, ago = 0): Promise<void> => {
  const schedules = openSchedules(house.redis)
  const one = await held(id)
  expect(await schedules.note(one, { ...one.state, next: Date.now() - ago })).not.toBeNull()
  await schedules.schedule(`a/${id}`, 0)
}
const soon = (id: string): Promise<void> => openSchedules(house.redis).schedule(`a/${id}`, 0)
const runningOf = async (id: string, of = client()): Promise<string> => {
  await poll(async () => (await of.schedule(id)).running).toBeDefined()
  const { running = '' } = await of.schedule(id)
  await poll(async () => (await house.store.load(running))?.run.status).toBe('queued')
  return running
}
const answer = (text: string, passage = 'p1'): ReportFields[] => [
  toResearch,
  planned(question),
  found('1.1', [passage]),
  graded('1.1', { [passage]: good }),
  drafted(1, text),
  checked(1),
]
/** Applies these reports to the run of a due schedule. Returns the outcome: the answer compared with the last one. */
const askedAndAnswered = async (
  id: string,
  ...said: ReportFields[]
): Promise<ScheduleView['outcomes'][number] | undefined> => {
  const before = (await client().schedule(id)).outcomes.length
  const run = await runningOf(id)
  await house.report(run, ...said)
  await soon(id)
  await poll(async () => (await client().schedule(id)).outcomes.length).toBe(before + 1)
  return (await client().schedule(id)).outcomes[0]
}
const noticed = async (id: string): Promise<string[]> =>
  (await house.redis.zrange(keys.notices, '0', '-1')).filter((member) => member.includes(id))
const withHook = () =>
  client().putWebhook('hook', { url: 'https://example.org/hook', events: ['schedule.changed', 'schedule.stopped'] })

describe('a schedule by the clock', () => {
  it('shows its question, policy and collection', async () => {
    const { id } = await client().createSchedule({ question, when: yearly, policy: 'adaptive', collection: 'planets' })
    expect(await client().schedule(id)).toMatchObject({ question, policy: 'adaptive', collection: 'planets' })
    await client().removeSchedule(id)
    const { id: ofTwo } = await client().createSchedule({ question, when: yearly, collection: ['planets', 'moons'] })
    const view = await client().schedule(ofTwo)
    expect([view.collection, view.collections]).toEqual([undefined, ['planets', 'moons']])
    await client().removeSchedule(ofTwo)
  })

  it('tells its asker when the released answer differs, and nobody when it is the same', async () => {
    await withHook()
    const made = await client().createSchedule({ question, when: yearly })
    expect(made).toMatchObject({
      status: 'active',
      nextRunAt: `${new Date().getUTCFullYear() + 1}-01-01T00:00:00.000Z`,
    })
    await makeDue(made.id)
    const first = await askedAndAnswered(made.id, ...answer('Mars weighs 6.4e23 kg [1].'))
    expect(first).toMatchObject({ status: 'answered', answer: 'first' })
    const run = (await house.store.load(first?.runId ?? ''))?.run
    expect(run).toMatchObject({ class: 'batch', question, askedBy: expect.stringMatching(/^key-/) })

    await makeDue(made.id)
    const same = await askedAndAnswered(made.id, ...answer('Mars  weighs\n6.4e23 kg [1].'))
    expect(same).toMatchObject({ answer: 'same', comparedWith: first?.runId })
    expect(await noticed(made.id)).toEqual([])

    await makeDue(made.id)
    const changed = await askedAndAnswered(made.id, ...answer('Mars weighs 6.5e23 kg [1].'))
    expect(changed).toMatchObject({ answer: 'changed', comparedWith: same?.runId })
    expect(await noticed(made.id)).toEqual([`schedule/a/${made.id}/${changed?.runId}`])
    expect(JSON.stringify(await client().schedule(made.id))).not.toContain('6.5e23')

    await makeDue(made.id)
    expect(await askedAndAnswered(made.id, ...answer('Mars weighs 6.5e23 kg [1].', 'p2'))).toMatchObject({
      answer: 'changed',
    })
    await openOutbox(house.redis).forget(`schedule/a/${made.id}/${changed?.runId}`)
  })

  it('takes an answer for the same if its quoted table only has more rows elsewhere', async () => {
    const { id } = await client().createSchedule({ question, when: yearly })
    const fromTable = (row: string, of: number): ReportFields[] => {
      const quotes = [{ n: 1, passageId: 'p1', text: `| a |\n|---|\n${row}`, marks: [], rows: { shown: 1, of } }]
      const said = answer('Mars weighs 6.4e23 kg [1].')
      return said.map((one) =>
        one.kind === 'generate' && one.result.outcome === 'drafted'
          ? { ...one, result: { ...one.result, quotes } }
          : one,
      )
    }
    const compared = []
    for (const said of [fromTable('| b |', 8), fromTable('| b |', 9), fromTable('| c |', 9)]) {
      await makeDue(id)
      compared.push((await askedAndAnswered(id, ...said))?.answer)
    }
    expect(compared).toEqual(['first', 'same', 'changed'])
    await client().removeSchedule(id)
  })

  it('compares a held answer once it is decided, and shows nothing of it before', async () => {
    const { id } = await client().createSchedule({ question, policy: 'once-only', when: yearly })
    await makeDue(id)
    const run = await runningOf(id)
    await house.report(run, ...toPark())
    await makeDue(id)
    await soon(id)
    const view = await client().schedule(id)
    expect(view).toMatchObject({ running: run, outcomes: [] })
    expect(JSON.stringify(view)).not.toContain('cheese')
    await client().decide(run, { taskId: 'review.1', decisionId: 'd1', action: 'approve' })
    await soon(id)
    await poll(async () => (await client().schedule(id)).outcomes).toMatchObject([{ runId: run, answer: 'first' }])
    // The question is now asked for the time that passed during the review.
    await poll(async () => (await client().schedule(id)).running ?? run).not.toBe(run)
    await client().removeSchedule(id)
  })

  it('is asked only once for all missed times, even with several gateways', async () => {
    const { id } = await client().createSchedule({
      question,
      when: { by: 'cron', cron: '* * * * *', timeZone: 'Asia/Kolkata' },
    })
    const before = (await client().runs({ limit: 100 })).items.length
    const begun = Date.now()
    await makeDue(id, 3_600_000)
    for (let n = 0; n < 5; n += 1) await soon(id)
    await runningOf(id)
    expect(Date.parse((await client().schedule(id)).nextRunAt ?? '')).toBeGreaterThan(begun)
    for (let n = 0; n < 5; n += 1) await soon(id)
    expect((await client().runs({ limit: 100 })).items).toHaveLength(before + 1)
    await client().removeSchedule(id)
  })

  it('continues after a gateway died before asking, and a stalled one changes nothing', async () => {
    const schedules = openSchedules(house.redis)
    const { id } = await client().createSchedule({ question, when: yearly })
    const old = await held(id)
    const key = `schedule ${id} 1`
    const running: ScheduleState['running'] = { runId: 'r'.padEnd(25, '0'), key, at: Date.now(), asked: false }
    expect(await schedules.note(old, { ...old.state, running })).not.toBeNull()
    expect(await schedules.note(old, { ...old.state, running: undefined })).toBeNull()
    await soon(id)
    await poll(async () => (await held(id)).state.running?.asked).toBe(true)
    const runs = (await client().runs({ limit: 100 })).items
    expect(runs.filter(({ createdAt }) => Date.parse(createdAt) > running.at - 1)).toHaveLength(1)
    await client().removeSchedule(id)
  })
})

it('a schedule on change is asked when a cited document is committed again or removed', async () => {
  const admin = client()
  const { id: document } = await admin.addDocument({ title: 'Mars', name: 'mars', text: 'Mars is red.' })
  const indexed = async (): Promise<void> => {
    const moves = await openIngestion(house)(document)
    await moves.finish(1)
  }
  await indexed()
  const { id } = await admin.createSchedule({ question, when: { by: 'change' } })
  const cites = (text: string): ReportFields[] =>
    answer(text).map((said) => ({ ...said, ...('evidence' in said && { evidence: [] }) }))
  const first = await runningOf(id)
  await house.report(first, ...cites('Mars is red [1].'))
  // The passages of these reports belong to a made-up document. Assign them to the document that was added above.
  const passages = await house.redis.hgetall(keys.evidence(first))
  for (const [passage, text] of Object.entries(passages))
    await house.redis.hset(
      keys.evidence(first),
      passage,
      JSON.stringify({ ...(JSON.parse(text) as object), documentId: document }),
    )
  await soon(id)
  await poll(async () => (await admin.schedule(id)).answer?.documents).toEqual([document])
  for (let n = 0; n < 3; n += 1) await soon(id)
  expect((await admin.schedule(id)).running).toBeUndefined()

  await admin.addDocument({ title: 'Mars', name: 'mars', text: 'Mars is blue.' })
  await indexed()
  await soon(id)
  const second = await runningOf(id)
  await house.report(second, ...cites('Mars is blue [1].'))
  for (const [passage, text] of Object.entries(await house.redis.hgetall(keys.evidence(second))))
    await house.redis.hset(
      keys.evidence(second),
      passage,
      JSON.stringify({ ...(JSON.parse(text) as object), documentId: document }),
    )
  await soon(id)
  await poll(async () => (await admin.schedule(id)).outcomes[0]?.answer).toBe('changed')
  await admin.removeDocument(document)
  await soon(id)
  expect(await runningOf(id)).not.toBe(second)
})

describe('the rights of a schedule', () => {
  it('are those of its key: it stops when that is revoked, and says so', async () => {
    await withHook()
    const { id: keyId, key } = await client().createKey({ name: 'short', roles: ['asker'] })
    const { id } = await createClient({ url: house.url, ...(key && { key }) }).createSchedule({
      question,
      when: yearly,
    })
    await client().revokeKey(keyId)
    await makeDue(id)
    await poll(async () => (await client().schedule(id)).status).toBe('stopped')
    expect((await client().schedule(id)).stopped?.reason).toContain('is no longer valid')
    expect(await noticed(id)).toEqual([`schedule/a/${id}/stopped`])
    expect((await client().schedule(id)).running).toBeUndefined()
  })

  it('end at its tenant, and at who may read less', async () => {
    const { id } = await client().createSchedule({ question, when: yearly })
    for (const stranger of [client('key-of-b'), client('less-of-a')]) {
      await expect(stranger.schedule(id)).rejects.toMatchObject({ problem: { status: 404 } })
      await expect(stranger.removeSchedule(id)).rejects.toMatchObject({ problem: { status: 404 } })
      expect((await stranger.schedules()).items.map((one) => one.id)).not.toContain(id)
    }
    await expect(client('reviewer-of-a').createSchedule({ question, when: yearly })).rejects.toMatchObject({
      problem: { status: 403 },
    })
    expect((await client('reviewer-of-a').schedule(id)).id).toBe(id)
    await expect(
      client('less-of-a').createSchedule({ question, when: yearly, access: ['board'] }),
    ).rejects.toMatchObject({ problem: { status: 400 } })
    await client().removeSchedule(id)
    await expect(client().schedule(id)).rejects.toMatchObject({ problem: { status: 404 } })
  })

  it('do not take what cannot come, and the same key makes it once', async () => {
    for (const when of [
      { by: 'cron', cron: '61 0 * * *' },
      { by: 'cron', cron: '0 0 30 2 *' },
      { by: 'cron', cron: '0 * * * * *' },
      { by: 'cron', cron: '0 0 * * *', timeZone: 'Mars/Olympus' },
      { by: 'never' },
    ])
      await expect(client().createSchedule({ question, when: when as typeof yearly })).rejects.toMatchObject({
        problem: { status: 400 },
      })
    const once = { idempotencyKey: 'once' }
    const { id } = await client().createSchedule({ question, when: yearly }, once)
    expect((await client().createSchedule({ question, when: yearly }, once)).id).toBe(id)
    await expect(client().createSchedule({ question: 'Else?', when: yearly }, once)).rejects.toMatchObject({
      problem: { status: 422 },
    })
  })

  it('keep their due time when a repeated request is refused', async () => {
    const once = { idempotencyKey: 'hourly' }
    const { id } = await client().createSchedule({ question, when: { by: 'cron', cron: '0 * * * *' } }, once)
    const due = await house.redis.zscore(keys.schedulesDue, `a/${id}`)
    await expect(client().createSchedule({ question, when: yearly }, once)).rejects.toMatchObject({
      problem: { status: 422 },
    })
    expect(await house.redis.zscore(keys.schedulesDue, `a/${id}`)).toBe(due)
  })
})
