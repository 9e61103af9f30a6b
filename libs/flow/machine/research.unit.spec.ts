import { describe, expect, it } from 'vitest'
import type { Policy } from '../policy/policy'
import {
  admitted,
  after,
  asking,
  bad,
  found,
  good,
  graded,
  nothing,
  openIds,
  openTask,
  passage,
} from '../spec/run-fixtures.spec'
import { evidenceFor } from './evidence'
import type { StartAsk } from './start'

const researching = (fields: Partial<Policy> = {}, ask: Partial<StartAsk> = {}) =>
  after(asking({ entry: 'research', ...fields }, ask), admitted)

describe('research', () => {
  it('found: stores rows in the run, passes the passages on, and opens their grading', () => {
    const given = after(
      researching(),
      found('1.1', ['p1', 'p2'], {
        strategy: 'rephrase-intent',
        reason: 'Another word.',
        degraded: ['reranker'],
        cached: 1,
      }),
    )
    expect(given.run.steps[0]?.degraded).toEqual(['reranker'])
    expect(given.evidence).toEqual([passage('p1'), passage('p2')])
    expect(given.run.steps[0]).toMatchObject({
      queries: ['query 1.1'],
      strategies: ['rephrase-intent'],
      evidence: [{ id: 'p1', documentId: 'd-p1', title: 'Title p1', scores: { fused: 0.5 } }, { id: 'p2' }],
    })
    expect(given.run.steps[0]?.evidence[0]).not.toHaveProperty('text')
    expect(openTask(given, 'grade-evidence')).toMatchObject({
      id: 'grade-evidence.1.1',
      step: 1,
      try: 1,
      passageIds: ['p1', 'p2'],
    })
    expect(evidenceFor(given.run, openTask(given, 'grade-evidence'))).toEqual(['p1', 'p2'])
    expect(given.events.slice(-2)).toMatchObject([
      { type: 'researched', audience: 'asker', step: 1, try: 1, source: 'index', found: 2 },
      {
        type: 'queried',
        audience: 'desk',
        queries: ['query 1.1'],
        strategy: 'rephrase-intent',
        reason: 'Another word.',
        degraded: ['reranker'],
        cached: 1,
        passages: [{ id: 'p1' }, { id: 'p2' }],
      },
    ])
  })

  it('nothing: shows the researcher’s note to the asker', () => {
    const { events } = after(researching({ whenPoor: 'go-on' }), nothing('1.1', { note: 'Nothing is there.' }))
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'noted', audience: 'asker', note: 'Nothing is there.' }),
    )
  })

  it('found: opens no grading if the policy grades nothing', () => {
    expect(openIds(after(researching({ gradeEvidence: 'off' }), found('1.1', ['p1'])))).toEqual(['generate.1'])
  })

  it('grades web passages only if the policy says so', () => {
    const poor = (gradeWeb: Policy['gradeWeb']) =>
      after(
        researching({ whenPoor: 'web', gradeWeb }, { webOn: true }),
        nothing('1.1'),
        found('1.2', ['w1'], { source: 'web' }),
      )
    expect(openIds(poor('on'))).toEqual(['grade-evidence.1.2'])
    expect(openIds(poor('off'))).toEqual(['generate.1'])
  })

  it('stores a passage that one report holds twice only once, and grades it once', () => {
    expect(openTask(after(researching(), found('1.1', ['p1', 'p1'])), 'grade-evidence').passageIds).toEqual(['p1'])
  })

  it('is stale for a step that the run does not have', () => {
    const given = researching()
    const lost = { ...given.run, steps: [] }
    expect(() => after({ ...given, run: lost }, found('1.1', ['p1']))).toThrow('stale')
    const grading = after(given, found('1.1', ['p1']))
    expect(() => after({ ...grading, run: { ...grading.run, steps: [] } }, graded('1.1', {}))).toThrow('stale')
  })
})

describe('grade-evidence', () => {
  it('stores the grades with the rows and reports how many passed', () => {
    const given = after(researching(), found('1.1', ['p1', 'p2']), graded('1.1', { p1: good, p2: bad }, 'ambiguous'))
    expect(given.run.steps[0]?.evidence).toMatchObject([
      { id: 'p1', grade: good },
      { id: 'p2', grade: bad },
    ])
    expect(given.events.find(({ type }) => type === 'evidence-graded')).toMatchObject({
      audience: 'desk',
      overall: 'ambiguous',
      relevant: 1,
    })
    expect(evidenceFor(given.run, openTask(given, 'generate'))).toEqual(['p1'])
  })

  it('accepts a relevant passage only from the policy’s level', () => {
    const medium = { ...good, level: 'medium' } as const
    const at = (passLevel: Policy['passLevel']) =>
      openIds(
        after(researching({ passLevel, whenPoor: 'rewrite' }), found('1.1', ['p1']), graded('1.1', { p1: medium })),
      )
    expect(at('low')).toEqual(['generate.1'])
    expect(at('medium')).toEqual(['generate.1'])
    expect(at('high')).toEqual(['research.1.2'])
  })
})
