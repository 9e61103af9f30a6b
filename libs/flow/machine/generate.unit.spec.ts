import { describe, expect, it } from 'vitest'
import { after, drafted, openIds, openTask, writing } from '../spec/given.spec'
import { evidenceFor } from './evidence'

describe('generate', () => {
  it('keeps the draft for the desk and has it checked', () => {
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

  it('keeps the figures that were worked out for it with the draft', () => {
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

  it('is released as unchecked, with a caveat, where the policy checks nothing', () => {
    const { run } = after(writing({ checkAnswer: 'off' }), drafted(1))
    expect(run).toMatchObject({
      status: 'answered',
      reason: 'answered.unchecked',
      answer: { caveat: expect.stringContaining('not checked') },
    })
  })
})
