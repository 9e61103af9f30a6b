import { describe, expect, it } from 'vitest'
import {
  admitted,
  after,
  asking,
  bad,
  checked,
  checking,
  claim,
  costing,
  drafted,
  found,
  good,
  graded,
  nothing,
  openIds,
  openTask,
  planned,
  replied,
  ungrounded,
  writing,
} from '../spec/run-fixtures.spec'
import { evidenceFor } from './evidence'

const missed = { parts: [{ what: 'How heavy is Mars?', outcome: 'missed' } as const] }
const absent = { claims: [], parts: [{ what: 'How heavy is Mars?', outcome: 'not-in-documents' } as const] }
const spentUp = { maxRegenerations: 0, maxAugments: 0 }

describe('generate', () => {
  it('keeps the draft for the desk and opens its check', () => {
    const given = after(writing(), drafted(1))
    expect(given.run.draft).toEqual({
      draft: 1,
      text: 'Draft 1 [1].',
      citations: [{ n: 1, passageId: 'p1' }],
      passed: 1,
    })
    expect(openIds(given)).toEqual(['grade-answer.1'])
    expect(given.events.slice(-3)).toMatchObject([
      { type: 'writing', audience: 'asker', task: 'generate.1', draft: 1 },
      { type: 'drafted', audience: 'desk', task: 'generate.1', draft: 1 },
      { type: 'checking', audience: 'asker', task: 'grade-answer.1', draft: 1 },
    ])
    expect(evidenceFor(given.run, openTask(given, 'grade-answer'))).toEqual(['p1'])
  })

  it('stores the calculated figures with the draft', () => {
    const workings = [
      {
        what: 'difference',
        formula: 'a - b',
        inputs: [
          { name: 'a', value: 3, passageId: 'p1' },
          { name: 'b', value: 1, passageId: null },
        ],
        result: 2,
      },
    ]
    const given = after(writing(), {
      taskId: 'generate.1',
      kind: 'generate',
      result: { outcome: 'drafted', text: 'Two [1].', citations: [], workings },
    })
    expect(given.run.draft).toMatchObject({ draft: 1, text: 'Two [1].', citations: [], workings })
    expect(given.events.find(({ type }) => type === 'drafted')).toMatchObject({ workings })
  })

  it('releases the draft unchecked, with a caveat, if the policy checks nothing', () => {
    const { run } = after(writing({ checkAnswer: 'off' }), drafted(1))
    expect(run).toMatchObject({
      status: 'answered',
      reason: 'answered.unchecked',
      answer: { caveat: expect.stringContaining('not checked') },
    })
  })
})

