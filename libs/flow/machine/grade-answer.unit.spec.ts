import { describe, expect, it } from 'vitest'
import {
  admitted,
  after,
  asking,
  bad,
  checked,
  checking,
  claim,
  drafted,
  found,
  good,
  graded,
  openIds,
  openTask,
  planned,
  replied,
  ungrounded,
} from '../spec/given.spec'

const missed = { parts: [{ what: 'How heavy is Mars?', outcome: 'missed' } as const] }
const absent = { claims: [], parts: [{ what: 'How heavy is Mars?', outcome: 'not-in-documents' } as const] }
const spentUp = { maxRegenerations: 0, maxAugments: 0 }

describe('a draft that stands', () => {
  it('is released as it was drafted', () => {
    const { run, events } = after(checking(), checked(1))
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked', grading: { draft: 1, score: 1 } })
    expect(run.answer).toEqual({ text: 'Draft 1 [1].', citations: [{ n: 1, passageId: 'p1' }] })
    expect(events.at(-2)).toMatchObject({ type: 'answer-graded', audience: 'desk', draft: 1, score: 1 })
    expect(events.at(-1)).toMatchObject({ type: 'ended', audience: 'asker', status: 'answered', answer: run.answer })
  })

  it('stands from the score the policy asks for, style claims aside', () => {
    const claims = [
      claim('supported'),
      claim('supported'),
      claim('unsupported'),
      claim('unsupported', { kind: 'style' }),
    ]
    expect(after(checking({ parkBelow: 0.6 }), ungrounded(1, ...claims)).run.status).toBe('answered')
    expect(after(checking({ parkBelow: 0.7, ...spentUp }), ungrounded(1, ...claims)).run.status).toBe('parked')
  })

  it('says only that the documents do not say: unanswered, with that text', () => {
    const denied = { ...absent, claims: [claim('supported', { text: 'The documents do not say how heavy Mars is.' })] }
    for (const nothing of [absent, denied]) {
      expect(after(checking(), checked(1, nothing)).run).toMatchObject({
        status: 'unanswered',
        reason: 'unanswered.not-in-documents',
        answer: { text: 'Draft 1 [1].' },
      })
    }
  })

  it('is a narrower question away where it was too broad and the policy asks', () => {
    const asking = after(checking({ whenTooBroad: 'ask' }), checked(1, { tooBroad: true }))
    expect(openTask(asking, 'reply')).toMatchObject({ id: 'reply.1', to: 'narrow' })
    expect(after(asking, replied('Which planet?')).run).toMatchObject({
      status: 'needs_input',
      reason: 'needs_input.too-broad',
      answer: { text: 'Draft 1 [1].', question: 'Which planet?' },
    })
    expect(after(checking({ whenTooBroad: 'release' }), checked(1, { tooBroad: true })).run.status).toBe('answered')
  })
})

describe('a draft that stands but is not useful', () => {
  it('is released as incomplete where the policy says so', () => {
    for (const given of [checked(1, missed), checked(1, { usefulness: 2 })])
      expect(after(checking({ whenNotUseful: 'release' }), given).run).toMatchObject({
        status: 'answered',
        reason: 'answered.incomplete',
        answer: { caveat: 'Not every part of the question is answered.' },
      })
  })

  it('has the step that was missed researched again, and is written anew with what stood', () => {
    const two = after(
      asking({ entry: 'plan' }),
      admitted,
      planned('a', 'b'),
      found('1.1', ['p1']),
      graded('1.1', { p1: good }),
      found('2.1', ['p2']),
      graded('2.1', { p2: good }),
      drafted(1),
    )
    const again = after(
      two,
      checked(1, {
        parts: [
          { what: 'a', outcome: 'answered' },
          { what: 'b', outcome: 'missed' },
        ],
      }),
    )
    expect(openTask(again, 'research')).toMatchObject({
      id: 'research.2.2',
      failed: { queries: ['query 2.1'], reason: 'Not answered: b' },
    })
    expect(again.run.spent.rewrites).toBe(1)
    expect(openTask(after(again, found('2.2', ['p3']), graded('2.2', { p3: good })), 'generate')).toMatchObject({
      id: 'generate.2',
      keep: ['A supported claim.'],
      avoid: [],
    })
  })

  it('has every step researched again where no one step was missed', () => {
    const again = after(checking(), checked(1, { usefulness: 1 }))
    expect(openTask(again, 'research')).toMatchObject({
      id: 'research.1.2',
      failed: { reason: 'Usefulness 1, 3 needed.' },
    })
  })

  it('is not written anew from what it was written from: what is left is tried first, then it is released as incomplete', () => {
    const again = after(checking({ maxRewrites: 2 }), checked(1, missed), found('1.2', ['p1']))
    expect(openTask(again, 'research')).toMatchObject({
      id: 'research.1.3',
      failed: { queries: ['query 1.1', 'query 1.2'], reason: 'Nothing new was found.' },
    })
    expect(after(again, ...[found('1.3', ['p9']), graded('1.3', { p9: bad })]).run).toMatchObject({
      status: 'answered',
      reason: 'answered.incomplete',
      draft: { draft: 1 },
    })
    expect(openIds(after(again, found('1.3', ['p9']), graded('1.3', { p9: good })))).toEqual(['generate.2'])
  })

  it('knows a missed step by its filled-in question too', () => {
    const two = after(
      asking({ entry: 'plan' }),
      admitted,
      planned('a', ['b', 1]),
      found('1.1', ['p1']),
      graded('1.1', { p1: good }),
      found('2.1', ['p2'], { resolved: 'b of Mars' }),
      graded('2.1', { p2: good }),
      drafted(1),
    )
    expect(openIds(after(two, checked(1, { parts: [{ what: 'b of Mars', outcome: 'missed' }] })))).toEqual([
      'research.2.2',
    ])
  })

  it('goes to the web where the policy says so', () => {
    const again = after(checking({ whenNotUseful: 'web' }, { webOn: true }), checked(1, missed))
    expect(openTask(again, 'research')).toMatchObject({ source: 'web' })
    expect(after(checking({ whenNotUseful: 'web', noWeb: 'unanswered' }), checked(1, missed)).run.reason).toBe(
      'answered.incomplete',
    )
  })

  it('is released as incomplete when the counters or the moves are spent', () => {
    expect(after(checking({ maxRewrites: 0 }), checked(1, missed)).run.reason).toBe('answered.incomplete')
    expect(after(checking({ maxMoves: 7 }), checked(1, missed)).run.reason).toBe('answered.incomplete')
  })
})
