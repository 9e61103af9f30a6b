import { describe, expect, it } from 'vitest'
import { evidenceFor, whatFailed, withGrades } from './evidence'
import {
  admitted,
  after,
  asking,
  bad,
  checking,
  drafted,
  found,
  good,
  graded,
  openTask,
  passage,
  planned,
  routed,
  writing,
} from '../spec/given.spec'

describe('evidence for a task', () => {
  it('is nothing for those that read none', () => {
    const asked = asking()
    expect(evidenceFor(asked.run, openTask(asked, 'admit'))).toEqual([])
    const routing = after(asked, admitted)
    expect(evidenceFor(routing.run, openTask(routing, 'route'))).toEqual([])
    const replying = after(routing, routed({ outcome: 'reply', logic: '' }))
    expect(evidenceFor(replying.run, openTask(replying, 'reply'))).toEqual([])
    const planning = after(asking({ entry: 'plan' }), admitted)
    expect(evidenceFor(planning.run, openTask(planning, 'plan'))).toEqual([])
  })

  it('is what passed in any step, once, and what the draft cites', () => {
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

describe('what failed', () => {
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

  it('says that all that passed is outdated', () =>
    expect(failedAfter({ p1: stale, p2: bad })).toMatchObject({ passageIds: ['p2'], outdated: true }))

  it('does not where nothing passed', () =>
    expect(failedAfter({ p1: { ...bad, outdated: true } })).not.toHaveProperty('outdated'))

  it('asks for nothing newer where one that passed is not outdated', () => {
    const { run } = after(
      asking({ entry: 'research', whenPoor: 'rewrite-then-web' }),
      admitted,
      found('1.1', ['p1', 'p2']),
      graded('1.1', { p1: stale, p2: good }),
    )
    expect(whatFailed(run.policy, run.steps[0]!, 'The answer does not help.')).not.toHaveProperty('outdated')
  })
})

describe('with grades', () => {
  it('adds the scores and grades of the run; where steps differ, the row that passed speaks', () => {
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

  it('leaves an ungraded passage ungraded', () => {
    const { run } = writing({ gradeEvidence: 'on' })
    expect(withGrades(run, [passage('p1')])[0]?.grade).toEqual(good)
    const ungraded = after(asking({ entry: 'research', gradeEvidence: 'off' }), admitted, found('1.1', ['p1']))
    expect(withGrades(ungraded.run, [passage('p1')])[0]).not.toHaveProperty('grade')
    expect(checking().run.steps).toHaveLength(1)
  })
})
