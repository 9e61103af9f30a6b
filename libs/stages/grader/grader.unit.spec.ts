import type { Checked, Evidence, Grade, ModelCall, QuotedPlace } from '@plumbline/contracts'
import { noUsage } from '@plumbline/contracts'
import type { Policy } from '@plumbline/flow'
import {
  admitted,
  after,
  asking,
  bad,
  checking,
  claim,
  drafted,
  found,
  good,
  graded,
  passage,
  planned,
  routed,
  toResearch,
} from '@plumbline/flow/spec/run-fixtures.spec'
import { offlineSkills } from '@plumbline/skills/offline'
import type { Check, GradeEvidence } from '@plumbline/skills/skill/skill'
import { describe, expect, it } from 'vitest'
import { catalog, workOn } from '../work.spec'
import { gradeAnswer } from './grade-answer'
import { gradeEvidence } from './grade-evidence'

const question = 'How many moons does Mars have?'
const text = `Mars has 2 moons, Phobos and Deimos.

| Moon | Diameter |
|---|---|
| Phobos | 22 km |
| Deimos | 12 km |`
const moons: Evidence = { ...passage('p1'), title: 'Moons of Mars', text }
const upTo = (step = question) =>
  after(
    asking({}, { question }),
    admitted,
    toResearch,
    planned(step),
    found('1.1', ['p1']),
    graded('1.1', { p1: good }),
  )
const draft = (text: string) => workOn(after(upTo(), drafted(1, text)), 'grade-answer', [moons])
const quoting = (...quotes: QuotedPlace[]) => {
  const generated = { taskId: 'generate.1', kind: 'generate' as const, result: { outcome: 'quoted' as const, quotes } }
  return workOn(after(upTo(), generated), 'grade-answer', [moons])
}
const untouched: Check = () => Promise.reject(new Error('The check was asked.'))
const well: Checked = { claims: [claim('supported')], parts: [], support: 'full', confidence: 0.9, tooBroad: false }

