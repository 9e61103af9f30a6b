import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BulkDecision, Decision } from '@plumbline/contracts'
import { type Client, createClient, ProblemError } from '@plumbline/client'
import { checked } from '@plumbline/flow/spec/run-fixtures.spec'
import { onceOnly, openHouse, post, toPark, withPolicy, type House } from './house.spec'

let house: House
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse({
    fourEyes: ['stones'],
    apiKeys: [
      'planets-key:planets:asker+reviewer+names-reviewers+admin',
      'planets-staff:planets:asker+reviewer:staff',
      'planets-board:planets:asker:board',
      'stones-key:stones:asker+reviewer+names-reviewers',
      'stones-second:stones:reviewer',
      'stones-asker:stones:asker',
    ].join(','),
  })
})
afterAll(() => house.close())

const clientOf = (key: string): Client => createClient({ url: house.url, key })
const desk = () => clientOf('planets-key')
const stones = () => clientOf('stones-key')
const rita = { reviewer: 'rita' }
const ruth = { reviewer: 'ruth' }
const park = async (key = 'planets-key'): Promise<string> => {
  const { id } = await clientOf(key).ask({ question: 'What is Mars made of?', policy: 'once-only' })
  await house.report(id, ...toPark())
  return id
}
const approve = (decisionId: string, undoMs = 0): Decision => ({
  taskId: 'review.1',
  decisionId,
  action: 'approve',
  undoMs,
})
const edit = (decisionId: string, text: string): Decision => ({ taskId: 'review.1', decisionId, action: 'edit', text })
const refusal = async (promise: Promise<unknown>): Promise<[number, string]> => {
  const error = await promise.then(
    () => 'no error',
    (error: unknown) => error,
  )
  if (!(error instanceof ProblemError)) throw new Error('not refused', { cause: error })
  return [error.problem.status, error.problem.type.replace('urn:plumbline:problem:', '')]
}
const told = async (id: string) => (await house.store.ledger(id, null, 1_000)).map(({ event }) => event.type)

