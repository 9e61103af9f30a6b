import { describe, expect, it } from 'vitest'
import { admitted, after, asking, checked, drafted, found, nothing, openIds, ungrounded } from '../spec/given.spec'
import { simple } from './simple'

const written = () =>
  after(asking(simple, { question: 'What are the business hours?' }), admitted, found('1.1', ['p1']), drafted(1))

describe('simple', () => {
  it('is one pass: search, write, check', () => {
    const { run } = after(written(), checked(1))
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked', spent: { moves: 3 } })
    expect(Object.keys(run.closed)).toEqual(['admit', 'research.1.1', 'generate.1', 'grade-answer.1'])
    expect(simple.queriesPerStep).toBe(0)
  })

  it('ungrounded → held at once', () =>
    expect(after(written(), ungrounded(1)).run).toMatchObject({
      status: 'parked',
      reason: 'parked.ungrounded',
      spent: { regenerations: 0 },
    }))

  it('not useful → released as incomplete', () =>
    expect(after(written(), checked(1, { usefulness: 1 })).run).toMatchObject({
      status: 'answered',
      reason: 'answered.incomplete',
    }))

  it('nothing found → says what was looked for, without a model', () => {
    const none = after(asking(simple), admitted, nothing('1.1'))
    expect(openIds(none)).toEqual([])
    expect(none.run).toMatchObject({ status: 'unanswered', reason: 'unanswered.nothing-found', spent: { moves: 1 } })
  })
})
