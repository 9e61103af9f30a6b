import { expect, test } from 'vitest'
import type { LedgerEvent } from '@plumbline/contracts'
import { stretchesOf } from './timeline'

const events = [
  { type: 'asked', audience: 'asker', at: 1_000, question: 'How much?', policy: 'standard' },
  { type: 'routed', audience: 'asker', at: 1_400, to: 'research', logic: '', collections: ['handbook'] },
  { type: 'step-opened', audience: 'asker', at: 1_400, step: 1, try: 1, question: 'a', source: 'index' },
  { type: 'step-opened', audience: 'asker', at: 1_400, step: 2, try: 1, question: 'b', source: 'index' },
  { type: 'researched', audience: 'asker', at: 1_900, step: 2, try: 1, source: 'index', found: 3 },
  { type: 'researched', audience: 'asker', at: 2_400, step: 1, try: 1, source: 'index', found: 4 },
  { type: 'parked', audience: 'asker', at: 2_500, reason: 'parked.ungrounded', decider: 'reviewer' },
  { type: 'decided', audience: 'desk', at: 900_000, action: 'retry', by: 'rita', decisionId: 'one' },
  { type: 'writing', audience: 'asker', at: 900_000, draft: 2 },
  { type: 'drafted', audience: 'desk', at: 902_000, draft: 2, text: 'x', citations: [] },
] as LedgerEvent[]

test('what ran at once stands in lanes of its own with one scale, and what a decision began has another', () => {
  expect(stretchesOf(events)).toEqual([
    {
      title: 'From the question on',
      ms: 1_500,
      lanes: [
        { lane: 'route', bars: [{ what: 'research · handbook', from: 0, to: 400 }] },
        { lane: 'step 2', bars: [{ what: '3 found in the index', from: 400, to: 900 }] },
        { lane: 'step 1', bars: [{ what: '4 found in the index', from: 400, to: 1_400 }] },
      ],
    },
    {
      title: 'After retry by rita',
      ms: 2_000,
      lanes: [{ lane: 'write', bars: [{ what: 'draft 2', from: 0, to: 2_000 }] }],
    },
  ])
})