describe('approval by two reviewers', () => {
  it('the first approval is recorded, and the second, by somebody else, releases', async () => {
    const id = await park('stones-asker')
    expect((await stones().decide(id, approve('d1'), rita)).status).toBe('parked')
    expect((await stones().decide(id, approve('d1'), rita)).status).toBe('parked')
    expect(await clientOf('stones-second').review(id)).toMatchObject({ approvedBy: [/^rita as named by/] })
    expect(await refusal(stones().decide(id, approve('d2'), rita))).toEqual([409, 'second-approval-needed'])
    expect((await clientOf('stones-asker').run(id)).answer).toBeUndefined()
    expect((await clientOf('stones-second').decide(id, approve('d3'))).status).toBe('answered')
    expect((await stones().decide(id, approve('d1'), rita)).status).toBe('answered')
    expect((await told(id)).slice(-4)).toEqual(['parked', 'approved', 'decided', 'ended'])
  })

  it('the first approval ends the lease, so that the second person can decide at once', async () => {
    const id = await park('stones-asker')
    await stones().take(id, rita)
    expect((await stones().decide(id, approve('d1'), rita)).status).toBe('parked')
    expect((await clientOf('stones-second').decide(id, approve('d2'))).status).toBe('answered')
  })

  it('one key without a name is nobody else, and one name is one person', async () => {
    const id = await park('stones-asker')
    await stones().decide(id, approve('d1'))
    expect(await refusal(stones().decide(id, approve('d2'), rita))).toEqual([409, 'second-approval-needed'])
    expect((await clientOf('stones-second').decide(id, approve('d3'))).status).toBe('answered')
  })

  it('an edit needs the same text from both, and goes through its check then', async () => {
    const id = await park('stones-asker')
    await stones().decide(id, edit('d1', 'Rock [1].'), rita)
    expect(await clientOf('stones-second').review(id)).toMatchObject({ approvedText: 'Rock [1].' })
    expect((await stones().decide(id, edit('d2', 'Iron [1].'), ruth)).status).toBe('parked')
    expect((await stones().decide(id, approve('d3'), rita)).status).toBe('parked')
    await stones().decide(id, edit('d4', 'Rock [1].'), rita)
    expect((await clientOf('stones-second').decide(id, edit('d5', 'Rock [1].'))).status).toBe('running')
    await house.report(id, checked(2))
    expect((await clientOf('stones-asker').run(id)).answer?.text).toBe('Rock [1].')
  })

  it('two at once are one who agrees and one who releases; to reject takes one', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => park('stones-asker')))
    for (const id of ids) {
      const both = [rita, ruth].map((who, n) => stones().decide(id, approve(`d${n}`), who))
      expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual(['answered', 'parked'])
      expect((await told(id)).slice(-3)).toEqual(['approved', 'decided', 'ended'])
    }
    expect((await stones().decide(await park('stones-asker'), { ...approve('d1'), action: 'reject' })).status).toBe(
      'rejected',
    )
  })

  it('a first approval can be taken back, and the second too', async () => {
    const id = await park('stones-asker')
    await stones().decide(id, approve('d1', 300), rita)
    await expect.poll(async () => (await stones().review(id)).approvedBy?.length).toBe(1)
    expect((await stones().review(id)).pending).toBeNull()
    await stones().decide(id, approve('d2', 10_000), ruth)
    await stones().undo(id, 'd2', ruth)
    expect(await stones().review(id)).toMatchObject({ pending: null, approvedBy: [/^rita/] })
    await stones().decide(id, approve('d3', 100), ruth)
    await expect.poll(async () => (await told(id)).at(-1)).toBe('ended')
  })

  it('nobody approves what their own key asked', async () => {
    const id = await park('stones-key')
    for (const decision of [approve('d1'), edit('d1', 'Rock [1].')])
      expect(await refusal(stones().decide(id, decision, rita))).toEqual([403, 'forbidden'])
    expect((await stones().decide(id, { ...approve('d1'), action: 'reject' }, rita)).status).toBe('rejected')
  })
})

describe('many decisions at once', () => {
  it('are each made or told why not', async () => {
    const [first, taken, decided, last] = [await park(), await park(), await park(), await park()]
    await desk().take(taken, ruth)
    await desk().decide(decided, approve('d0'), rita)
    const items = [first, taken, decided, 'r000000000000000000000000', last].map((runId) => ({
      runId,
      taskId: 'review.1',
    }))
    const many = { action: 'reject', decisionId: 'd1', note: 'All of one kind.', items } satisfies BulkDecision
    const results = await desk().decideMany(many, rita)
    expect(results.items.map((item) => [item.runId, item.decided])).toEqual([
      [first, true],
      [taken, false],
      [decided, false],
      ['r000000000000000000000000', false],
      [last, true],
    ])
    expect(results.items[1]?.problem).toMatch(/^ruth as named by key-\w+ has this draft open/)
    expect(results.items[3]?.problem).toBe('There is no such run.')
    expect(await desk().decideMany(many, rita)).toEqual(results)
    expect((await told(first)).filter((type) => type === 'decided')).toHaveLength(1)
    const stone = await park('stones-asker')
    const one = {
      action: 'approve',
      decisionId: 'd1',
      items: [{ runId: stone, taskId: 'review.1' }],
    } satisfies BulkDecision
    expect((await stones().decideMany(one, rita)).items).toMatchObject([
      { decided: false, problem: expect.stringMatching(/another person/i) },
    ])
    expect((await stones().decideMany(one, ruth)).items).toEqual([{ runId: stone, decided: true }])
  })
})

