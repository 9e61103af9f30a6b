import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Decision } from '@plumbline/contracts'
import { ProblemError } from '@plumbline/client'
import { advance, end, start, type Policy, type Run } from '@plumbline/flow'
import { admitted, asked, checked, drafted, policy, reportOf, ungrounded } from '@plumbline/flow/spec/run-fixtures.spec'
import { dispatch, moveRun } from '@plumbline/worker/move'
import { createMemoryJobQueue } from '@plumbline/ports/memory-job-queue'
import { onceOnly, openHouse, post, toPark, withPolicy, type House } from './house.spec'

let house: House
withPolicy('once-only', onceOnly)
withPolicy('out-of-moves', { ...onceOnly, maxMoves: 6 })
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const park = async (policy = 'once-only'): Promise<string> => {
  const { id } = await house.client.ask({ question: 'What is Mars made of?', policy })
  await house.report(id, ...toPark())
  return id
}
let made = 0
/** Creates a run and applies the reports of workers, so that the run is parked at this time. */
const parkedAt = async (at: number, fields: Partial<Policy> = {}): Promise<string> => {
  const id = `r${String((made += 1)).padStart(24, '0')}`
  const begun = start({ ...asked, id, at: at - 10_000 }, policy({ ...onceOnly, ...fields }))
  await house.store.create(begun.run, begun.events, '')
  const queue = createMemoryJobQueue()
  for (const said of [admitted, ...toPark()]) {
    const time = said.kind === 'grade-answer' ? at : undefined
    const outcome = await moveRun(house.store, id, (run: Run) => advance(run, reportOf(run, said, time)))
    if (outcome.kind !== 'moved') throw new Error(outcome.kind)
    await dispatch({ store: house.store, queue }, outcome.before, outcome.after)
  }
  return id
}
const approve = (decisionId: string, taskId = 'review.1'): Decision => ({ taskId, decisionId, action: 'approve' })
const refusal = async (promise: Promise<unknown>): Promise<[number, string]> => {
  const error = await promise.then(
    () => 'no error',
    (error: unknown) => error,
  )
  if (!(error instanceof ProblemError)) throw new Error('not refused', { cause: error })
  return [error.problem.status, error.problem.type.replace('urn:plumbline:problem:', '')]
}

describe('the desk', () => {
  it('lists parked runs, the oldest first, in pages', async () => {
    const ids = [await park(), await park(), await park()]
    await house.client.take(ids[1] ?? '', { reviewer: 'rita' })
    const first = await house.client.reviews({ limit: 2 })
    expect(first.items).toMatchObject([
      {
        runId: ids[0],
        question: 'What is Mars made of?',
        score: 0,
        reason: 'parked.ungrounded',
        taskId: 'review.1',
        lease: null,
      },
      { runId: ids[1], lease: { by: 'rita as named by local' } },
    ])
    await house.client.decide(ids[1] ?? '', { ...approve('first-page'), action: 'reject' }, { reviewer: 'rita' })
    const second = await house.client.reviews({ limit: 2, cursor: first.next ?? '' })
    expect(second).toMatchObject({ items: [{ runId: ids[2] }], next: null })
  })

  it('sorts by deadline, age or risk', async () => {
    const now = await house.store.now()
    const [old, due] = [await parkedAt(now - 9_000), await parkedAt(now - 8_000, { parkMs: 60_000, name: 'brief' })]
    const idsBy = async (order: 'deadline' | 'age' | 'risk') => {
      const { items } = await house.client.reviews({ order, limit: 100 })
      return items.map(({ runId }) => runId).filter((id) => id === old || id === due)
    }
    expect(await idsBy('deadline')).toEqual([due, old])
    expect(await idsBy('age')).toEqual([old, due])
    expect((await idsBy('risk')).sort()).toEqual([old, due].sort())
    const brief = await house.client.reviews({ policy: 'brief', collection: 'planets', reason: 'parked.ungrounded' })
    expect(brief).toMatchObject({
      items: [{ runId: due, policy: 'brief', collections: ['planets'], score: 0, risk: 100 }],
      counts: { total: 1, policies: { brief: 1 }, reasons: { 'parked.ungrounded': 1 }, collections: { planets: 1 } },
    })
    expect(brief.oldestAgeMs).toBeGreaterThanOrEqual(8_000)
    expect(brief.oldestAgeMs).toBeLessThan(8_000 + 60_000)
    expect((await house.client.reviews({ policy: 'no such' })).counts.total).toBe(0)
    expect((await fetch(`${house.url}/v1/reviews?order=size`)).status).toBe(400)
  })

  it('reads as little for a page of many parked runs as for one of few', async () => {
    const once = async (): Promise<number> => {
      await house.redis.config('RESETSTAT')
      expect((await house.client.reviews({ limit: 5 })).items).toHaveLength(5)
      return Number(/total_net_output_bytes:(\d+)/.exec(await house.redis.info('stats'))?.[1])
    }
    // Background work of the gateway reads from Redis too, so use the least of several reads.
    const read = async (): Promise<number> => Math.min(await once(), await once(), await once(), await once())
    const now = await house.store.now()
    for (let n = 0; n < 10; n += 1) await parkedAt(now + n, { name: 'many' })
    const few = await read()
    for (let n = 10; n < 110; n += 1) await parkedAt(now + n, { name: 'many' })
    expect((await house.client.reviews({ limit: 5 })).counts.policies).toMatchObject({ many: 110 })
    expect(await read()).toBeLessThan(2 * few)
  })

  it('shows the draft, its claims, the evidence and the trace', async () => {
    const view = await house.client.review(await park())
    expect(view).toMatchObject({
      taskId: 'review.1',
      score: 0,
      actions: ['approve', 'edit', 'retry', 'research', 'reject'],
      draft: {
        draft: 1,
        text: 'Mars is made of cheese [1].',
        citations: [{ n: 1, passageId: 'p1', text: 'Text of p1.' }],
      },
      claims: [{ text: 'Mars is made of cheese [1].', verdict: 'unsupported', reason: 'No passage says so.' }],
      evidence: [{ id: 'p1', text: 'Text of p1.' }],
      run: { status: 'parked', grounding: { score: 0 } },
    })
    expect(view.trace.map(({ event }) => event.type)).toEqual([
      'asked',
      'routed',
      'planned',
      'step-opened',
      'researched',
      'queried',
      'evidence-graded',
      'writing',
      'drafted',
      'checking',
      'answer-graded',
      'parked',
    ])
  })
})

