import { describe, expect, it } from 'vitest'
import type { Policy } from '../policy/policy'
import {
  admitted,
  after,
  asked,
  asking,
  costing,
  found,
  good,
  graded,
  nothing,
  openIds,
  openTask,
  parked,
  planned,
  policy,
  refused,
  t0,
} from '../spec/run-fixtures.spec'
import { evidenceFor } from './evidence'
import { openJobs } from './jobs'
import { start } from './start'

describe('start', () => {
  it('opens admit, which has no job, and records the ask', () => {
    const given = asking()
    expect(openIds(given)).toEqual(['admit'])
    expect(given.run).toMatchObject({ status: 'queued', createdAt: t0, movedAt: t0, closed: {}, steps: [] })
    expect(given.events).toEqual([
      { type: 'asked', audience: 'asker', task: 'admit', at: t0, question: asked.question, policy: 'standard' },
    ])
  })

  it('uses the deadline of the policy, or the requested one', () => {
    expect(asking({ deadlineMs: 5_000 }).run.deadlineAt).toBe(t0 + 5_000)
    const own = start({ ...asked, deadlineMs: 2_000 }, policy({ deadlineMs: 5_000 })).run
    expect(own.deadlineAt).toBe(t0 + 2_000)
    expect(own.policy.deadlineMs).toBe(2_000)
  })

  it('keeps the fields of the ask', () => {
    const { run } = asking(
      {},
      { skills: 'offline', threadId: 't1', filters: { year: '2020' }, metadata: { from: 'web' } },
    )
    expect(run).toMatchObject({
      skills: 'offline',
      threadId: 't1',
      filters: { year: '2020' },
      metadata: { from: 'web' },
    })
  })

  it('keeps the origin of the ask, and records it with the first event', () => {
    const origin = { requestId: 'q1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
    const given = asking({}, { origin })
    expect(given.run.origin).toEqual(origin)
    expect(given.events[0]).toMatchObject({ type: 'asked', ...origin })
  })
})

describe('the queue turn of a run', () => {
  it('is copied to all its jobs except the review; a run without a turn sets none', () => {
    const given = after(asking({ entry: 'plan' }, { turn: 7.5, class: 'batch' }), admitted)
    expect(given.run).toMatchObject({ turn: 7.5, class: 'batch' })
    expect(openJobs(given.run)).toMatchObject([{ queue: 'planner', turn: 7.5 }])
    expect(openJobs(after(given, planned('a', 'b')).run).map(({ turn }) => turn)).toEqual([7.5, 7.5])
    const held = parked().run
    expect(openJobs({ ...held, turn: 7.5 })).toEqual(openJobs(held))
    expect(openJobs(after(asking({ entry: 'plan' }), admitted).run)[0]).not.toHaveProperty('turn')
  })
})

it('a policy that may not search the web turns it off for its runs', () => {
  expect(asking({ maxWebSearches: 0 }, { webOn: true }).run.webOn).toBe(false)
  expect(asking({ maxWebSearches: 1 }, { webOn: true }).run.webOn).toBe(true)
})

describe('admit', () => {
  it('opens the entry task of the policy', () => {
    expect(openIds(after(asking({ entry: 'route' }), admitted))).toEqual(['route'])
    expect(openIds(after(asking({ entry: 'plan' }), admitted))).toEqual(['plan'])
    const research = after(asking({ entry: 'research' }), admitted)
    expect(openIds(research)).toEqual(['research.1.1'])
    expect(research.run.steps).toMatchObject([
      { step: 1, question: 'How heavy is Mars?', waitsFor: null, status: 'open', try: 1 },
    ])
  })

  it('leaves the run queued until a stage has reported, and takes no move', () => {
    const queued = after(asking({ entry: 'plan' }), admitted)
    expect(queued.run).toMatchObject({ status: 'queued', spent: { moves: 0 }, closed: { admit: 'admitted' } })
    expect(after(queued, planned('q')).run).toMatchObject({ status: 'running', spent: { moves: 1 } })
  })

  it('ends a run that the gateway refused', () => {
    const { run, events } = after(asking(), refused)
    expect(run).toMatchObject({ status: 'declined', reason: 'declined.refused', open: [] })
    expect(events.slice(1)).toMatchObject([
      { type: 'refused', audience: 'asker', task: 'admit', reason: 'The queue is full.' },
      { type: 'ended', audience: 'asker', task: 'admit', status: 'declined', reason: 'declined.refused' },
    ])
  })

  it('ends at once a run without moves for the shortest way', () => {
    for (const entry of ['route', 'plan', 'research'] as const)
      expect(after(asking({ entry, maxMoves: 1 }), admitted).run).toMatchObject({
        status: 'unanswered',
        reason: 'unanswered.budget',
      })
    expect(openTask(after(asking({ maxMoves: 2 }), admitted), 'route').id).toBe('route')
  })
})

const planning = (fields: Partial<Policy> = {}) => after(asking({ entry: 'plan', ...fields }), admitted)

describe('plan', () => {
  it('opens every step that waits for no other', () => {
    const given = after(planning(), planned('a', 'b', ['c', 1]))
    expect(openIds(given)).toEqual(['research.1.1', 'research.2.1'])
    expect(given.run.steps.map(({ status }) => status)).toEqual(['open', 'open', 'waiting'])
    expect(given.events.filter(({ type }) => type === 'step-opened')).toMatchObject([
      { audience: 'asker', task: 'research.1.1', step: 1, try: 1, question: 'a', source: 'index' },
      { audience: 'asker', task: 'research.2.1', step: 2, try: 1, question: 'b', source: 'index' },
    ])
  })

  it('opens a waiting step when the step it names is done, with the evidence of that step', () => {
    const first = after(planning(), planned('a', ['b', 1], 'c'), found('1.1', ['p1']))
    expect(openIds(first)).toEqual(['grade-evidence.1.1', 'research.3.1'])
    const second = after(first, graded('1.1', { p1: good }))
    expect(openIds(second)).toEqual(['research.2.1', 'research.3.1'])
    expect(evidenceFor(second.run, openTask(second, 'research'))).toEqual(['p1'])

    const filled = after(second, found('2.1', ['p2'], { resolved: 'b with the answer of a' }))
    expect(filled.run.steps[1]).toMatchObject({ question: 'b', resolved: 'b with the answer of a' })
    const all = after(filled, graded('2.1', { p2: good }), found('3.1', ['p3']), graded('3.1', { p3: good }))
    expect(openIds(all)).toEqual(['generate.1'])
  })

  it('opens a waiting step even if the step it waits for found nothing', () => {
    const given = after(planning({ whenPoor: 'go-on' }), planned('a', ['b', 1]), nothing('1.1'))
    expect(openIds(given)).toEqual(['research.2.1'])
    expect(evidenceFor(given.run, openTask(given, 'research'))).toEqual([])
  })

  it('ignores impossible waits: for itself, for a later step, or for one that does not exist', () => {
    const given = after(planning(), planned(['a', 2], ['b', 2], ['c', 7], ['d', 1]))
    expect(given.run.steps.map(({ waitsFor }) => waitsFor)).toEqual([null, null, null, 1])
    expect(given.events.find(({ type }) => type === 'planned')).toMatchObject({
      steps: [{}, {}, {}, { question: 'd', waitsFor: 1 }],
    })
  })

  it('shortens a plan to the steps the policy allows, and says so', () => {
    const given = after(planning({ maxSteps: 2 }), planned('a', 'b', 'c'))
    expect(given.run.steps).toHaveLength(2)
    expect(given.events.find(({ type }) => type === 'planned')).toMatchObject({
      logic: 'One step each. The plan was shortened from 3 steps to 2.',
    })
  })

  it('shortens a plan to the steps there are moves for, keeping those for the draft and its check', () => {
    expect(after(planning({ maxMoves: 9 }), planned('a', 'b', 'c', 'd')).run.steps).toHaveLength(3)
    expect(
      after(planning({ maxMoves: 9, gradeEvidence: 'off', checkAnswer: 'off' }), planned('a', 'b', 'c', 'd', 'e')).run
        .steps,
    ).toHaveLength(5)
  })

  it('ends the run if the plan itself used up the tokens', () => {
    const usage = { calls: 1, tokensIn: 100, tokensOut: 100, cents: 0 }
    const { run } = after(planning({ maxTokens: 199 }), { ...planned('a'), ...costing(usage) })
    expect(run).toMatchObject({ status: 'unanswered', reason: 'unanswered.budget' })
  })
})
