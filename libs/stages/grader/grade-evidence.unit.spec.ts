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

const yes: Grade = { relevant: true, level: 'high', confidence: 1, reason: 'Yes.' }
const saying =
  (grades: Record<string, Partial<Grade>>): GradeEvidence =>
  ({ passages }) =>
    Promise.resolve(
      passages.map(({ id }) => ({ relevant: false, level: 'low', confidence: 1, reason: 'Said so.', ...grades[id] })),
    )
const overall = async (grades: Record<string, Partial<Grade>>, fields: Partial<Policy> = {}) =>
  (await gradeEvidence({ skills: { gradeEvidence: saying(grades) } })(grading(fields))).overall

describe('grade-evidence', () => {
  it.each(['step', 'query'] as const)(
    'grades all passages of its step in one call, against its %s',
    async (gradeAgainst) => {
      const asked: Parameters<GradeEvidence>[0][] = []
      const hearing: GradeEvidence = (input) => {
        asked.push(input)
        return Promise.resolve(input.passages.map(({ id }) => ({ ...yes, reason: id })))
      }
      const work = grading({ gradeAgainst, strictness: 'strict' }, ['p2', 'p1'])
      const { grades } = await gradeEvidence({ skills: { gradeEvidence: hearing } })(work)
      expect(asked).toMatchObject([
        { question, passages: [{ id: 'p2' }, { id: 'p1' }], strictness: 'strict', against: gradeAgainst },
      ])
      expect(grades.map(({ passageId, reason }) => [passageId, reason])).toEqual([
        ['p2', 'p2'],
        ['p1', 'p1'],
      ])
    },
  )

  it('marks what a later document of the evidence amends as outdated, whatever the grader says', async () => {
    const work = grading()
    const evidence = work.evidence.map((passage) =>
      passage.id === 'p1' ? { ...passage, date: '2019-01-01', amendedBy: 'd-p2' } : { ...passage, date: '2023-01-01' },
    )
    const { grades } = await gradeEvidence({ skills: { gradeEvidence: saying({ p1: yes, p2: yes }) } })({
      ...work,
      evidence,
    })
    expect(grades.map(({ outdated }) => outdated)).toEqual([true, undefined])
  })

  it('fails where its step is gone', async () => {
    const work = grading()
    const run = { ...work.run, steps: [] }
    await expect(gradeEvidence({ skills: offlineSkills })({ ...work, run })).rejects.toMatchObject({
      code: 'run.step-missing',
    })
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
