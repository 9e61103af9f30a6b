import type { Grade } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { abandon, policyOf } from '..'
import type { Run } from '../schema/run'
import type { Policy } from '../policy/policy'
import { standard } from '../policy/standard'
import {
  admitted,
  after,
  asking,
  bad,
  checked,
  claim,
  drafted,
  found,
  type RunState,
  good,
  graded,
  gradedLate,
  movedBy,
  nothing,
  openIds,
  openTask,
  quoted,
  routed,
  t0,
  triedWith,
  ungrounded,
} from '../spec/run-fixtures.spec'
import { evidenceFor } from './evidence'

const simple = routed({ outcome: 'research', logic: 'One fact.', collections: ['planets'], simple: true })
type When = Policy['gradeEvidence']
const found1 = (
  gradeEvidence: When,
  grades: Record<string, Grade>,
  fields: Partial<Policy> = {},
  ask = {},
): RunState => {
  const given = after(
    asking({ ...standard, gradeEvidence, ...fields }, ask),
    admitted,
    simple,
    found('1.1', Object.keys(grades)),
  )
  return gradeEvidence === 'when-needed' ? given : after(given, graded('1.1', grades))
}
const clear = { sensitive: false, outdated: [], lowAuthority: [] }
const both: When[] = ['first', 'when-needed']

describe('a hold that results from grades or marks of the evidence', () => {
  it.each(both)('sensitive evidence from one document is held: %s', (when) => {
    const given = after(found1(when, { p1: { ...good, sensitive: true } }), drafted(1))
    const { run } = after(given, checked(1, { evidence: { ...clear, sensitive: true } }))
    expect(run).toMatchObject({ status: 'parked', reason: 'parked.sensitive' })
  })

  it('sensitive evidence that nothing grades is held too, and is not searched again for its age', () => {
    const ungraded = after(
      asking({ ...standard, gradeEvidence: 'off' }),
      admitted,
      simple,
      found('1.1', ['p1']),
      drafted(1),
    )
    const held = after(ungraded, checked(1, { evidence: { ...clear, sensitive: true } }))
    expect(held.run).toMatchObject({ status: 'parked', reason: 'parked.sensitive' })
    const old = after(ungraded, checked(1, { evidence: { ...clear, outdated: ['p1'] } }))
    expect(old.run.reason).toBe('answered.checked')
  })

  it('a grade decides where evidence was graded first', () => {
    const given = after(found1('first', { p1: good }), drafted(1))
    const { run } = after(given, checked(1, { evidence: { ...clear, sensitive: true } }))
    expect(run.reason).toBe('answered.checked')
  })

  it.each(both)('sensitive evidence that a later draft cites is held too: %s', (when) => {
    const again = after(
      found1(when, { p1: { ...good, sensitive: true } }),
      drafted(1),
      checked(1, { claims: [claim('unsupported')], evidence: { ...clear, sensitive: true } }),
      ...(when === 'when-needed' ? [gradedLate(1, 1, { p1: good })] : []),
      drafted(2),
    )
    expect(after(again, checked(2)).run).toMatchObject({ status: 'parked', reason: 'parked.sensitive' })
  })

  it.each(both)('evidence that is all outdated is searched again for something recent: %s', (when) => {
    const old = { ...good, outdated: true }
    const given = found1(when, { p1: old })
    const searching =
      when === 'first' ? given : after(given, drafted(1), checked(1, { evidence: { ...clear, outdated: ['p1'] } }))
    expect(openTask(searching, 'research')).toMatchObject({ id: 'research.1.2', failed: { outdated: true } })
  })

  it.each(both)('evidence of little authority alone is searched again: %s', (when) => {
    const given = found1(when, { p1: { ...good, authority: 'low' } })
    const searching =
      when === 'first' ? given : after(given, drafted(1), checked(1, { evidence: { ...clear, lowAuthority: ['p1'] } }))
    expect(openTask(searching, 'research').failed?.reason).toContain('of little authority')
  })

  it('is released as checked if nothing better is found', () => {
    const stale = after(
      found1('when-needed', { p1: good }),
      drafted(1),
      checked(1, { evidence: { ...clear, outdated: ['p1'] } }),
    )
    const { run } = after(stale, found('1.2', ['p1']))
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked', spent: { rewrites: 1 } })
  })

  it('is released as checked if no try is left', () => {
    const given = after(found1('when-needed', { p1: good }, { maxRewrites: 0, maxWebSearches: 0 }), drafted(1))
    const { run } = after(given, checked(1, { evidence: { ...clear, outdated: ['p1'] } }))
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked', spent: { rewrites: 0 } })
  })

  it('rests on what a check or a grader has judged: an unjudged draft is held', () => {
    const unjudged = after(found1('when-needed', { p1: good }), drafted(1), checked(1, { evidence: undefined }))
    expect(openIds(unjudged)).toEqual(['grade-evidence.1.draft-1'])
    expect(after(unjudged, gradedLate(1, 1, { p1: good })).run.reason).toBe('answered.checked')
    const lost = movedBy(abandon(unjudged.run, 'grade-evidence.1.draft-1', 'It crashed.', t0 + 9_000))
    expect(lost.run).toMatchObject({ status: 'parked', reason: 'parked.sensitive' })
    const marked = { whenSpent: 'mark' as const }
    const unchecked = after(found1('when-needed', { p1: good }, marked), drafted(1))
    const late = movedBy(abandon(unchecked.run, 'grade-answer.1', 'It crashed.', t0 + 9_000)).run
    expect(late.open).toMatchObject([{ id: 'grade-evidence.1.draft-1', late: true }])
    const ended = (grade: Grade): Run => after({ ...unchecked, run: late }, gradedLate(1, 1, { p1: grade })).run
    expect(ended({ ...good, sensitive: true })).toMatchObject({ status: 'parked', reason: 'parked.sensitive' })
    expect(ended(good)).toMatchObject({ status: 'answered', reason: 'answered.marked' })
  })

  it('holds quotes of sensitive evidence, which no check judges', () => {
    const given = after(found1('when-needed', { p1: good }), quoted(1, ['p1'], true), checked(1))
    expect(openIds(given)).toEqual(['grade-evidence.1.draft-1'])
    const { run } = after(given, gradedLate(1, 1, { p1: { ...good, sensitive: true } }))
    expect(run).toMatchObject({ status: 'parked', reason: 'parked.sensitive' })
    expect(after(given, gradedLate(1, 1, { p1: good })).run.reason).toBe('answered.quoted')
  })
})