describe('a grounded draft', () => {
  it('is released as written', () => {
    const { run, events } = after(checking(), checked(1))
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked', grading: { draft: 1, score: 1 } })
    expect(run.answer).toEqual({ kind: 'written', text: 'Draft 1 [1].', citations: [{ n: 1, passageId: 'p1' }] })
    expect(events.at(-2)).toMatchObject({ type: 'answer-graded', audience: 'desk', draft: 1, score: 1 })
    expect(events.at(-1)).toMatchObject({ type: 'ended', audience: 'asker', status: 'answered', answer: run.answer })
  })

  it('is released without the sentences that state nothing; draft and ledger keep them', () => {
    const { run, events } = after(
      writing(),
      drafted(1, 'Thank you for asking. Mars weighs a tenth [1].'),
      checked(1, {
        text: 'Mars weighs a tenth [1].',
        claims: [claim('supported', { text: 'Mars weighs a tenth [1].' })],
      }),
    )
    expect(run.answer?.text).toBe('Mars weighs a tenth [1].')
    expect(run.draft?.text).toBe('Thank you for asking. Mars weighs a tenth [1].')
    expect(run.grading?.claims.every(({ text }) => run.answer?.text.includes(text))).toBe(true)
    expect(events.find(({ type }) => type === 'drafted')).toMatchObject({ text: run.draft?.text })
    expect(after(checking(), checked(1, { text: '' })).run.answer?.text).toBe('Draft 1 [1].')
  })

  it('passes without a usefulness rating, and is incomplete only if a part is missing', () => {
    expect(after(checking(), checked(1, { usefulness: undefined })).run.reason).toBe('answered.checked')
    const again = after(checking({ maxRewrites: 1 }), checked(1, { ...missed, usefulness: undefined }))
    expect(openTask(again, 'research').failed?.reason).toBe('Not answered: How heavy is Mars?')
    const told = after(checking({ maxRewrites: 1 }), checked(1, { ...missed, why: 'No unit.' }))
    expect(openTask(told, 'research').failed?.reason).toBe('Not answered: How heavy is Mars? No unit.')
    expect(after(again, nothing('1.2')).run).toMatchObject({
      status: 'answered',
      reason: 'answered.incomplete',
      answer: { caveat: 'Not every part of the question is answered.' },
    })
  })

  it('passes from the score that the policy asks for, of all claims', () => {
    const claims = [claim('supported'), claim('supported'), claim('unsupported')]
    expect(after(checking({ parkBelow: 0.6 }), ungrounded(1, ...claims)).run.status).toBe('answered')
    expect(after(checking({ parkBelow: 0.7, ...spentUp }), ungrounded(1, ...claims)).run.status).toBe('parked')
  })

  it('ends unanswered with its text and the nearest passages if it only says that nothing answers', () => {
    const denied = { ...absent, claims: [claim('supported', { text: 'The documents do not say how heavy Mars is.' })] }
    expect(after(checking(), checked(1, denied)).run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.not-in-documents',
      answer: { text: 'Draft 1 [1].', nearest: ['p1'] },
    })
  })

  it('ends unanswered with a fixed text if its check found nothing to check', () => {
    const { run } = after(checking(), checked(1, absent))
    expect(run).toMatchObject({ status: 'unanswered', reason: 'unanswered.not-in-documents', grading: { score: 0 } })
    expect(run.answer).toEqual({
      kind: 'written',
      text: 'I read the closest passages for “How heavy is Mars?”, but none of them answers it. Searched in planets with 1 query.',
      citations: [],
      nearest: ['p1'],
    })
  })

  it('does not include a draft that states nothing, whatever the policy releases', () => {
    const silent = checked(1, { ...missed, claims: [] })
    expect(after(checking({ ...spentUp, parkBelow: 0 }), silent).run.reason).toBe('parked.ungrounded')
  })

  it('is released with a question to narrow it if it is too broad and the policy asks back', () => {
    const asking = after(checking({ whenTooBroad: 'ask' }), checked(1, { tooBroad: true }))
    expect(openTask(asking, 'reply')).toMatchObject({ id: 'reply.1', to: 'narrow' })
    expect(after(asking, replied('Which planet?')).run).toMatchObject({
      status: 'needs_input',
      reason: 'needs_input.too-broad',
      answer: { text: 'Draft 1 [1].', question: 'Which planet?' },
    })
    expect(after(checking({ whenTooBroad: 'release' }), checked(1, { tooBroad: true })).run.status).toBe('answered')
  })

  it('asks for a narrower question under a new id if the run had a reply before', () => {
    const given = checking({ whenTooBroad: 'ask' })
    const closed = { ...given.run.closed, 'reply.1': 'replied' }
    const asking = after({ ...given, run: { ...given.run, closed } }, checked(1, { tooBroad: true }))
    expect(openTask(asking, 'reply').id).toBe('reply.2')
  })
})

