import type { Grade } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { heldPolicy } from '../policy/policy'
import type { RunState } from '../spec/run-fixtures.spec'
import {
  admitted,
  after,
  asking,
  checked,
  checking,
  claim,
  decided,
  found,
  good,
  graded,
  movedBy,
  openIds,
  openTask,
  passage,
  policy,
  quoted,
  routed,
  toResearch,
  ungrounded,
  writing,
} from '../spec/run-fixtures.spec'
import { abandon, end } from './advance'
import { decisionsFor } from './review'

const refusing = (taskId: 'generate.1' | 'generate.2') =>
  ({ taskId, kind: 'generate', result: { outcome: 'refused', reason: 'Not this.' } }) as const
const noReply = { taskId: 'reply.1', kind: 'reply', result: { outcome: 'refused', reason: 'Not this.' } } as const

const distant = (taskId: 'generate.1' | 'generate.2') =>
  ({ taskId, kind: 'generate', result: { outcome: 'distant' } }) as const

describe('evidence that is about something else', () => {
  it('ends the run unanswered, with the nearest passages', () => {
    const { run } = after(writing(), distant('generate.1'))
    expect(run).toMatchObject({ status: 'unanswered', reason: 'unanswered.all-irrelevant' })
    expect(run.answer?.text).toContain(
      'I found passages for “How heavy is Mars?”, but all of them are about something else.',
    )
    expect(run.answer?.nearest?.length).toBeGreaterThan(0)
  })

  it('ends an earlier draft as the policy says', () =>
    expect(after(checking(), ungrounded(1), distant('generate.2')).run).toMatchObject({
      status: 'parked',
      reason: 'parked.ungrounded',
      draft: { draft: 2, text: 'Draft 1 [1].' },
    }))
})

describe('a model that refuses', () => {
  it('to write: ends the run unanswered; only the desk sees the reason', () => {
    const { run, events } = after(writing(), refusing('generate.1'))
    expect(run).toMatchObject({ status: 'unanswered', reason: 'unanswered.refused' })
    expect(run.answer?.text).toBe('The model refused to answer “How heavy is Mars?”. Searched in planets with 1 query.')
    expect(events.find(({ type }) => type === 'refused-by-model')).toMatchObject({
      audience: 'desk',
      task: 'generate.1',
      reason: 'Not this.',
    })
    expect(events.find(({ type }) => type === 'noted')).toMatchObject({
      audience: 'asker',
      note: 'A model refused to answer.',
    })
  })

  it('to write again: ends the earlier draft as the policy says', () => {
    const given = after(checking(), ungrounded(1), refusing('generate.2'))
    expect(given.run).toMatchObject({
      status: 'parked',
      reason: 'parked.ungrounded',
      draft: { draft: 2, text: 'Draft 1 [1].' },
    })
    expect(openIds(after(given, decided(2, { outcome: 'retry' })))).toEqual(['generate.3'])
  })

  it('to reply: ends the run unanswered, or asks back with a fixed text', () => {
    expect(after(asking(), admitted, routed({ outcome: 'reply', logic: '' }), noReply).run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.refused',
      answer: { text: 'The model refused to answer “How heavy is Mars?”.' },
    })
    expect(after(asking(), admitted, routed({ outcome: 'decline', logic: '' }), noReply).run).toMatchObject({
      status: 'declined',
      reason: 'declined.out-of-scope',
      answer: { text: 'This question is outside the scope of these documents.' },
    })
    const broad = after(checking({ whenTooBroad: 'ask' }), checked(1, { tooBroad: true }), noReply)
    expect(broad.run).toMatchObject({
      status: 'needs_input',
      reason: 'needs_input.too-broad',
      answer: { question: expect.stringMatching(/\?$/) },
    })
  })

  it('asks back at once if no move is left for a reply', () => {
    const broad = after(checking({ whenTooBroad: 'ask', maxMoves: 6 }), checked(1, { tooBroad: true }))
    expect(broad.run).toMatchObject({ status: 'needs_input', answer: { question: expect.stringMatching(/\?$/) } })
  })
})

