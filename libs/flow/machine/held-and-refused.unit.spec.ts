import { describe, expect, it } from 'vitest'
import {
  admitted,
  after,
  asking,
  checked,
  checking,
  decided,
  found,
  good,
  graded,
  openIds,
  openTask,
  routed,
  toResearch,
  ungrounded,
  writing,
  passage,
  type Given,
} from '../spec/given.spec'
import type { Grade } from '@plumbline/contracts'

const refusing = (taskId: 'generate.1' | 'generate.2') =>
  ({ taskId, kind: 'generate', result: { outcome: 'refused', reason: 'Not this.' } }) as const
const noReply = { taskId: 'reply.1', kind: 'reply', result: { outcome: 'refused', reason: 'Not this.' } } as const

describe('a model that refuses', () => {
  it('to write: the run ends unanswered; why stands at the desk only', () => {
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

  it('to write again: the draft before goes where the policy says', () => {
    const given = after(checking(), ungrounded(1), refusing('generate.2'))
    expect(given.run).toMatchObject({
      status: 'parked',
      reason: 'parked.ungrounded',
      draft: { draft: 2, text: 'Draft 1 [1].' },
    })
    expect(openIds(after(given, decided(2, { outcome: 'retry' })))).toEqual(['generate.3'])
  })

  it('to reply: the run ends unanswered, or asks without it', () => {
    expect(after(asking(), admitted, routed({ outcome: 'reply', logic: '' }), noReply).run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.refused',
      answer: { text: 'The model refused to answer “How heavy is Mars?”.' },
    })
    expect(after(asking(), admitted, routed({ outcome: 'decline', logic: '' }), noReply).run).toMatchObject({
      status: 'declined',
      reason: 'declined.out-of-scope',
      answer: { text: 'This question is outside what the documents here are for.' },
    })
    const broad = after(checking({ whenTooBroad: 'ask' }), checked(1, { tooBroad: true }), noReply)
    expect(broad.run).toMatchObject({
      status: 'needs_input',
      reason: 'needs_input.too-broad',
      answer: { question: expect.stringMatching(/\?$/) },
    })
  })

  it('asks at once where there is no move left for a reply', () => {
    const broad = after(checking({ whenTooBroad: 'ask', maxMoves: 6 }), checked(1, { tooBroad: true }))
    expect(broad.run).toMatchObject({ status: 'needs_input', answer: { question: expect.stringMatching(/\?$/) } })
  })
})

describe('a check by the offline rung', () => {
  it('holds the draft, whatever it says', () => {
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

  it('lets nothing out later either, unless a person does', () => {
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
  const citing = (fields: Parameters<typeof asking>[0], ...ids: string[]): Given => {
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

  it('is held where it cites too few documents: two passages of one are one source', () => {
    expect(after(citing(on, 'p1'), checked(1)).run).toMatchObject({ status: 'parked', reason: 'parked.sensitive' })
    expect(after(citing(on, 'p1', 'p2'), checked(1)).run.reason).toBe('parked.sensitive')
    expect(after(citing(on, 'p1', 'p3'), checked(1)).run.reason).toBe('answered.checked')
  })

  it('goes out where what it cites is not sensitive, or the policy asks for no second source', () => {
    expect(after(citing(on, 'p3'), checked(1)).run.reason).toBe('answered.checked')
    for (const sensitiveSources of [0, 1, undefined])
      expect(after(citing({ sensitiveSources }, 'p1'), checked(1)).run.reason).toBe('answered.checked')
  })

  it('is held also where it would go out incomplete, marked, unchecked or with a question', () => {
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

  it('is let out by a person', () => {
    const held = after(citing(on, 'p1'), checked(1))
    expect(openTask(held, 'review')).toMatchObject({ id: 'review.1' })
    expect(after(held, decided(1, { outcome: 'approved' })).run.reason).toBe('answered.decided')
    expect(after(held, decided(1, { outcome: 'edited', text: 'Mine.' }), checked(2)).run.reason).toBe('answered.edited')
  })
})
