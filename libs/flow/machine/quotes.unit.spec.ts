import { describe, expect, it } from 'vitest'
import { held } from '../policy/held'
import {
  admitted,
  after,
  asking,
  checked,
  claim,
  decided,
  found,
  good,
  graded,
  type Given,
  movedBy,
  openIds,
  policy,
  quoted,
  toResearch,
  ungrounded,
  writing,
} from '../spec/given.spec'
import { abandon } from './abandon'
import { end } from './end'
import { decisionsFor } from './review'

const quotes = [{ n: 1, passageId: 'p1', text: 'Text of p1.', marks: [[0, 4]] }]
const checkingQuotes = (fields = {}): Given => after(writing(fields), quoted(1, ['p1']))
const at = (given: Given): number => (given.run.movedAt ?? 0) + 1_000

describe('quotes', () => {
  it('are kept for the desk, checked as every draft, and released as they are: no claims and no score', () => {
    const given = checkingQuotes()
    expect(openIds(given)).toEqual(['grade-answer.1'])
    expect(given.run.draft).toEqual({
      draft: 1,
      text: '',
      citations: [{ n: 1, passageId: 'p1' }],
      quotes,
      passed: 1,
    })
    expect(given.events.find(({ type }) => type === 'drafted')).toMatchObject({ audience: 'desk', quotes })
    const { run, events } = after(given, checked(1))
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.quoted' })
    expect(run.answer).toEqual({
      kind: 'quoted',
      text: 'No model is set up to write an answer, so these are the places in your documents that come closest.',
      citations: [{ n: 1, passageId: 'p1' }],
      quotes,
    })
    expect(run.grading).toBeUndefined()
    expect(events.some(({ type }) => type === 'answer-graded')).toBe(false)
  })

  it('say so where a model should have written', () => {
    const { run } = after(writing(), quoted(1, ['p1'], true), checked(1))
    expect(run.draft?.degraded).toBe(true)
    expect(run.answer?.text).toMatch(/^No model can be reached/)
  })

  it('go out whatever their check says, or where it cannot be had', () => {
    for (const said of [ungrounded(1, claim('contradicted')), checked(1, { degraded: true, claims: [] })])
      expect(after(checkingQuotes(), said).run.reason).toBe('answered.quoted')
    expect(checkingQuotes({ checkAnswer: 'off' }).run.reason).toBe('answered.quoted')
    expect(after(checkingQuotes(held(policy())), checked(1)).run.reason).toBe('answered.quoted')
    const given = checkingQuotes({ whenSpent: 'caveat' })
    const { run } = movedBy(abandon(given.run, 'grade-answer.1', 'errors', at(given)))
    expect(run).toMatchObject({ reason: 'answered.quoted', answer: { quotes } })
    expect(run.answer).not.toHaveProperty('caveat')
  })

  it('go out where the budget ends', () => {
    const given = checkingQuotes()
    const { run } = movedBy(end(given.run, { status: 'overspent', by: 'worker', at: at(given) }))
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.quoted', answer: { quotes } })
  })
})

describe('quotes of sensitive evidence from one document', () => {
  const kept = () =>
    after(
      asking({ plan: 'never' }),
      admitted,
      toResearch,
      found('1.1', ['p1']),
      graded('1.1', { p1: { ...good, sensitive: true } }),
      quoted(1, ['p1']),
      checked(1),
    )

  it('are held, and approved as they are', () => {
    expect(kept().run).toMatchObject({ status: 'parked', reason: 'parked.sensitive' })
    expect(decisionsFor(kept().run)).toEqual(['approve', 'edit', 'retry', 'research', 'reject'])
    expect(after(kept(), decided(1, { outcome: 'approved' })).run).toMatchObject({
      reason: 'answered.decided',
      answer: { kind: 'quoted', quotes },
    })
  })

  it('edited, are a written draft that stands its check or is held', () => {
    const edited = after(kept(), decided(1, { outcome: 'edited', text: 'Take two [1].' }))
    expect(edited.run.draft).toEqual({
      draft: 2,
      text: 'Take two [1].',
      citations: [{ n: 1, passageId: 'p1' }],
      editedBy: 'rita',
    })
    expect(after(edited, checked(2)).run).toMatchObject({
      reason: 'answered.edited',
      answer: { kind: 'written', text: 'Take two [1].' },
    })
    expect(after(edited, ungrounded(2)).run.reason).toBe('parked.edit-ungrounded')
  })

  it('stay held where the model that should write instead refuses or cannot', () => {
    const again = after(kept(), decided(1, { outcome: 'retry' }))
    const refused = { outcome: 'refused', reason: 'Not this.' } as const
    for (const { run } of [
      after(again, { taskId: 'generate.2', kind: 'generate', result: refused }),
      movedBy(abandon(again.run, 'generate.2', 'errors', at(again))),
    ])
      expect(run).toMatchObject({ reason: 'parked.sensitive', draft: { draft: 2, quotes }, open: [{ id: 'review.2' }] })
  })
})
