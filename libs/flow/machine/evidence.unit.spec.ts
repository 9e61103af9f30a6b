import type { Claim } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import type { Grading } from '../schema/run'
import type { Policy } from '../policy/policy'
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
  nothing,
  openIds,
  openTask,
  passage,
  planned,
  policy,
  routed,
  ungrounded,
  writing,
} from '../spec/run-fixtures.spec'
import { evidenceFor, failureSummary, withGrades } from './evidence'
import { failedClaims, groundingScore, isGrounded, isInConflict, supportedClaims } from './grounding'
import type { StartAsk } from './start'

describe('evidence for a task', () => {
  it('is empty for a task that reads none', () => {
    const asked = asking()
    expect(evidenceFor(asked.run, openTask(asked, 'admit'))).toEqual([])
    const routing = after(asked, admitted)
    expect(evidenceFor(routing.run, openTask(routing, 'route'))).toEqual([])
    const replying = after(routing, routed({ outcome: 'reply', logic: '' }))
    expect(evidenceFor(replying.run, openTask(replying, 'reply'))).toEqual([])
    const planning = after(asking({ entry: 'plan' }), admitted)
    expect(evidenceFor(planning.run, openTask(planning, 'plan'))).toEqual([])
  })

  it('lists each passage that passed in any step once, and the passages that the draft cites', () => {
    const given = after(
      asking({ entry: 'plan' }),
      admitted,
      planned('a', 'b'),
      found('1.1', ['p1', 'p2']),
      graded('1.1', { p1: good, p2: bad }),
      found('2.1', ['p1', 'p3']),
      graded('2.1', { p1: good, p3: good }),
    )
    expect(evidenceFor(given.run, openTask(given, 'generate'))).toEqual(['p1', 'p3'])
    const checkingIt = after(given, drafted(1, 'From p2 [1].', 'p2'))
    expect(evidenceFor(checkingIt.run, openTask(checkingIt, 'grade-answer'))).toEqual(['p1', 'p3', 'p2'])
  })
})

describe('failed passages', () => {
  const stale = { ...good, outdated: true }
  const failedAfter = (grades: Record<string, typeof good>) => {
    const given = after(
      asking({ entry: 'research', whenPoor: 'rewrite-then-web', passLevel: 'medium' }),
      admitted,
      found('1.1', Object.keys(grades)),
      graded('1.1', grades),
    )
    const task = openTask(given, 'research')
    return task.failed
  }

  it('are reported as outdated if all that passed are outdated', () =>
    expect(failedAfter({ p1: stale, p2: bad })).toMatchObject({ passageIds: ['p2'], outdated: true }))

  it('are not reported as outdated if nothing passed', () =>
    expect(failedAfter({ p1: { ...bad, outdated: true } })).not.toHaveProperty('outdated'))

  it('ask for nothing newer if a passage that passed is not outdated', () => {
    const { run } = after(
      asking({ entry: 'research', whenPoor: 'rewrite-then-web' }),
      admitted,
      found('1.1', ['p1', 'p2']),
      graded('1.1', { p1: stale, p2: good }),
    )
    expect(failureSummary(run.policy, run.steps[0]!, 'The answer does not help.')).not.toHaveProperty('outdated')
  })
})

describe('passages with grades', () => {
  it('get the run’s scores and grades; a grade that passed wins over one that failed', () => {
    const { run } = after(
      asking({ entry: 'plan' }),
      admitted,
      planned('a', 'b'),
      found('1.1', ['p1', 'p2']),
      graded('1.1', { p1: bad, p2: bad }),
      found('2.1', ['p1']),
      graded('2.1', { p1: good }),
    )
    const plain = (id: string) => ({ ...passage(id), scores: {} })
    expect(withGrades(run, [plain('p1'), plain('p2'), plain('p9')])).toEqual([
      { ...passage('p1'), grade: good },
      { ...passage('p2'), grade: bad },
      plain('p9'),
    ])
  })

  it('stay ungraded if no step graded them', () => {
    const { run } = writing({ gradeEvidence: 'on' })
    expect(withGrades(run, [passage('p1')])[0]?.grade).toEqual(good)
    const ungraded = after(asking({ entry: 'research', gradeEvidence: 'off' }), admitted, found('1.1', ['p1']))
    expect(withGrades(ungraded.run, [passage('p1')])[0]).not.toHaveProperty('grade')
    expect(checking().run.steps).toHaveLength(1)
  })
})

