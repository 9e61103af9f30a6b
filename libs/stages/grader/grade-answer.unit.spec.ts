import { describe, expect, it } from 'vitest'
import type { Checked, Evidence, ModelCall, QuotedPlace } from '@plumbline/contracts'
import { noUsage } from '@plumbline/contracts'
import {
  admitted,
  after,
  asking,
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
} from '@plumbline/flow/spec/given.spec'
import type { Check } from '@plumbline/skills'
import { offlineSkills } from '@plumbline/skills/offline'
import { workOn } from '../work.spec'
import { gradeAnswer } from './grade-answer'

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
    const result = await gradeAnswer({ skills: offlineSkills })(draft('Mars has 2 moons, Phobos and Deimos [1].'))
    expect(result).toMatchObject({ outcome: 'graded', support: 'full', claims: [{ verdict: 'supported' }] })
    expect(result).not.toHaveProperty('usefulness')
  })

  it('finds a wrong number', async () => {
    const result = await gradeAnswer({ skills: offlineSkills })(draft('Mars has 4 moons [1].'))
    expect(result.support).toBe('none')
    expect(result.claims.every(({ verdict }) => verdict !== 'supported')).toBe(true)
  })

  it('shows the check the question, the steps as they were asked, and all that was read', async () => {
    const seen: unknown[] = []
    const check: Check = (input) => {
      seen.push(input)
      return Promise.resolve(well)
    }
    await gradeAnswer({ skills: { check } })(workOn(after(upTo('Moons of Mars?'), drafted(1)), 'grade-answer', [moons]))
    expect(seen).toEqual([
      {
        question,
        steps: ['Moons of Mars?'],
        text: 'Draft 1 [1].',
        citations: [{ n: 1, passageId: 'p1' }],
        evidence: [expect.objectContaining({ id: 'p1', text })],
      },
    ])
  })

  it('finds a summary never too broad', async () => {
    const broad: Check = () => Promise.resolve({ ...well, tooBroad: true })
    const toSumUp = routed({ outcome: 'summarise', logic: 'A summary.', collections: ['planets'], title: 'Mars' })
    const summed = after(asking({}, { question }), admitted, toSumUp, found('1.1', ['p1']), drafted(1))
    expect(await gradeAnswer({ skills: { check: broad } })(workOn(summed, 'grade-answer', [moons]))).toMatchObject({
      tooBroad: false,
    })
    expect(await gradeAnswer({ skills: { check: broad } })(draft('Two [1].'))).toMatchObject({ tooBroad: true })
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
      gradeAnswer({ skills: { check } })(workOn(checking(), 'grade-answer', [moons], seen))
    expect(await graded(instead('offline'))).toMatchObject({ outcome: 'graded', degraded: true })
    expect(await graded(instead('fallback'))).not.toHaveProperty('degraded')
    expect(await graded(instead())).not.toHaveProperty('degraded')
    expect(seen.calls).toHaveLength(3)
  })

  it('lets quotes stand that are in their passages word for word, without the check', async () => {
    const table = '| Moon | Diameter |\n|---|---|\n…\n| Deimos | 12 km |'
    const work = quoting(
      { n: 1, passageId: 'p1', text: 'Mars has 2 moons, Phobos and Deimos.', marks: [] },
      { n: 1, passageId: 'p1', text: table, marks: [] },
    )
    expect(await gradeAnswer({ skills: { check: untouched } })(work)).toEqual({
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
    await expect(gradeAnswer({ skills: { check: untouched } })(work)).rejects.toMatchObject({
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
      gradeAnswer({ skills: { check: untouched } })(workOn(given, 'grade-answer', [moons])),
    ).rejects.toMatchObject({ code: 'run.quote-altered' })
  })

  it('never grades a draft the run no longer has', async () => {
    const work = workOn(checking(), 'grade-answer', [moons])
    await expect(
      gradeAnswer({ skills: offlineSkills })({ ...work, run: { ...work.run, draft: undefined } }),
    ).rejects.toMatchObject({ code: 'run.draft-missing', retry: 'never' })
  })
})