describe('a check by the offline fallback', () => {
  it('holds the draft, whatever the check says', () => {
    for (const fields of [
      {},
      { tooBroad: true },
      { usefulness: 1 },
      { parts: [{ what: 'x', outcome: 'not-in-documents' as const }] },
    ])
      expect(after(checking({ whenTooBroad: 'ask' }), checked(1, { ...fields, degraded: true })).run).toMatchObject({
        status: 'parked',
        reason: 'parked.checked-offline',
      })
  })

  it('lets nobody but a person release it later', () => {
    const held = after(checking({ whenSpent: 'mark' }), checked(1, { degraded: true }))
    const refused = after(held, decided(1, { outcome: 'retry' }), refusing('generate.2'))
    expect(refused.run).toMatchObject({
      status: 'parked',
      reason: 'parked.checked-offline',
      open: [{ id: 'review.2' }],
    })
    expect(after(refused, decided(2, { outcome: 'approved' })).run.reason).toBe('answered.decided')
    const edited = after(held, decided(1, { outcome: 'edited', text: 'Mine.' }), checked(2, { degraded: true }))
    expect(edited.run.reason).toBe('parked.checked-offline')
  })
})

describe('a draft that rests on sensitive evidence', () => {
  const sensitive: Grade = { ...good, sensitive: true }
  const citing = (fields: Parameters<typeof asking>[0], ...ids: string[]): RunState => {
    const passages = [passage('p1'), { ...passage('p2'), documentId: 'd-p1' }, passage('p3')]
    const given = after(
      asking({ plan: 'never', ...fields }),
      admitted,
      toResearch,
      found('1.1', [], { passages }),
      graded('1.1', { p1: sensitive, p2: good, p3: good }),
    )
    const citations = ids.map((passageId, n) => ({ n: n + 1, passageId }))
    return after(given, {
      taskId: 'generate.1',
      kind: 'generate',
      result: { outcome: 'drafted', text: 'Take two [1].', citations },
    })
  }
  const on = { sensitiveSources: 2 }

  it('is held if it cites too few documents: two passages of one document are one source', () => {
    expect(after(citing(on, 'p1'), checked(1)).run).toMatchObject({ status: 'parked', reason: 'parked.sensitive' })
    expect(after(citing(on, 'p1', 'p2'), checked(1)).run.reason).toBe('parked.sensitive')
    expect(after(citing(on, 'p1', 'p3'), checked(1)).run.reason).toBe('answered.checked')
  })

  it('is released if its citations are not sensitive, or the policy asks for no second source', () => {
    expect(after(citing(on, 'p3'), checked(1)).run.reason).toBe('answered.checked')
    for (const sensitiveSources of [0, 1, undefined])
      expect(after(citing({ sensitiveSources }, 'p1'), checked(1)).run.reason).toBe('answered.checked')
  })

  it('is held even if it would be released incomplete, marked, unchecked or with a question', () => {
    expect(after(citing({ ...on, whenNotUseful: 'release' }, 'p1'), checked(1, { usefulness: 1 })).run.reason).toBe(
      'parked.sensitive',
    )
    expect(
      after(citing({ ...on, whenSpent: 'mark', maxRegenerations: 0, maxAugments: 0 }, 'p1'), ungrounded(1)).run.reason,
    ).toBe('parked.sensitive')
    expect(citing({ ...on, checkAnswer: 'off' }, 'p1').run.reason).toBe('parked.sensitive')
    expect(after(citing({ ...on, whenTooBroad: 'ask' }, 'p1'), checked(1, { tooBroad: true })).run.reason).toBe(
      'parked.sensitive',
    )
  })

  it('is released by a person', () => {
    const held = after(citing(on, 'p1'), checked(1))
    expect(openTask(held, 'review')).toMatchObject({ id: 'review.1' })
    expect(after(held, decided(1, { outcome: 'approved' })).run.reason).toBe('answered.decided')
    expect(after(held, decided(1, { outcome: 'edited', text: 'Mine.' }), checked(2)).run.reason).toBe('answered.edited')
  })
})

