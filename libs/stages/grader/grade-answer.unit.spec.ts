import { describe, expect, it } from 'vitest'
import type { Claim, Evidence, ModelCall } from '@plumbline/contracts'
import { noUsage } from '@plumbline/contracts'
import {
  after,
  checking,
  claim,
  drafted,
  found,
  good,
  graded,
  passage,
  planned,
  asking,
  admitted,
  toResearch,
} from '@plumbline/flow/spec/given.spec'
import type { Skills } from '@plumbline/skills'
import { offlineSkills } from '@plumbline/skills/offline'
import { workOn } from '../work.spec'
import { gradeAnswer } from './grade-answer'

const question = 'How many moons does Mars have?'
const moons: Evidence = { ...passage('p1'), title: 'Moons of Mars', text: 'Mars has 2 moons, Phobos and Deimos.' }
const draft = (text: string) =>
  workOn(
    after(
      asking({}, { question }),
      admitted,
      toResearch,
      planned(question),
      found('1.1', ['p1']),
      graded('1.1', { p1: good }),
      drafted(1, text),
    ),
    'grade-answer',
    [moons],
  )

const supportOf = async (...claims: Claim[]) =>
  (
    await gradeAnswer({ skills: { ...offlineSkills, checkClaims: () => Promise.resolve(claims) } })(
      workOn(checking(), 'grade-answer', [moons]),
    )
  ).support

describe('grade-answer', () => {
  it('finds a true draft supported', async () => {
    const result = await gradeAnswer({ skills: offlineSkills })(draft('Mars has 2 moons, Phobos and Deimos [1].'))
    expect(result).toMatchObject({ outcome: 'graded', support: 'full', parts: [{ outcome: 'answered' }] })
    expect(result.usefulness).toBeGreaterThanOrEqual(3)
  })

  it('finds a wrong number', async () => {
    const result = await gradeAnswer({ skills: offlineSkills })(draft('Mars has 4 moons [1].'))
    expect(result.support).toBe('none')
    expect(result.claims.every(({ verdict }) => verdict !== 'supported')).toBe(true)
  })

  it('counts support over every claim but style', async () => {
    expect(await supportOf(claim('supported'), claim('supported'))).toBe('full')
    expect(await supportOf(claim('supported'), claim('unsupported'))).toBe('partial')
    expect(await supportOf(claim('contradicted'))).toBe('none')
    expect(await supportOf(claim('supported'), claim('unsupported', { kind: 'style' }))).toBe('full')
    expect(await supportOf()).toBe('full')
  })

  it('says so where the offline rung checked instead of the checker, and tells every call on', async () => {
    const seen = { deltas: [], calls: [] as ModelCall[] }
    const instead =
      (insteadBy?: 'fallback' | 'offline'): Skills['checkClaims'] =>
      (_input, { onCall }) => {
        onCall?.({ skill: 'checkClaims', model: 'some', usage: noUsage, ...(insteadBy && { insteadBy }) })
        return Promise.resolve([claim('supported')])
      }
    const graded = (checkClaims: Skills['checkClaims']) =>
      gradeAnswer({ skills: { ...offlineSkills, checkClaims } })(workOn(checking(), 'grade-answer', [moons], seen))
    expect(await graded(instead('offline'))).toMatchObject({ outcome: 'graded', degraded: true })
    expect(await graded(instead('fallback'))).not.toHaveProperty('degraded')
    expect(await graded(instead())).not.toHaveProperty('degraded')
    expect(seen.calls).toHaveLength(3)
  })

  it('never grades a draft the run no longer has', async () => {
    const work = workOn(checking(), 'grade-answer', [moons])
    await expect(
      gradeAnswer({ skills: offlineSkills })({ ...work, run: { ...work.run, draft: undefined } }),
    ).rejects.toMatchObject({ code: 'run.draft-missing', retry: 'never' })
  })
})