describe('grade-answer', () => {
  it('finds what is word for word in its passage supported, and rates nothing without a model', async () => {
    const result = await gradeAnswer({ catalog, skills: offlineSkills })(
      draft('Mars has 2 moons, Phobos and Deimos [1].'),
    )
    expect(result).toMatchObject({ outcome: 'graded', support: 'full', claims: [{ verdict: 'supported' }] })
    expect(result).not.toHaveProperty('usefulness')
  })

  it('finds a wrong number', async () => {
    const result = await gradeAnswer({ catalog, skills: offlineSkills })(draft('Mars has 4 moons [1].'))
    expect(result.support).toBe('none')
    expect(result.claims.every(({ verdict }) => verdict !== 'supported')).toBe(true)
  })

  it('shows the check the question, the steps as they were asked, and all that was read', async () => {
    const seen: unknown[] = []
    const check: Check = (input) => {
      seen.push(input)
      return Promise.resolve(well)
    }
    await gradeAnswer({ catalog, skills: { check } })(
      workOn(after(upTo('Moons of Mars?'), drafted(1)), 'grade-answer', [moons]),
    )
    expect(seen).toEqual([
      {
        question,
        steps: ['Moons of Mars?'],
        text: 'Draft 1 [1].',
        citations: [{ n: 1, passageId: 'p1' }],
        evidence: [expect.objectContaining({ id: 'p1', text })],
        numbers: ['p1'],
      },
    ])
  })

  it('finds a summary never too broad', async () => {
    const broad: Check = () => Promise.resolve({ ...well, tooBroad: true })
    const toSumUp = routed({ outcome: 'summarise', logic: 'A summary.', collections: ['planets'], title: 'Mars' })
    const summed = after(asking({}, { question }), admitted, toSumUp, found('1.1', ['p1']), drafted(1))
    expect(
      await gradeAnswer({ catalog, skills: { check: broad } })(workOn(summed, 'grade-answer', [moons])),
    ).toMatchObject({
      tooBroad: false,
    })
    expect(await gradeAnswer({ catalog, skills: { check: broad } })(draft('Two [1].'))).toMatchObject({
      tooBroad: true,
    })
  })

  it('offers headings of the passages that passed if the question is too broad', async () => {
    const broad: Check = () => Promise.resolve({ ...well, tooBroad: true, broadWhy: 'It leaves open which moon.' })
    const at = (id: string, ...headingPath: string[]) => ({ ...moons, id, headingPath })
    const read = [
      at('p1', 'Moons of Mars', '3.1 Phobos'),
      at('p2', 'Moons of Mars', 'Deimos'),
      at('p3', 'Moons of Mars', 'Soup'),
      at('p4', 'Moons of Mars', 'Health'),
    ]
    const given = after(
      asking({ gradeEvidence: 'first' }, { question }),
      admitted,
      toResearch,
      planned(question),
      found('1.1', ['p1', 'p2', 'p3', 'p4']),
      graded('1.1', { p1: good, p2: good, p3: bad, p4: { ...good, sensitive: true } }),
      drafted(1),
    )
    const grade = (evidence: Evidence[]) =>
      gradeAnswer({ catalog, skills: { check: broad } })(workOn(given, 'grade-answer', evidence))
    expect((await grade(read)).dimensions).toEqual(['Phobos', 'Deimos'])
    const other = { ...at('p2', 'Orbits'), title: 'Orbits', documentId: 'orbits' }
    expect((await grade([...read.slice(0, 1), other])).dimensions).toEqual(['Moons of Mars', 'Orbits', 'Phobos'])
  })

  it('numbers the passages in the order in which they were found, and describes several collections', async () => {
    const seen: Parameters<Check>[0][] = []
    const check: Check = (input) => Promise.resolve((seen.push(input), well))
    const given = after(upTo(), drafted(1))
    const two = after(
      asking({}, { question }),
      admitted,
      toResearch,
      planned(question),
      found('1.1', ['p2', 'p1']),
      graded('1.1', { p1: good, p2: good }),
      drafted(1),
    )
    const read = [moons, { ...moons, id: 'p2', collection: 'memory' }]
    await gradeAnswer({ catalog, skills: { check } })(workOn(two, 'grade-answer', read))
    expect(seen[0]?.evidence.map(({ id }) => id)).toEqual(['p2', 'p1'])
    expect(seen[0]?.numbers).toEqual(['p2', 'p1'])
    expect(seen[0]?.collections?.map(({ name }) => name)).toEqual(['planets', 'memory'])
    await gradeAnswer({ catalog, skills: { check } })(workOn(given, 'grade-answer', [moons]))
    expect(seen[1]).not.toHaveProperty('collections')
  })

  it('checks the sentence about the coverage of a summary by code', async () => {
    const toSumUp = routed({ outcome: 'summarise', logic: 'A summary.', collections: ['planets'], title: 'Mars' })
    const read = [0, 9].map((position) => ({ ...moons, id: `p${position}`, documentId: 'mars', position, scores: {} }))
    const toRead = found('1.1', [], { passages: read })
    const summing = after(asking({}, { question }), admitted, toSumUp, toRead)
    const graded = async (coverage: string, given: Checked = well) => {
      const seen: string[] = []
      const check: Check = ({ text: shown }) => Promise.resolve((seen.push(shown), given))
      const held = after(summing, drafted(1, `Draft 1 [1].\n\n${coverage}`))
      const { claims, text: left } = await gradeAnswer({ catalog, skills: { check } })(
        workOn(held, 'grade-answer', read),
      )
      expect(seen).toEqual(['Draft 1 [1].'])
      return { verdicts: claims.map(({ verdict }) => verdict), text: left }
    }
    const sentence = (count: number, all: number) =>
      `This summary is based on ${count} of the ${all} passages of the document.`
    expect(await graded(sentence(2, 10))).toEqual({ verdicts: ['supported', 'supported'], text: undefined })
    expect((await graded(sentence(3, 10))).verdicts).toEqual(['supported', 'unsupported'])
    expect((await graded(sentence(2, 3))).verdicts).toEqual(['supported', 'unsupported'])
    expect((await graded(sentence(2, 10), { ...well, text: 'Draft [1].' })).text).toBe(
      `Draft [1].\n\n${sentence(2, 10)}`,
    )
    expect((await graded(sentence(2, 10), { ...well, claims: [] })).verdicts).toEqual([])
  })

  it('says so where the offline rung checked instead of the checker, and tells every call on', async () => {
    const seen = { deltas: [], calls: [] as ModelCall[] }
    const instead =
      (insteadBy?: 'fallback' | 'offline'): Check =>
      (_input, { onCall }) => {
        onCall?.({ skill: 'check', model: 'some', usage: noUsage, ...(insteadBy && { insteadBy }) })
        return Promise.resolve(well)
      }
    const graded = (check: Check) =>
      gradeAnswer({ catalog, skills: { check } })(workOn(checking(), 'grade-answer', [moons], seen))
    expect(await graded(instead('offline'))).toMatchObject({ outcome: 'graded', degraded: true })
    expect(await graded(instead('fallback'))).not.toHaveProperty('degraded')
    expect(await graded(instead())).not.toHaveProperty('degraded')
    expect(seen.calls).toHaveLength(3)
  })

  it('accepts quotes that are in their passages word for word, without the check', async () => {
    const table = '| Moon | Diameter |\n|---|---|\n…\n| Deimos | 12 km |'
    const work = quoting(
      { n: 1, passageId: 'p1', text: 'Mars has 2 moons, Phobos and Deimos.', marks: [] },
      { n: 1, passageId: 'p1', text: table, marks: [] },
    )
    expect(await gradeAnswer({ catalog, skills: { check: untouched } })(work)).toEqual({
      outcome: 'graded',
      claims: [],
      parts: [],
      support: 'none',
      confidence: 1,
      tooBroad: false,
    })
  })

  it.each([
    ['was altered', 'p1', 'Mars has 3 moons, Phobos and Deimos.'],
    ['has a row too many', 'p1', '| Moon | Diameter |\n| Io | 3,643 km |'],
    ['is of no passage that was read', 'p9', 'Mars has 2 moons, Phobos and Deimos.'],
  ])('refuses a quote that %s', async (_, passageId, text) => {
    const work = quoting({ n: 1, passageId, text, marks: [] })
    await expect(gradeAnswer({ catalog, skills: { check: untouched } })(work)).rejects.toMatchObject({
      code: 'run.quote-altered',
      retry: 'never',
    })
  })

  it('refuses a written draft whose rows were altered', async () => {
    const result = {
      outcome: 'drafted' as const,
      text: 'Phobos is 22 km wide [1].',
      citations: [{ n: 1, passageId: 'p1' }],
      quotes: [{ n: 1, passageId: 'p1', text: '| Phobos | 23 km |', marks: [] }],
    }
    const given = after(upTo(), { taskId: 'generate.1', kind: 'generate' as const, result })
    await expect(
      gradeAnswer({ catalog, skills: { check: untouched } })(workOn(given, 'grade-answer', [moons])),
    ).rejects.toMatchObject({ code: 'run.quote-altered' })
  })

  it('never grades a draft the run no longer has', async () => {
    const work = workOn(checking(), 'grade-answer', [moons])
    await expect(
      gradeAnswer({ catalog, skills: offlineSkills })({ ...work, run: { ...work.run, draft: undefined } }),
    ).rejects.toMatchObject({ code: 'run.draft-missing', retry: 'never' })
  })
})

const moonsPassage: Evidence = {
  ...passage('p1'),
  title: 'Moons of Mars',
  text: 'Mars has two moons, Phobos and Deimos.',
}
const soup: Evidence = { ...passage('p2'), title: 'Soups', text: 'A soup of lentils needs onions and salt.' }
const grading = (fields: Partial<Policy> = {}, ids = ['p1', 'p2']) =>
  workOn(
    after(asking(fields, { question }), admitted, toResearch, planned(question), found('1.1', ids)),
    'grade-evidence',
    [moonsPassage, soup],
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
