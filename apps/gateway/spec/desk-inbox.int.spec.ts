import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPendingDecisions } from '@plumbline/adapters/redis/runs/pending-decisions'
import { type Client, createClient, ProblemError } from '@plumbline/client'
import type { BulkDecision, Decision } from '@plumbline/contracts'
import { checked, claim, drafted, ungrounded } from '@plumbline/flow/spec/run-fixtures.spec'
import { evidenceIn, onceOnly, openHouse, toPark, withPolicy, type House } from './house.spec'

let house: House
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse({
    apiKeys: [
      'planets-key:planets:asker+reviewer+names-reviewers+admin:*',
      'planets-staff:planets:asker+reviewer:staff',
      'planets-board:planets:asker:board',
    ].join(','),
  })
})
afterAll(() => house.close())

const clientOf = (key: string): Client => createClient({ url: house.url, key })
const desk = () => clientOf('planets-key')
const rita = { reviewer: 'rita' }
const ask = async (question: string, key = 'planets-key'): Promise<string> =>
  (await clientOf(key).ask({ question, policy: 'once-only', metadata: { user: 'zoe' } })).id
const park = async (question = 'What is Mars made of?', key = 'planets-key'): Promise<string> => {
  const id = await ask(question, key)
  await house.report(id, ...toPark())
  return id
}
const text = 'Mars is made of cheese [1].'
const parkContradicted = async (): Promise<string> => {
  const id = await ask('What is Mars made of?')
  const wrong = ungrounded(1, claim('contradicted', { text, reason: 'The passage says rock.' }))
  await house.report(id, ...evidenceIn, drafted(1, text), wrong)
  return id
}
const approve = (decisionId: string, note?: string): Decision => ({
  taskId: 'review.1',
  decisionId,
  action: 'approve',
  ...(note !== undefined && { note }),
})
const refusal = async (promise: Promise<unknown>): Promise<ProblemError['problem']> => {
  const error: unknown = await promise.then(
    () => 'no error',
    (error: unknown) => error,
  )
  if (!(error instanceof ProblemError)) throw new Error('not refused', { cause: error })
  return error.problem
}

describe('a contradicted claim', () => {
  it('is approved only with a reason, and the ledger keeps it', async () => {
    const id = await parkContradicted()
    expect((await desk().review(id)).contradicted).toBe(true)
    for (const note of [undefined, ' ']) {
      const problem = await refusal(desk().decide(id, approve('d1', note)))
      expect(problem).toMatchObject({ status: 422, type: 'urn:plumbline:problem:reason-needed' })
      expect(problem.detail).toContain('send the reason in one line as `note`')
    }
    expect((await desk().decide(id, approve('d2', 'The table is old.'))).status).toBe('answered')
    const decided = (await house.store.ledger(id, null, 100)).find(({ event }) => event.type === 'decided')
    expect(decided?.event).toMatchObject({ note: 'The table is old.' })
  })

  it('needs no reason to be rejected, and one without evidence needs none to be approved', async () => {
    const id = await parkContradicted()
    expect((await desk().decide(id, { ...approve('d1'), action: 'reject' })).status).toBe('rejected')
    expect((await desk().decide(await park(), approve('d1'))).status).toBe('answered')
  })

  it('needs a reason among many too, and a decision that an older version let in counts without one', async () => {
    const [plain, wrong, before] = [await park(), await parkContradicted(), await parkContradicted()]
    const items = [plain, wrong].map((runId) => ({ runId, taskId: 'review.1' }))
    const many: BulkDecision = { action: 'approve', decisionId: 'd1', items }
    expect((await desk().decideMany(many)).items).toMatchObject([
      { decided: true },
      { decided: false, problem: expect.stringContaining('in one line as `note`') as string },
    ])
    const again = { ...many, decisionId: 'd2', note: 'All of one kind.', items: items.slice(1) }
    expect((await desk().decideMany(again)).items).toEqual([{ runId: wrong, decided: true }])

    const at = await house.store.now()
    const loaded = await house.store.load(before)
    if (!loaded) throw new Error('the run is gone')
    const { run, version } = loaded
    const pending = { decision: approve('old'), by: 'local', at }
    const open = run.open.map((task) => (task.kind === 'review' ? { ...task, pending } : task))
    await house.store.commit({ run: { ...run, open }, version, by: null, events: [], evidence: [], isListed: true })
    await openPendingDecisions(house.redis).add('planets', { id: 'p1', runId: before, at })
    await expect.poll(async () => (await house.store.load(before))?.run.status).toBe('answered')
  })
})