describe('an assignment', () => {
  it('shows a run’s assignee, filters and counts by it, and keeps it when the run is parked again', async () => {
    const [mine, theirs, free] = [await park(), await park(), await park()]
    await desk().assign(mine, { to: 'rita' })
    await desk().assign(theirs, { to: 'ruth' })
    await desk().assign(theirs, { to: 'ruth' })
    const of = async (assignee: string) => {
      const { items, counts } = await desk().reviews({ assignee, limit: 100 })
      return { ids: items.map(({ runId }) => runId), total: counts.total, assignees: items.map((row) => row.assignee) }
    }
    expect(await of('rita')).toEqual({ ids: [mine], total: 1, assignees: ['rita'] })
    expect(await of('ruth')).toEqual({ ids: [theirs], total: 1, assignees: ['ruth'] })
    expect((await of('none')).ids).toContain(free)
    expect((await desk().reviews({})).counts.assignees).toMatchObject({ rita: 1, ruth: 1 })
    expect((await desk().review(mine)).assignee).toBe('rita')
    await desk().assign(mine, { to: null })
    expect([(await of('rita')).ids, (await of('none')).ids]).toEqual([[], expect.arrayContaining([mine])])
    await desk().decide(theirs, { ...approve('d1'), action: 'reject' })
    expect(await of('ruth')).toEqual({ ids: [], total: 0, assignees: [] })
    expect(await refusal(desk().assign(theirs, { to: 'rita' }))).toEqual([409, 'review-stale'])
    expect(await refusal(desk().assign(mine, { to: 'none' }))).toEqual([400, 'invalid-request'])
    expect(await refusal(clientOf('stones-key').assign(mine, { to: 'rita' }))).toEqual([404, 'not-found'])
  })

  it('by many at once is the last one, in the list as in the run', async () => {
    const id = await park()
    await Promise.all(Array.from({ length: 20 }, (_, n) => desk().assign(id, { to: `r${n}` })))
    const { assignee } = await desk().review(id)
    const { items, counts } = await desk().reviews({ assignee: assignee ?? '' })
    expect(items.map(({ runId }) => runId)).toEqual([id])
    expect(Object.entries(counts.assignees)).toEqual([[assignee, 1]])
    expect(Object.keys((await desk().reviews({})).counts.assignees).filter((name) => /^r\d/.test(name))).toEqual([
      assignee,
    ])
  })
})

describe('a note', () => {
  it('is shown with the draft at the desk, also after it was parked again, and never to its asker', async () => {
    const id = await park()
    await desk().addNote(id, { text: 'The figure comes from Aldabra.' }, rita)
    await desk().addNote(id, { text: 'Ask the lab.' }, ruth)
    const { notes } = await desk().review(id)
    expect(notes?.map(({ by, text }) => [by.split(' ')[0], text])).toEqual([
      ['rita', 'The figure comes from Aldabra.'],
      ['ruth', 'Ask the lab.'],
    ])
    const asker = JSON.stringify(await clientOf('planets-key').run(id))
    expect(asker).not.toContain('Aldabra')
    await desk().decide(id, approve('d1'))
    const seen: string[] = []
    for await (const event of desk().events(id)) seen.push(JSON.stringify(event))
    expect(seen.join()).not.toContain('Aldabra')
    expect(await refusal(desk().addNote(id, { text: 'Too late.' }))).toEqual([409, 'review-stale'])
    expect(
      (await post(house.url, `/v1/reviews/${id}/notes`, { text: ' ' }, { 'x-api-key': 'planets-key' })).status,
    ).toBe(400)
  })
})

describe('readers with less access', () => {
  it('does none of it on a run that read more', async () => {
    const id = await park('planets-board')
    const staff = clientOf('planets-staff')
    for (const attempt of [
      () => staff.assign(id, { to: 'rita' }),
      () => staff.addNote(id, { text: 'x' }),
      () => staff.undo(id, 'd1'),
      () => staff.decide(id, approve('d1', 5_000)),
    ])
      expect(await refusal(attempt())).toEqual([404, 'not-found'])
    expect((await staff.reviews({ assignee: 'none', limit: 100 })).items.map(({ runId }) => runId)).not.toContain(id)
    const asker = clientOf('planets-board')
    expect(await refusal(asker.assign(id, { to: 'rita' }))).toEqual([403, 'forbidden'])
    expect(await refusal(asker.addNote(id, { text: 'x' }))).toEqual([403, 'forbidden'])
  })
})
