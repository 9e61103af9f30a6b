import { readFeatures } from '@plumbline/features/all'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Case, type Decision } from '@plumbline/contracts'
import { createClient, ProblemError } from '@plumbline/client'
import { checked, drafted, ungrounded } from '@plumbline/flow/spec/run-fixtures.spec'
import { onceOnly, openHouse, toPark, withPolicy, type House } from './house.spec'

let house: House
withPolicy('once-only', onceOnly)
const apiKeys = [
  'asker-key:acme:asker',
  'reviewer-key:acme:reviewer',
  'admin-key:acme:admin+asker:hr',
  'hr-key-long:acme:asker+reviewer:hr',
  'other-key:other:admin',
].join(',')
beforeAll(async () => {
  house = await openHouse({ apiKeys, features: readFeatures({ CASES_DAYS: '30' }).features })
  await as('admin-key').putCollection('planets', { description: 'Facts about the planets.' })
})
afterAll(() => house.close())

const as = (key: string) => createClient({ url: house.url, key })
const parked = async (key = 'admin-key', ask: { access?: string[] } = { access: [] }): Promise<string> => {
  const { id } = await as(key).ask({ question: 'What is Mars made of?', policy: 'once-only', ...ask })
  await house.report(id, ...toPark())
  return id
}
const decide = (runId: string, decision: Partial<Decision> & { action: Decision['action'] }, taskId = 'review.1') =>
  as('admin-key').decide(runId, { taskId, decisionId: `d-${taskId}`, ...decision } as Decision)
const casesOf = async (runId: string, key = 'reviewer-key') =>
  (await as(key).cases({ limit: 100 })).items.filter((each) => each.runId === runId)
const caseOf = async (runId: string, action: string): Promise<Case> => {
  const found = async () =>
    (await casesOf(runId, 'admin-key')).find((each) => each.action === action && each.status !== undefined)
  await expect.poll(found).toBeDefined()
  return as('admin-key').case((await found())?.id ?? '')
}
const status = async (promise: Promise<unknown>): Promise<number> => {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  return error instanceof ProblemError ? error.problem.status : 200
}

describe('a decision', () => {
  it('becomes a case with its basis and its result', async () => {
    const runId = await parked()
    await decide(runId, { action: 'approve', note: 'Cheese it is.' })
    const found = await caseOf(runId, 'approve')
    expect(found).toMatchObject({
      runId,
      taskId: 'review.1',
      question: 'What is Mars made of?',
      policy: 'once-only',
      policySettings: { name: 'once-only', maxAugments: 0 },
      collections: ['planets'],
      reason: 'parked.ungrounded',
      decider: 'reviewer',
      score: 0,
      note: 'Cheese it is.',
      steps: [{ step: 1, question: 'How heavy is Mars?', passageIds: ['p1'] }],
      tries: [{ step: 1, try: 1, found: 1, relevant: 1 }],
      evidence: [{ id: 'p1', text: 'Text of p1.', grade: { relevant: true } }],
      draft: { text: 'Mars is made of cheese [1].', citations: [{ n: 1, passageId: 'p1' }] },
      check: { claims: [{ verdict: 'unsupported' }] },
      outcome: { status: 'answered', reason: 'answered.decided', released: { text: 'Mars is made of cheese [1].' } },
    })
  })

  it('is a case each, with the draft that was held then and the text of an edit', async () => {
    const runId = await parked()
    await decide(runId, { action: 'retry', guidance: 'Look at the rocks.' })
    await house.report(runId, drafted(2, 'Mars is made of dust [1].'), ungrounded(2))
    await decide(runId, { action: 'edit', text: 'Mars is made of rock [1].' }, 'review.2')
    await house.report(runId, checked(3))
    expect(await caseOf(runId, 'retry')).toMatchObject({
      guidance: 'Look at the rocks.',
      draft: { text: 'Mars is made of cheese [1].' },
      outcome: { reason: 'answered.edited' },
    })
    expect(await caseOf(runId, 'edit')).toMatchObject({
      taskId: 'review.2',
      edited: 'Mars is made of rock [1].',
      draft: { text: 'Mars is made of dust [1].' },
      outcome: { released: { text: 'Mars is made of rock [1].' } },
    })
    expect(await casesOf(runId)).toHaveLength(2)
  })

  it('is drawn again after a crash, and is the same case', async () => {
    const runId = await parked()
    await decide(runId, { action: 'reject' })
    const first = await caseOf(runId, 'reject')
    await house.redis.zadd('runs:decided', 0, runId)
    await expect.poll(() => house.redis.zscore('runs:decided', runId)).toBeNull()
    expect(await caseOf(runId, 'reject')).toEqual(first)
    expect(await casesOf(runId)).toHaveLength(1)
  })

  it('that was noted and never made becomes none', async () => {
    const runId = await parked()
    await house.redis.zadd('runs:decided', 0, runId)
    await expect.poll(async () => Number(await house.redis.zscore('runs:decided', runId))).toBeGreaterThan(0)
    expect(await casesOf(runId)).toEqual([])
    await as('admin-key').cancel(runId)
    await house.redis.zadd('runs:decided', 0, runId)
    await expect.poll(() => house.redis.zscore('runs:decided', runId)).toBeNull()
  })
})