describe('a lease', () => {
  it('keeps others out until it is put back, and is renewed by its holder', async () => {
    const id = await park()
    const lease = await house.client.take(id, { reviewer: 'rita' })
    expect(Date.parse(lease.until) - Date.now()).toBeGreaterThan(2 * 60_000)
    expect((await house.client.take(id, { reviewer: 'rita' })).by).toBe('rita as named by local')
    const ruth = { reviewer: 'ruth' }
    expect(await refusal(house.client.take(id, ruth))).toEqual([409, 'review-taken'])
    expect(await refusal(house.client.putBack(id, ruth))).toEqual([409, 'review-taken'])
    expect(await refusal(house.client.decide(id, approve('d1'), ruth))).toEqual([409, 'review-taken'])
    await house.client.putBack(id, { reviewer: 'rita' })
    expect((await house.client.decide(id, approve('d1'), ruth)).status).toBe('answered')
  })

  it('ends by itself, and with the decision', async () => {
    const id = await park()
    await house.client.take(id, { reviewer: 'rita' })
    expect(await house.redis.pttl(`review:{${id}}:lease`)).toBeGreaterThan(0)
    await house.redis.pexpire(`review:{${id}}:lease`, 1)
    await expect.poll(() => house.redis.exists(`review:{${id}}:lease`)).toBe(0)
    await house.client.take(id, { reviewer: 'ruth' })
    await house.client.decide(id, approve('d1'), { reviewer: 'ruth' })
    expect(await house.redis.exists(`review:{${id}}:lease`)).toBe(0)
    expect(await refusal(house.client.take(id))).toEqual([409, 'review-stale'])
  })
})

