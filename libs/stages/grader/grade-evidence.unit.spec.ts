import { describe, expect, it } from 'vitest'
import type { Evidence, Grade } from '@plumbline/contracts'
import type { Policy } from '@plumbline/flow'
import { admitted, after, asking, found, passage, planned, toResearch } from '@plumbline/flow/spec/given.spec'
import type { GradeEvidence } from '@plumbline/skills'
import { offlineSkills } from '@plumbline/skills/offline'
import { workOn } from '../work.spec'
import { gradeEvidence } from './grade-evidence'

const question = 'How many moons does Mars have?'
const moons: Evidence = { ...passage('p1'), title: 'Moons of Mars', text: 'Mars has two moons, Phobos and Deimos.' }
const soup: Evidence = { ...passage('p2'), title: 'Soups', text: 'A soup of lentils needs onions and salt.' }
const grading = (fields: Partial<Policy> = {}, ids = ['p1', 'p2']) =>
  workOn(
    after(asking(fields, { question }), admitted, toResearch, planned(question), found('1.1', ids)),
    'grade-evidence',
    [moons, soup],
  )

const saying =
  (grades: Record<string, Partial<Grade>>): GradeEvidence =>
  ({ passage }) =>
    Promise.resolve({ relevant: false, level: 'low', confidence: 1, reason: 'Said so.', ...grades[passage.id] })
const overall = async (grades: Record<string, Partial<Grade>>, fields: Partial<Policy> = {}) =>
  (await gradeEvidence({ skills: { gradeEvidence: saying(grades) } })(grading(fields))).overall

describe('grade-evidence', () => {
  it('grades every passage against its step', async () => {
    const { grades, overall: all } = await gradeEvidence({ skills: offlineSkills })(grading())
    expect(grades.map(({ passageId, relevant }) => [passageId, relevant])).toEqual([
      ['p1', true],
      ['p2', false],
    ])
    expect(all).toBe('correct')
  })

  it('grades against the query that found a passage where the policy says so', async () => {
    const asked: string[] = []
    const hearing: GradeEvidence = (input) => {
      asked.push(input.question)
      return Promise.resolve({ relevant: true, level: 'high', confidence: 1, reason: 'Yes.' })
    }
    const work = grading({ gradeAgainst: 'query' })
    const evidence = work.evidence.map((passage) =>
      passage.id === 'p1' ? { ...passage, query: 'moons of the fourth planet' } : passage,
    )
    await gradeEvidence({ skills: { gradeEvidence: hearing } })({ ...work, evidence })
    expect(asked).toEqual(['moons of the fourth planet', question])
  })

  it('has all passages in hand at once', async () => {
    let [now, most] = [0, 0]
    const slow: GradeEvidence = async () => {
      now += 1
      most = Math.max(most, now)
      await Promise.resolve()
      now -= 1
      return { relevant: true, level: 'high', confidence: 1, reason: 'Yes.' }
    }
    await gradeEvidence({ skills: { gradeEvidence: slow } })(grading())
    expect(most).toBe(2)
  })

  it('sums up by what the policy lets pass', async () => {
    expect(await overall({})).toBe('incorrect')
    expect(await overall({ p1: { relevant: true, level: 'high' } })).toBe('correct')
    expect(await overall({ p1: { relevant: true, level: 'low' } }, { passLevel: 'medium' })).toBe('ambiguous')
    expect(await overall({ p1: { relevant: true, level: 'high' } }, { minRelevant: 2 })).toBe('ambiguous')
    expect(
      await overall({ p1: { relevant: true }, p2: { relevant: true } }, { minRelevant: 2, passLevel: 'low' }),
    ).toBe('correct')
  })
})