const grading = (...claims: Claim[]): Grading => ({
  draft: 1,
  score: groundingScore({ claims }),
  claims,
  parts: [],
  support: 'full',
  confidence: 1,
  tooBroad: false,
})

describe('grounding score', () => {
  it('is the supported share of all claims; no claim is exempt', () => {
    const claims = [claim('supported'), claim('supported'), claim('unsupported'), claim('contradicted')]
    expect(groundingScore({ claims })).toBe(0.5)
  })

  it('is zero without claims, and the draft is ungrounded under every policy', () => {
    expect(groundingScore({ claims: [] })).toBe(0)
    expect(isGrounded(policy({ parkBelow: 0 }), grading())).toBe(false)
    expect(isGrounded(policy({ parkBelow: 0 }), grading(claim('unsupported')))).toBe(true)
  })
})

describe('documents that disagree', () => {
  const one = claim('supported', { text: '400 t.', passageId: 'p1', conflictsWith: 'p2' })

  it('a value is grounded only if the conflicting value is stated beside it', () => {
    const other = claim('supported', { text: '520 t in the other.', passageId: 'p2', conflictsWith: 'p1' })
    expect(isInConflict(grading(one))).toBe(true)
    expect(isGrounded(policy(), grading(one))).toBe(false)
    expect(isInConflict(grading(one, other))).toBe(false)
    expect(isGrounded(policy(), grading(one, other))).toBe(true)
  })

  it('an unsupported claim does not count as stating a value', () => {
    const guessed = claim('unsupported', { passageId: 'p2' })
    expect(isInConflict(grading(one, guessed))).toBe(true)
    expect([supportedClaims(grading(one, guessed)), failedClaims(grading(one, guessed))]).toEqual([[], [one, guessed]])
  })
})

describe('step to augment', () => {
  const two = (fields: Partial<Policy> = {}, ask: Partial<StartAsk> = {}) =>
    after(
      asking({ entry: 'plan', whenUngrounded: 'augment', whenPoor: 'go-on', ...fields }, ask),
      admitted,
      planned('a', 'b', 'c'),
      found('1.1', ['p1', 'p4']),
      graded('1.1', { p1: good, p4: good }),
      found('2.1', ['p2']),
      graded('2.1', { p2: good }),
      nothing('3.1'),
      drafted(1),
    )

  it('is the one whose evidence the failed claim cites', () => {
    expect(openIds(after(two(), ungrounded(1, claim('unsupported', { passageId: 'p2' }))))).toEqual(['research.2.2'])
  })
  it('is the one whose question was missed', () => {
    const given = checked(1, { claims: [claim('unsupported')], parts: [{ what: 'b', outcome: 'missed' }] })
    expect(openIds(after(two(), given))).toEqual(['research.2.2'])
  })
  it('is otherwise the one with the least evidence, or the first of several', () => {
    expect(openIds(after(two(), ungrounded(1, claim('unsupported'))))).toEqual(['research.3.2'])
    const even = after(
      asking({ entry: 'plan', whenUngrounded: 'augment' }),
      admitted,
      planned('a', 'b'),
      found('1.1', ['p1']),
      graded('1.1', { p1: good }),
      found('2.1', ['p2']),
      graded('2.1', { p2: good }),
      drafted(1),
    )
    expect(openIds(after(even, ungrounded(1, claim('unsupported'))))).toEqual(['research.1.2'])
  })
})