describe('a decision', () => {
  it('is made once by 100 reviewers at once', async () => {
    const id = await park()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        post(house.url, `/v1/reviews/${id}/decision`, approve(`d${n}`), { 'x-reviewer': `r${n}` }).then(
          ({ status }) => status,
        ),
      ),
    )
    expect(answers.filter((status) => status === 200)).toHaveLength(1)
    expect(answers.filter((status) => status === 409)).toHaveLength(99)
    const ledger = await house.store.ledger(id, null, 100)
    expect(ledger.filter(({ event }) => event.type === 'decided')).toHaveLength(1)
    expect(ledger.filter(({ event }) => event.type === 'ended')).toHaveLength(1)
  })

  it('may be sent again, also after the run moved on, and not with another content', async () => {
    const id = await park()
    const retry: Decision = { taskId: 'review.1', decisionId: 'd1', action: 'retry', guidance: 'Look at the rocks.' }
    expect((await house.client.decide(id, retry)).status).toBe('running')
    expect((await house.client.decide(id, retry)).status).toBe('running')
    await house.report(id, drafted(2), ungrounded(2))
    expect((await house.client.decide(id, retry)).status).toBe('parked')
    expect(await refusal(house.client.decide(id, { taskId: 'review.1', decisionId: 'd1', action: 'reject' }))).toEqual([
      409,
      'review-stale',
    ])
    expect((await house.client.review(id)).taskId).toBe('review.2')
  })

  it('on an earlier draft releases nothing', async () => {
    const id = await park()
    await house.client.decide(id, { taskId: 'review.1', decisionId: 'd1', action: 'retry' })
    await house.report(id, drafted(2), ungrounded(2))
    expect(await refusal(house.client.decide(id, approve('d2', 'review.1')))).toEqual([409, 'review-stale'])
    expect((await house.client.run(id)).status).toBe('parked')
    expect(await refusal(house.client.decide(id, approve('d3', 'review.9')))).toEqual([409, 'review-stale'])
    expect((await house.client.decide(id, approve('d4', 'review.2'))).status).toBe('answered')
  })

  it('that edits sends the text through its check before anyone sees it', async () => {
    const id = await park()
    await house.client.decide(id, {
      taskId: 'review.1',
      decisionId: 'd1',
      action: 'edit',
      text: 'Mars is made of rock [1].',
    })
    expect((await house.client.run(id)).answer).toBeUndefined()
    await house.report(id, checked(2))
    expect(await house.client.run(id)).toMatchObject({
      status: 'answered',
      reason: 'answered.edited',
      answer: { text: 'Mars is made of rock [1].' },
    })
  })

  it('that rejects ends the run with nothing shown', async () => {
    const id = await park()
    await house.client.decide(id, { taskId: 'review.1', decisionId: 'd1', action: 'reject', note: 'Cheese.' })
    const view = await house.client.run(id)
    expect(view).toMatchObject({ status: 'rejected', documentsUsed: [] })
    expect(JSON.stringify(view)).not.toContain('heese')
  })

  it('the run has no moves for is refused, and says what is left', async () => {
    const id = await park('out-of-moves')
    const { actions } = await house.client.review(id)
    expect(actions).toEqual(['approve', 'reject'])
    expect(await refusal(house.client.decide(id, { taskId: 'review.1', decisionId: 'd1', action: 'retry' }))).toEqual([
      409,
      'decision-not-possible',
    ])
    expect((await house.client.decide(id, approve('d2'))).status).toBe('answered')
  })

  it.each([
    { action: 'approve' },
    { action: 'edit', text: 'Mars is made of rock [1].' },
    { action: 'retry' },
    { action: 'research', guidance: 'The crust of Mars.' },
    { action: 'reject' },
  ] as const)('to $action does not count once the review is due', async (action) => {
    const id = await parkedAt((await house.store.now()) - 1_000, { parkMs: 1_000 })
    const decision: Decision = { taskId: 'review.1', decisionId: 'late', ...action }
    expect(await refusal(house.client.decide(id, decision))).toEqual([409, 'review-overdue'])
    expect((await house.client.run(id)).status).toBe('parked')
    expect((await house.store.ledger(id, null, 100)).at(-1)?.event.type).toBe('parked')
    await moveRun(house.store, id, (run, at) => end(run, { status: 'expired', by: 'sweeper', at }))
    expect(await refusal(house.client.decide(id, decision))).toEqual([409, 'review-overdue'])
  })

  it('made in time is known again after the time', async () => {
    const parkedFrom = await house.store.now()
    const id = await parkedAt(parkedFrom, { parkMs: 5_000 })
    expect((await house.client.decide(id, approve('in time'))).status).toBe('answered')
    await expect.poll(() => house.store.now(), { timeout: 20_000 }).toBeGreaterThan(parkedFrom + 5_000)
    expect((await house.client.decide(id, approve('in time'))).status).toBe('answered')
  })

  it('that reopens research names what is missing', async () => {
    const id = await park()
    await house.client.decide(id, {
      taskId: 'review.1',
      decisionId: 'd1',
      action: 'research',
      guidance: 'The crust of Mars.',
    })
    const run = (await house.store.load(id))?.run
    expect(run?.open.map((task) => task.kind)).toEqual(['research'])
  })

  it.each([
    ['an unknown action', { taskId: 'review.1', decisionId: 'd', action: 'release' }],
    ['no text for an edit', { taskId: 'review.1', decisionId: 'd', action: 'edit' }],
    ['nothing to research', { taskId: 'review.1', decisionId: 'd', action: 'research', guidance: ' ' }],
    ['no task', { decisionId: 'd', action: 'approve' }],
  ])('with %s is not valid', async (_, decision) => {
    expect((await post(house.url, `/v1/reviews/${await park()}/decision`, decision)).status).toBe(400)
  })
})
