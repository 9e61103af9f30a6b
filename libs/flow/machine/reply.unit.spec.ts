import { describe, expect, it } from 'vitest'
import type { Result } from '../schema/task-table'
import { heldPolicy, type Policy } from '../policy/policy'
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
  nothing,
  openIds,
  openTask,
  policy,
  replied,
  reportOf,
  routed,
  ungrounded,
} from '../spec/run-fixtures.spec'
import { advance } from './advance'
import { decisionsFor } from './review'

const to = (outcome: 'reply' | 'clarify' | 'decline', fields = policy()) =>
  after(asking(fields), admitted, routed({ outcome, logic: '' }))
const mark = 'This is a general reply. It is not from the documents.'

describe('a reply in a model’s own words', () => {
  it.each(['reply', 'clarify', 'decline'] as const)(
    'to %s is released with a mark; fixed words need no mark',
    (outcome) => {
      expect(after(to(outcome), replied('Hello there.', true)).run.answer).toEqual({
        kind: 'written',
        text: 'Hello there.',
        citations: [],
        caveat: mark,
      })
      expect(after(to(outcome), replied('Hello there.')).run.answer).not.toHaveProperty('caveat')
    },
  )

  it.each([
    'See https://pay.example now.',
    'Write to rita@example.org.',
    'Go to pay.example',
    'It weighs 600 kg.',
    'Es sind ٣ Tonnen.',
  ])('is not shown with a link, an address or a figure: %s', (text) => {
    for (const outcome of ['reply', 'clarify', 'decline'] as const) {
      const { answer } = after(to(outcome), replied(text, true)).run
      expect(answer?.text).toMatch(/[.?]$/)
      expect(answer?.text).not.toContain(text)
      expect(answer).not.toHaveProperty('caveat')
    }
    const broad = after(checking({ whenTooBroad: 'ask' }), checked(1, { tooBroad: true }))
    expect(after(broad, replied(text, true)).run.answer?.question).toMatch(/^Which part, case or time/)
  })

  it('is a fixed text for tenants whose runs are held', () => {
    for (const outcome of ['reply', 'clarify', 'decline'] as const)
      expect(after(to(outcome, heldPolicy(policy())), replied('Mars is a moon.', true)).run.answer?.text).not.toContain(
        'moon',
      )
    const broad = after(checking(heldPolicy(policy({ whenTooBroad: 'ask' }))), checked(1, { tooBroad: true }))
    expect(after(broad, replied('Mars is a moon?', true)).run.answer?.question).toMatch(/^Which part, case or time/)
    expect(after(broad, replied('Which of “Mars” and “Venus”?')).run.answer?.question).toContain('Venus')
  })
})