describe('many decisions', () => {
  it('wait to count and are taken back in one request', async () => {
    const ids = [await park(), await park(), await park()]
    const items = ids.map((runId) => ({ runId, taskId: 'review.1' }))
    const many: BulkDecision = { action: 'reject', decisionId: 'd1', undoMs: 10_000, items }
    const { items: results } = await desk().decideMany(many, rita)
    expect(results).toEqual(ids.map((runId) => ({ runId, decided: true, until: expect.any(String) as string })))
    const undo = { decisionId: 'd1', runIds: [...ids, 'r000000000000000000000000'] }
    expect(await desk().undoMany(undo, rita)).toEqual({
      items: [
        ...ids.map((runId) => ({ runId, undone: true })),
        { runId: 'r000000000000000000000000', undone: false, problem: 'There is no such run.' },
      ],
    })
    for (const id of ids) expect((await desk().review(id)).pending).toBeNull()
  })
})

describe('the list', () => {
  it('is searched by question, asker and draft, and never beyond what a reviewer may read', async () => {
    const open = await park('What is Phobos made of?')
    const secret = await park('What is Deimos made of?', 'planets-board')
    const find = async (words: string, key = 'planets-key') => {
      const { items, counts } = await clientOf(key).reviews({ words, limit: 100 })
      expect(counts.total).toBe(items.length)
      return items.map(({ runId }) => runId)
    }
    expect(await find('phobos')).toEqual([open])
    expect(await find('Phob chee')).toEqual([open])
    expect(await find('zoe deimos')).toEqual([secret])
    expect(await find('?')).toEqual([])
    expect(await find('deimos', 'planets-staff')).toEqual([])
    expect(await find('cheese', 'planets-staff')).not.toContain(secret)
    await desk().decide(open, { ...approve('d1'), action: 'reject' })
    expect(await find('phobos')).toEqual([])
  })

  it('counts what is due until a time, and what others have open', async () => {
    const id = await park('What is Mars made of?', 'planets-staff')
    const { counts } = await desk().reviews({ dueBy: '2000-01-01T00:00:00Z' })
    expect(counts).toMatchObject({ due: 0, taken: 0, escalated: 0 })
    await clientOf('planets-staff').take(id)
    const later = (await desk().reviews({ dueBy: '2100-01-01T00:00:00Z' })).counts
    expect(later).toMatchObject({ due: later.total, taken: 1 })
    expect((await clientOf('planets-staff').reviews({})).counts.taken).toBe(0)
    expect((await desk().reviews({ escalated: true })).items).toEqual([])
  })
})

describe('an edit', () => {
  it('cites any passage that the run found, and no other', async () => {
    const id = await park()
    const { evidence } = await desk().review(id)
    const last = evidence.at(-1)
    if (!last) throw new Error('the run found nothing')
    const edit = (passageId: string): Decision => ({
      ...approve('d1'),
      action: 'edit',
      text: 'Mars is made of rock [7].',
      citations: [{ n: 7, passageId }],
    })
    expect(await refusal(desk().decide(id, edit('another')))).toMatchObject({
      status: 422,
      type: 'urn:plumbline:problem:unknown-passage',
    })
    await desk().decide(id, edit(last.id))
    await house.report(id, checked(2))
    expect((await desk().run(id)).answer?.citations).toMatchObject([{ n: 7, passageId: last.id }])
  })
})