describe('cases', () => {
  it('are listed in pages, filtered, and for those whose tags cover them', async () => {
    const open = await parked()
    const tagged = await parked('hr-key-long', { access: ['hr'] })
    await decide(open, { action: 'approve' })
    await decide(tagged, { action: 'reject' })
    const hidden = await caseOf(tagged, 'reject')
    await caseOf(open, 'approve')
    expect(await casesOf(tagged)).toEqual([])
    expect(await status(as('reviewer-key').case(hidden.id))).toBe(404)
    expect(await casesOf(tagged, 'hr-key-long')).toHaveLength(1)
    const first = await as('hr-key-long').cases({ limit: 1 })
    const second = await as('hr-key-long').cases({ limit: 1, cursor: first.next ?? '' })
    expect(first.items[0]?.id).not.toBe(second.items[0]?.id)
    expect(first.keptDays).toBe(30)
    for (const filter of [
      { action: 'reject' },
      { words: 'MADE of' },
      { policy: 'once-only' },
      { collection: 'planets' },
    ] as const)
      expect((await as('hr-key-long').cases({ ...filter, limit: 100 })).items.map(({ id }) => id)).toContain(hidden.id)
    for (const filter of [{ action: 'edit' }, { words: 'Venus' }, { policy: 'none' }, { to: hidden.askedAt }] as const)
      expect((await as('hr-key-long').cases({ ...filter, limit: 100 })).items.map(({ id }) => id)).not.toContain(
        hidden.id,
      )
  })

  it('are exported a line each to an admin, and to nobody else', async () => {
    const runId = await parked()
    await decide(runId, { action: 'reject' })
    const found = await caseOf(runId, 'reject')
    const answer = await as('admin-key').exportCases()
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = (await answer.text()).trim().split('\n')
    expect(lines.map((line) => Case.parse(JSON.parse(line))).find(({ id }) => id === found.id)).toEqual(found)
    expect(await status(as('reviewer-key').exportCases())).toBe(403)
    expect(await (await as('other-key').exportCases()).text()).toBe('')
  })

  it('are another tenant’s to nobody, and an asker’s not at all', async () => {
    const runId = await parked()
    await decide(runId, { action: 'reject' })
    const { id } = await caseOf(runId, 'reject')
    expect(await status(as('other-key').case(id))).toBe(404)
    expect(await status(as('other-key').removeCase(id))).toBe(404)
    for (const call of [as('asker-key').cases(), as('asker-key').case(id), as('asker-key').calibration()])
      expect(await status(call)).toBe(403)
  })

  it('that were removed stay removed', async () => {
    const runId = await parked()
    await decide(runId, { action: 'reject' })
    const { id } = await caseOf(runId, 'reject')
    expect(await status(as('reviewer-key').removeCase(id))).toBe(403)
    await as('admin-key').removeCase(id)
    await house.redis.zadd('runs:decided', 0, runId)
    await expect.poll(() => house.redis.zscore('runs:decided', runId)).toBeNull()
    expect(await casesOf(runId)).toEqual([])
    expect(await status(as('admin-key').case(id))).toBe(404)
  })

  it('end by themselves', async () => {
    const runId = await parked()
    await decide(runId, { action: 'reject' })
    const { id } = await caseOf(runId, 'reject')
    const days = (await house.redis.pttl(`case:{acme}:${id}`)) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThanOrEqual(30)
    for (const key of ['cases:{acme}:list', 'cases:{acme}:rows']) expect(await house.redis.pttl(key)).toBeGreaterThan(0)
  })

  it('are kept by nobody who did not say so', async () => {
    const own = await openHouse()
    onTestFinished(() => own.close())
    const { id } = await own.client.ask({ question: 'What is Mars made of?', policy: 'once-only' })
    await own.report(id, ...toPark())
    await own.client.decide(id, { taskId: 'review.1', decisionId: 'd', action: 'approve' })
    await expect.poll(() => own.redis.zscore('runs:decided', id)).toBeNull()
    expect(await own.redis.keys('case*')).toEqual([])
    expect(await own.client.cases()).toEqual({ items: [], next: null, keptDays: 0 })
  })

  it('are counted: how scores agree with decisions', async () => {
    const { policies, strategies } = await as('admin-key').calibration()
    const [own] = policies
    expect(own).toMatchObject({ policy: 'once-only', threshold: expect.any(Number), proposal: { kind: 'too-few' } })
    expect(own?.buckets.reduce((sum, bucket) => sum + bucket.cases, 0)).toBe(own?.cases)
    expect(own?.falseHolds).toBe(own?.approved)
    expect(strategies).toEqual([])
  })
})
