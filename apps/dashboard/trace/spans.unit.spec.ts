import { expect, it } from 'vitest'
import { type Event, hasFailed, phasesOf } from './spans'

const t0 = 1_800_000_000_000
const event = (type: string, at: number, fields: object = {}): Event =>
  ({ type, audience: 'desk', at: t0 + at, ...fields }) as unknown as Event
const usage = { calls: 1, tokensIn: 10, tokensOut: 2, cents: 0.1 }

const events = [
  event('asked', 0, { question: 'q', policy: 'standard' }),
  event('routed', 500, { task: 'route', beganAt: t0 + 300, to: 'research', logic: '', collections: [] }),
  event('step-opened', 500, { task: 'route', step: 1, try: 1, question: 'q', source: 'index' }),
  event('researched', 900, { task: 'research.1.1', beganAt: t0 + 700, step: 1, try: 1, source: 'index', found: 2 }),
  event('called', 1_400, { task: 'generate.1', beganAt: t0 + 1_000, calls: [{ skill: 'answer', model: 'm', usage }] }),
  event('parked', 1_500, { task: 'grade-answer.1', reason: 'parked.ungrounded', decider: 'reviewer' }),
  event('review-noted', 60_000, { by: 'rita', text: 'a note' }),
  event('decided', 90_000, { task: 'review.1', action: 'retry', by: 'rita', decisionId: 'd' }),
  event('called', 91_000, {
    task: 'generate.2',
    calls: [{ skill: 'answer', model: 'm', usage, failed: { calls: 1, error: 'host did not answer' } }],
  }),
]

it('shows waiting and working apart, and the time of people beside the scale of the machines', () => {
  const [first, second] = phasesOf(events)
  expect(first?.spans.map(({ name, opened, began, ended }) => [name, opened, began, ended])).toEqual([
    ['Route', 0, 300, 500],
    ['Step 1: search', 500, 700, 900],
    ['Write draft 1', 900, 1_000, 1_400],
  ])
  expect([first?.ms, first?.people.ms]).toEqual([1_400, 88_600])
  expect(first?.people.events.map(({ type }) => type)).toEqual(['parked', 'review-noted', 'decided'])
  expect(second?.title).toBe('After the decision “retry” by rita')
  expect(second?.spans.map((span) => [span.name, hasFailed(span)])).toEqual([['Write draft 2', true]])
  expect(first?.spans.some(hasFailed)).toBe(false)
})

it('names a search and a draft that begin before the plan, and when they began to wait', () => {
  const early = [
    event('asked', 0, { question: 'q', policy: 'standard' }),
    event('step-opened', 100, { task: 'research.1.0', step: 1, try: 0, question: 'q', source: 'index' }),
    event('researched', 150, { task: 'research.1.0', step: 1, try: 0, source: 'index', found: 2 }),
    event('writing', 150, { task: 'generate.1.ahead', draft: 1 }),
    event('drafted', 900, { task: 'generate.1.ahead', beganAt: t0 + 160, draft: 1, text: 'x', citations: [] }),
  ]
  expect(phasesOf(early)[0]?.spans.map(({ name, opened, began, ended }) => [name, opened, began, ended])).toEqual([
    ['Search before the plan', 100, 100, 150],
    ['Draft before the plan', 150, 160, 900],
  ])
})

it('shows a run that was kept without the beginning of its work as work alone', () => {
  const before = events.map((one) => ({ ...one, beganAt: undefined })) as Event[]
  expect(phasesOf(before)[0]?.spans.map(({ opened, began }) => opened === began)).toEqual([true, true, true])
})
