import { describe, expect, it } from 'vitest'
import { evidenceFor } from './evidence'
import {
  admitted,
  after,
  asking,
  found,
  good,
  graded,
  nothing,
  openIds,
  openTask,
  planned,
  costing,
} from '../spec/given.spec'
import type { Policy } from '../policy/policy'

const planning = (fields: Partial<Policy> = {}) => after(asking({ entry: 'plan', ...fields }), admitted)

describe('plan', () => {
  it('opens every step that waits for nothing', () => {
    const given = after(planning(), planned('a', 'b', ['c', 1]))
    expect(openIds(given)).toEqual(['research.1.1', 'research.2.1'])
    expect(given.run.steps.map(({ status }) => status)).toEqual(['open', 'open', 'waiting'])
    expect(given.events.filter(({ type }) => type === 'step-opened')).toMatchObject([
      { audience: 'asker', task: 'research.1.1', step: 1, try: 1, question: 'a', source: 'index' },
      { audience: 'asker', task: 'research.2.1', step: 2, try: 1, question: 'b', source: 'index' },
    ])
  })

  it('opens a waiting step when the step it names is done, with the evidence of that step', () => {
    const first = after(planning(), planned('a', ['b', 1], 'c'), found('1.1', ['p1']))
    expect(openIds(first)).toEqual(['grade-evidence.1.1', 'research.3.1'])
    const second = after(first, graded('1.1', { p1: good }))
    expect(openIds(second)).toEqual(['research.2.1', 'research.3.1'])
    expect(evidenceFor(second.run, openTask(second, 'research'))).toEqual(['p1'])

    const filled = after(second, found('2.1', ['p2'], { resolved: 'b with the answer of a' }))
    expect(filled.run.steps[1]).toMatchObject({ question: 'b', resolved: 'b with the answer of a' })
    const all = after(filled, graded('2.1', { p2: good }), found('3.1', ['p3']), graded('3.1', { p3: good }))
    expect(openIds(all)).toEqual(['generate.1'])
  })

  it('lets a step go on when the step it waits for ends with nothing', () => {
    const given = after(planning({ whenPoor: 'go-on' }), planned('a', ['b', 1]), nothing('1.1'))
    expect(openIds(given)).toEqual(['research.2.1'])
    expect(evidenceFor(given.run, openTask(given, 'research'))).toEqual([])
  })

  it('drops what no step can wait for: itself, a later one, one that is not there', () => {
    const given = after(planning(), planned(['a', 2], ['b', 2], ['c', 7], ['d', 1]))
    expect(given.run.steps.map(({ waitsFor }) => waitsFor)).toEqual([null, null, null, 1])
    expect(given.events.find(({ type }) => type === 'planned')).toMatchObject({
      steps: [{}, {}, {}, { question: 'd', waitsFor: 1 }],
    })
  })

  it('cuts a plan to the steps the policy allows, and says so', () => {
    const given = after(planning({ maxSteps: 2 }), planned('a', 'b', 'c'))
    expect(given.run.steps).toHaveLength(2)
    expect(given.events.find(({ type }) => type === 'planned')).toMatchObject({
      logic: 'One step each. Cut from 3 steps to 2.',
    })
  })

  it('cuts a plan to the steps there are moves for, keeping those for the draft and its check', () => {
    expect(after(planning({ maxMoves: 9 }), planned('a', 'b', 'c', 'd')).run.steps).toHaveLength(3)
    expect(
      after(planning({ maxMoves: 9, gradeEvidence: 'off', checkAnswer: 'off' }), planned('a', 'b', 'c', 'd', 'e')).run
        .steps,
    ).toHaveLength(5)
  })

  it('ends where the plan itself used up the tokens', () => {
    const usage = { calls: 1, tokensIn: 100, tokensOut: 100, cents: 0 }
    const { run } = after(planning({ maxTokens: 199 }), { ...planned('a'), ...costing(usage) })
    expect(run).toMatchObject({ status: 'unanswered', reason: 'unanswered.budget' })
  })
})