describe('a question that needs no document and is no small talk', () => {
  const knowledge: Result<'route'> = { outcome: 'reply', logic: 'Everybody knows.', knowledge: true }
  const routedTo = (fields: Parameters<typeof asking>[0]) => after(asking(fields), admitted, routed(knowledge))
  const kept = (fields = {}) =>
    after(routedTo({ generalKnowledge: 'park', ...fields }), replied('Water boils at 100 °C.', true))

  it('is searched for anyway if the policy has no other way', () => {
    for (const generalKnowledge of ['off', undefined] as const) {
      const given = routedTo({ plan: 'never', generalKnowledge })
      expect(openIds(given)).toEqual(['research.1.1'])
      expect(given.run.route).toMatchObject({ to: 'research', logic: expect.stringContaining('they are searched') })
    }
  })

  it('is answered as general knowledge, or held, as the policy says', () => {
    expect(after(routedTo({ generalKnowledge: 'mark' }), replied('Water boils at 100 °C.', true)).run).toMatchObject({
      status: 'answered',
      reason: 'answered.unchecked',
      answer: { text: 'Water boils at 100 °C.', caveat: expect.stringContaining('general knowledge') },
    })
    expect(kept().run).toMatchObject({ status: 'parked', reason: 'parked.general', open: [{ id: 'review.1' }] })
  })

  it('is held, then approved, edited, searched for or declined; without evidence no draft can be written again', () => {
    expect(decisionsFor(kept().run)).toEqual(['approve', 'edit', 'research', 'reject'])
    expect(decisionsFor(kept({ decider: 'asker' }).run)).toEqual(['reject'])
    const retry = reportOf(kept().run, decided(1, { outcome: 'retry' }))
    expect(advance(kept().run, retry)).toEqual({ kind: 'stale' })
    expect(after(kept(), decided(1, { outcome: 'approved' })).run).toMatchObject({
      reason: 'answered.decided',
      answer: { text: 'Water boils at 100 °C.' },
    })
    const edited = after(kept(), decided(1, { outcome: 'edited', text: 'It boils.' }), ungrounded(2))
    expect(edited.run.reason).toBe('parked.edit-ungrounded')
    expect(after(edited, decided(2, { outcome: 'approved' })).run.answer?.text).toBe('It boils.')
  })

  it('is searched for with the reviewer’s guidance, and answered from documents only', () => {
    const looking = after(kept(), decided(1, { outcome: 'research', guidance: 'The physics sheet.' }))
    expect(openTask(looking, 'research')).toMatchObject({ id: 'research.1.1' })
    expect(looking.run.steps).toMatchObject([{ question: 'How heavy is Mars?', planned: ['The physics sheet.'] }])
    const writing = after(looking, found('1.1', ['p1']), graded('1.1', { p1: good }))
    expect(openIds(writing)).toEqual(['generate.2'])
    const none = after(kept({ whenPoor: 'go-on' }), decided(1, { outcome: 'research', guidance: 'x' }), nothing('1.1'))
    expect(none.run.reason).toBe('unanswered.nothing-found')
  })
})

const spentUp = { maxRegenerations: 0, maxAugments: 0 }

describe('when no retries are left', () => {
  const ended = (whenSpent: Policy['whenSpent'], ...claims: Parameters<typeof claim>[0][]) =>
    after(checking({ ...spentUp, whenSpent }), ungrounded(1, ...claims.map((verdict) => claim(verdict)))).run

  it('park holds the draft for a person', () => {
    const run = ended('park', 'unsupported')
    expect(run).toMatchObject({ status: 'parked', reason: 'parked.ungrounded' })
    expect(run.open).toEqual([
      {
        id: 'review.1',
        kind: 'review',
        openedAt: run.movedAt,
        draft: 1,
        decider: 'reviewer',
        dueAt: (run.movedAt ?? 0) + run.policy.parkMs,
      },
    ])
    expect(run.deadlineAt).toBe((run.movedAt ?? 0) + run.policy.parkMs)
  })
  it('caveat and mark release the draft, and say that it did not pass', () => {
    expect(ended('caveat', 'unsupported')).toMatchObject({
      status: 'answered',
      reason: 'answered.with-caveat',
      answer: { text: 'Draft 1 [1].', caveat: 'Not every statement of this answer is supported by the documents.' },
    })
    expect(ended('mark', 'contradicted')).toMatchObject({
      status: 'answered',
      reason: 'answered.marked',
      answer: { caveat: 'The documents contradict a statement of this answer.' },
    })
  })
  it('fallback lists what was tried, without a word of the draft or the documents', () => {
    const run = ended('fallback', 'unsupported')
    expect(run).toMatchObject({ status: 'unanswered', reason: 'unanswered.ungrounded' })
    expect(run.answer).toEqual({
      kind: 'written',
      text: 'No draft of an answer to “How heavy is Mars?” passed its check, so none is shown. Searched in planets with 1 query.',
      citations: [],
    })
    expect(ended('fallback', 'contradicted').reason).toBe('unanswered.contradicted')
    const conflict = checked(1, { claims: [claim('unsupported', { conflictsWith: 'p9' })] })
    expect(after(checking({ ...spentUp, whenSpent: 'fallback' }), conflict).run).toMatchObject({
      reason: 'unanswered.conflict',
      answer: { text: expect.stringContaining('give different values') },
    })
  })
})