describe('a grounded draft that is not useful', () => {
  it('is released as incomplete if the policy says so', () => {
    for (const given of [checked(1, missed), checked(1, { usefulness: 2 })])
      expect(after(checking({ whenNotUseful: 'release' }), given).run).toMatchObject({
        status: 'answered',
        reason: 'answered.incomplete',
        answer: { caveat: 'Not every part of the question is answered.' },
      })
  })

  it('reopens research for the missed step, and is written again with its supported sentences', () => {
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

  it('reopens research for every step if no single step was missed', () => {
    const again = after(checking(), checked(1, { usefulness: 1 }))
    expect(openTask(again, 'research')).toMatchObject({
      id: 'research.1.2',
      failed: { reason: 'The usefulness is 1; the policy requires 3.' },
    })
  })

  it('is not written again from the same passages: other retries come first, then it is released as incomplete', () => {
    const again = after(checking({ maxRewrites: 2 }), checked(1, missed), nothing('1.2'))
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

  it('recognizes a missed step by its filled-in question too', () => {
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

  it('leads to a web search if the policy says so', () => {
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

describe('an ungrounded draft', () => {
  it('is written again once, with supported sentences kept and failed claims avoided', () => {
    const claims = [claim('supported', { text: 'S.' }), claim('unsupported', { text: 'U.' })]
    const again = after(checking(), ungrounded(1, ...claims))
    expect(openTask(again, 'generate')).toMatchObject({
      id: 'generate.2',
      draft: 2,
      keep: ['S.'],
      avoid: [{ text: 'U.' }],
    })
    expect(again.events.find(({ type }) => type === 'counter-spent')).toMatchObject({
      counter: 'regenerations',
      why: 'Not supported: U.',
      left: 0,
    })
    expect(after(again, drafted(2), checked(2)).run).toMatchObject({
      status: 'answered',
      answer: { text: 'Draft 2 [1].' },
    })
  })

  it('then reopens research once for the missing evidence, and is held after that', () => {
    const second = after(checking(), ungrounded(1), drafted(2), ungrounded(2))
    expect(openTask(second, 'research')).toMatchObject({
      id: 'research.1.2',
      failed: { passageIds: [], reason: 'Not supported: A unsupported claim.' },
    })
    const third = after(second, found('1.2', ['p2']), graded('1.2', { p2: good }))
    expect(openTask(third, 'generate')).toMatchObject({ id: 'generate.3', keep: ['A supported claim.'] })
    const held = after(third, drafted(3), ungrounded(3))
    expect(held.run).toMatchObject({
      status: 'parked',
      reason: 'parked.ungrounded',
      spent: { regenerations: 1, augments: 1 },
    })
    expect(held.run.answer).toBeUndefined()
  })

  it('reopens research at once, or never, as the policy says', () => {
    expect(openIds(after(checking({ whenUngrounded: 'augment' }), ungrounded(1)))).toEqual(['research.1.2'])
    expect(after(checking({ whenUngrounded: 'regenerate', maxRegenerations: 0 }), ungrounded(1)).run.status).toBe(
      'parked',
    )
  })

  it('keeps supported sentences citable: research after a draft only adds evidence', () => {
    const again = after(
      checking({ whenUngrounded: 'augment', keepEvidence: 'replace' }),
      ungrounded(1),
      found('1.2', ['p2']),
    )
    expect(again.run.steps[0]?.evidence.map(({ id }) => id)).toEqual(['p1', 'p2'])
  })

  it('is held at once if the policy leaves the decision to a person', () => {
    const { run } = after(checking({ whenUngrounded: 'decide', decider: 'asker', whenSpent: 'caveat' }), ungrounded(1))
    expect(run).toMatchObject({ status: 'parked', open: [{ id: 'review.1', decider: 'asker' }] })
  })

  it('is never released while the documents contradict it, whatever its score', () => {
    const claims = [...Array(9).fill(claim('supported')), claim('contradicted')]
    expect(after(checking({ parkBelow: 0.5, ...spentUp }), ungrounded(1, ...claims)).run).toMatchObject({
      status: 'parked',
      reason: 'parked.contradicted',
      grading: { score: 0.9 },
    })
  })

  it('is written again to state both values of a conflict, and held as a conflict if it cannot', () => {
    const one = claim('supported', { text: '400 t.', conflictsWith: 'p2' })
    const again = after(checking({ maxAugments: 0 }), checked(1, { claims: [one] }))
    expect(openTask(again, 'generate')).toMatchObject({ keep: [], avoid: [{ text: '400 t.', conflictsWith: 'p2' }] })
    expect(again.events.find(({ type }) => type === 'counter-spent')).toMatchObject({
      why: 'Another passage contradicts this: 400 t.',
    })
    const both = [one, claim('supported', { text: '520 t.', passageId: 'p2', conflictsWith: 'p1' })]
    expect(after(again, drafted(2), checked(2, { claims: both })).run.reason).toBe('answered.checked')
    const held = after(again, drafted(2), checked(2, { claims: [one] }))
    expect(held.run).toMatchObject({ status: 'parked', reason: 'parked.conflict' })
    expect(held.run.answer).toBeUndefined()
  })

  it('is held for the budget if nothing more may be tried', () => {
    const usage = { calls: 1, tokensIn: 500_000, tokensOut: 0, cents: 0 }
    expect(after(checking(), { ...ungrounded(1), ...costing(usage) }).run).toMatchObject({
      status: 'parked',
      reason: 'parked.budget',
      spent: { regenerations: 0 },
    })
  })
})