const quotes = [{ n: 1, passageId: 'p1', text: 'Text of p1.', marks: [[0, 4]] }]
const checkingQuotes = (fields = {}): RunState => after(writing(fields), quoted(1, ['p1']))
const at = (given: RunState): number => (given.run.movedAt ?? 0) + 1_000

describe('quotes', () => {
  it('are kept for the desk, checked like every draft, and released unchanged, without claims or score', () => {
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
      text: 'No model is set up to write an answer. These are the closest passages in your documents.',
      citations: [{ n: 1, passageId: 'p1' }],
      quotes,
    })
    expect(run.grading).toBeUndefined()
    expect(events.some(({ type }) => type === 'answer-graded')).toBe(false)
  })

  it('say so if a model should have written the answer', () => {
    const { run } = after(writing(), quoted(1, ['p1'], true), checked(1))
    expect(run.draft?.degraded).toBe(true)
    expect(run.answer?.text).toMatch(/^No model can be reached/)
  })

  it('name the words of the question that no quote contains, only in the released text', () => {
    const given = after(writing(), quoted(1, ['p1'], undefined, ['Mona', 'Lisa']))
    expect(given.events.find(({ type }) => type === 'drafted')).not.toHaveProperty('missing')
    expect(after(given, checked(1)).run.answer?.text).toMatch(/documents\. None of them contains “Mona” or “Lisa”\.$/)
    const many = ['a', 'b', 'c', 'd', 'e', 'f']
    const { run } = after(writing(), quoted(1, ['p1'], undefined, many), checked(1))
    expect(run.answer?.text).toMatch(/contains “a”, “b”, “c”, “d”, or “e”\.$/)
  })

  it('are released whatever their check says, or without a check', () => {
    for (const said of [ungrounded(1, claim('contradicted')), checked(1, { degraded: true, claims: [] })])
      expect(after(checkingQuotes(), said).run.reason).toBe('answered.quoted')
    expect(checkingQuotes({ checkAnswer: 'off' }).run.reason).toBe('answered.quoted')
    expect(after(checkingQuotes(heldPolicy(policy())), checked(1)).run.reason).toBe('answered.quoted')
    const given = checkingQuotes({ whenSpent: 'caveat' })
    const { run } = movedBy(abandon(given.run, 'grade-answer.1', 'errors', at(given)))
    expect(run).toMatchObject({ reason: 'answered.quoted', answer: { quotes } })
    expect(run.answer).not.toHaveProperty('caveat')
  })

  it('are released when the budget ends', () => {
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

  it('are held, and released unchanged on approval', () => {
    expect(kept().run).toMatchObject({ status: 'parked', reason: 'parked.sensitive' })
    expect(decisionsFor(kept().run)).toEqual(['approve', 'edit', 'retry', 'research', 'reject'])
    expect(after(kept(), decided(1, { outcome: 'approved' })).run).toMatchObject({
      reason: 'answered.decided',
      answer: { kind: 'quoted', quotes },
    })
  })

  it('become a written draft when edited, which passes its check or is held', () => {
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

  it('stay held if the model that should write instead refuses or fails', () => {
    const again = after(kept(), decided(1, { outcome: 'retry' }))
    const refused = { outcome: 'refused', reason: 'Not this.' } as const
    for (const { run } of [
      after(again, { taskId: 'generate.2', kind: 'generate', result: refused }),
      movedBy(abandon(again.run, 'generate.2', 'errors', at(again))),
    ])
      expect(run).toMatchObject({ reason: 'parked.sensitive', draft: { draft: 2, quotes }, open: [{ id: 'review.2' }] })
  })
})
