import { expect, it } from 'vitest'
import { changesOf } from './run-states'

it('says what each event changed, and what stood there before', () => {
  const call = { skill: 'answer', model: 'm', usage: { calls: 1, tokensIn: 10, tokensOut: 2, cents: 0 } }
  const changes = changesOf([
    { type: 'asked', audience: 'asker', at: 1, question: 'How?', policy: 'standard' },
    { type: 'called', audience: 'desk', at: 2, calls: [call] },
    { type: 'noted', audience: 'asker', at: 3, note: 'nothing' },
    { type: 'called', audience: 'desk', at: 4, calls: [call] },
    { type: 'checked', audience: 'asker', at: 4, draft: 1, from: 5, text: 'More.', citations: [] },
    { type: 'corrected', audience: 'asker', at: 5 },
    { type: 'ended', audience: 'asker', at: 5, status: 'answered', reason: 'answered.checked' },
  ])
  expect(changes.map((each) => each.map(({ name, before, after }) => [name, before, after]))).toEqual([
    [
      ['status', undefined, 'queued'],
      ['policy', undefined, 'standard'],
    ],
    [
      ['model calls', undefined, '1'],
      ['tokens', undefined, '12'],
    ],
    [],
    [
      ['model calls', '1', '2'],
      ['tokens', '12', '24'],
    ],
    [['shown text', undefined, '10 characters']],
    [['shown text', '10 characters', 'corrected']],
    [
      ['status', 'queued', 'answered'],
      ['reason', undefined, 'answered.checked'],
    ],
  ])
})
