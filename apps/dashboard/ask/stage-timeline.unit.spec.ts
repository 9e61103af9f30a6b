import { expect, it } from 'vitest'
import type { StreamEvent } from '@plumbline/contracts'
import { stageTimeline } from './stage-timeline'

type Said = { type: StreamEvent['type']; at: number } & Record<string, unknown>
const events = (...said: Said[]): StreamEvent[] =>
  said.map((event) => ({ audience: 'asker', ...event }) as unknown as StreamEvent)

const asked = { type: 'asked', at: 1_000, question: 'q', policy: 'standard' } as const
const routed = { type: 'routed', at: 1_100, to: 'research', logic: '', collections: [] } as const
const planned = { type: 'planned', at: 1_200, logic: '', steps: [] } as const
const opened = (step: number, at: number, attempt = 1): Said => ({
  type: 'step-opened',
  at,
  step,
  try: attempt,
  question: `part ${step}`,
  source: 'index',
})
const found = (step: number, at: number, count: number, attempt = 1): Said => ({
  type: 'researched',
  at,
  step,
  try: attempt,
  found: count,
  source: 'index',
})

it('shows steps side by side while they run, and what each has found', () => {
  const { bars, isOver } = stageTimeline(
    events(
      asked,
      routed,
      planned,
      opened(1, 1_200),
      opened(2, 1_210),
      found(2, 1_400, 3),
      found(1, 1_500, 0),
      opened(1, 1_600, 2),
    ),
  )
  expect(isOver).toBe(false)
  expect(bars).toMatchObject([
    { name: 'route and plan', from: 0, to: 200 },
    { name: 'step 1', about: 'part 1', from: 200, to: null, note: 'try 2' },
    { name: 'step 2', from: 210, to: 400, note: '3 passages' },
  ])
})

it('shows an early search and an early draft beside the route', () => {
  const writing = { type: 'writing', draft: 1 } as const
  const { bars } = stageTimeline(
    events(
      asked,
      opened(1, 1_050, 0),
      found(1, 1_060, 8, 0),
      { ...writing, at: 1_070 },
      { ...routed, at: 1_700 },
      opened(1, 1_700),
      found(1, 1_750, 9),
    ),
  )
  expect(bars).toMatchObject([
    { name: 'route and plan', from: 0, to: 700 },
    { name: 'step 1', from: 50, to: 750, note: '9 passages' },
    { name: 'write and check', from: 70, to: null },
  ])
})

it('removes an early search and draft that the route does not need', () => {
  const early = [asked, opened(1, 1_050, 0), found(1, 1_060, 8, 0), { type: 'writing', draft: 1, at: 1_070 } as const]
  const names = (...later: Said[]): string[] => stageTimeline(events(...early, ...later)).bars.map(({ name }) => name)
  expect(names({ ...routed, at: 1_700 }, { ...planned, at: 1_900 })).toEqual(['route and plan', 'step 1'])
  expect(names({ ...routed, to: 'decline', at: 1_700 })).toEqual(['route and plan'])
})

it('leaves out the time in which a person had the draft', () => {
  const day = 86_400_000
  const { bars, startedAt, lastAt, isOver } = stageTimeline(
    events(
      asked,
      routed,
      { type: 'writing', at: 1_300, draft: 1 },
      { type: 'checking', at: 1_500, draft: 1 },
      { type: 'parked', at: 1_600, reason: 'parked.ungrounded', decider: 'reviewer' },
      { type: 'writing', at: 1_600 + day, draft: 2 },
      { type: 'ended', at: 1_900 + day, status: 'answered', reason: 'answered.checked' },
    ),
  )
  expect([startedAt, lastAt, isOver]).toEqual([1_000 + day, 900, true])
  expect(bars).toMatchObject([
    { name: 'route and plan', to: 300 },
    { name: 'write and check', from: 300, to: 900, note: 'draft 2' },
  ])
})

it('has none before anything is heard', () =>
  expect(stageTimeline([])).toEqual({ bars: [], startedAt: 0, lastAt: 0, isOver: false }))