describe('grades when needed', () => {
  it('a plain question takes a route, a search, a draft and its check', () => {
    const { run } = after(found1('when-needed', { p1: good }), drafted(1), checked(1))
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked', spent: { moves: 4 } })
    expect(Object.keys(run.closed)).toEqual(['admit', 'route', 'research.1.1', 'generate.1', 'grade-answer.1'])
  })

  it.each([
    ['unsupported', { claims: [claim('unsupported')] }],
    ['in conflict', { claims: [claim('supported', { conflictsWith: 'p2' })] }],
    ['incomplete', { parts: [{ what: 'How heavy is Mars?', outcome: 'missed' as const }] }],
    ['of little use', { usefulness: 2 }],
    ['absent', { parts: [{ what: 'How heavy is Mars?', outcome: 'not-in-documents' as const }] }],
  ])('follow a check that finds the draft %s', (_, found) => {
    const given = after(found1('when-needed', { p1: good, p2: good }), drafted(1), checked(1, found))
    expect(openTask(given, 'grade-evidence')).toMatchObject({ passageIds: ['p1', 'p2'], late: true, step: 1 })
    expect(evidenceFor(given.run, openTask(given, 'grade-evidence'))).toEqual(['p1', 'p2'])
  })

  it('an absence is released if a passage shows it, and searched again if none is relevant', () => {
    const absent = { parts: [{ what: 'How heavy is Mars?', outcome: 'not-in-documents' as const }] }
    const given = after(found1('when-needed', { p1: good, p2: good }), drafted(1), checked(1, absent))
    expect(after(given, gradedLate(1, 1, { p1: good, p2: bad })).run.reason).toBe('unanswered.not-in-documents')
    const again = after(given, gradedLate(1, 1, { p1: bad, p2: bad }))
    expect(openTask(again, 'research')).toMatchObject({ id: 'research.1.2', failed: { passageIds: ['p1', 'p2'] } })
    const more = after(again, ...triedWith('1.2', { p3: good }))
    expect(openTask(more, 'generate').id).toBe('generate.2')
    const same = after(again, found('1.2', ['p1', 'p2']))
    expect(same.run).toMatchObject({ status: 'unanswered', reason: 'unanswered.not-in-documents' })
  })

  it('a draft from nothing but irrelevant passages ends as it does if they are graded first', () => {
    const given = after(found1('when-needed', { p1: bad }, { maxRewrites: 0 }), drafted(1), ungrounded(1))
    const { run } = after(given, gradedLate(1, 1, { p1: bad }))
    expect(run).toMatchObject({ status: 'unanswered', reason: 'unanswered.all-irrelevant' })
  })

  it('siblings report in any order', () => {
    const two = after(
      asking({ ...standard, entry: 'plan' }),
      admitted,
      {
        taskId: 'plan',
        kind: 'plan',
        result: {
          outcome: 'planned',
          logic: 'l',
          steps: ['a', 'b'].map((question) => ({ question, waitsFor: null })),
        },
      },
      found('1.1', ['p1']),
      found('2.1', ['p2']),
      drafted(1),
      ungrounded(1),
    )
    expect(openIds(two)).toEqual(['grade-evidence.1.draft-1', 'grade-evidence.2.draft-1'])
    const reports = [gradedLate(1, 1, { p1: good }), gradedLate(2, 1, { p2: bad })] as const
    const [one, other] = [after(two, ...reports), after(two, ...reports.toReversed())]
    expect(openIds(one)).toEqual(['research.2.2'])
    expect(openIds(other)).toEqual(openIds(one))
  })

  it('are done without if their task is lost', () => {
    const waiting = after(found1('when-needed', { p1: good }), drafted(1), ungrounded(1))
    const { run } = movedBy(abandon(waiting.run, 'grade-evidence.1.draft-1', 'It crashed.', t0 + 9_000))
    expect(run.open.map(({ id }) => id)).toEqual(['generate.2'])
  })

  it('evidence that is found after a draft is graded at once', () => {
    const again = after(found1('when-needed', { p1: good }), drafted(1), ungrounded(1), gradedLate(1, 1, { p1: bad }))
    expect(openIds(after(again, found('1.2', ['p2'])))).toEqual(['grade-evidence.1.2'])
    expect(openIds(after(again, nothing('1.2')))).toEqual(['research.1.3'])
  })

  it('a run without a model, or without a check, grades first', () => {
    const first = (fields: Partial<Policy>, ask = {}) =>
      openIds(after(asking({ ...standard, ...fields }, ask), admitted, simple, found('1.1', ['p1'])))
    expect(first({}, { skills: 'offline' })).toEqual(['grade-evidence.1.1'])
    expect(first({ checkAnswer: 'off' })).toEqual(['grade-evidence.1.1'])
    expect(first({})).toEqual(['generate.1'])
  })

  it('is stored as `on` for workers of the version before, and `on` reads as `first`', () => {
    const { run } = asking(standard)
    expect(run).toMatchObject({ policy: { gradeEvidence: 'on' }, gradesWhenNeeded: true })
    expect(policyOf(run).gradeEvidence).toBe('when-needed')
    const stored = asking({ ...standard, gradeEvidence: 'on' })
    expect(stored.run.gradesWhenNeeded).toBeUndefined()
    expect(policyOf(stored.run).gradeEvidence).toBe('first')
    expect(openIds(after(stored, admitted, simple, found('1.1', ['p1'])))).toEqual(['grade-evidence.1.1'])
  })
})
