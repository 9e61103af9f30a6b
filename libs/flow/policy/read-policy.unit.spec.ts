import { describe, expect, it } from 'vitest'
import { policies } from './presets'
import { readPolicy, WrongPolicy } from './read-policy'
import { standard } from './standard'

const read = (record: unknown) => readPolicy(record, policies)
const faultsOf = (record: unknown): string[] => {
  try {
    read(record)
  } catch (error) {
    if (error instanceof WrongPolicy) return error.faults
    throw error
  }
  return []
}
const ours = { name: 'ours', extends: 'standard' }

describe('a policy of the user’s own', () => {
  it('extends another and overrides its fields, the settings of a skill one by one', () => {
    expect(read({ ...ours, maxRewrites: 0, skills: { answer: { temperature: 0.5 } } })).toEqual({
      ...standard,
      name: 'ours',
      maxRewrites: 0,
      skills: { ...standard.skills, answer: { tier: 'strong', temperature: 0.5 } },
    })
  })

  it('may extend one that was read before, or be a whole record of its own', () => {
    const first = read(ours)
    expect(readPolicy({ name: 'second', extends: 'ours', maxSteps: 2 }, { ...policies, ours: first })).toMatchObject({
      name: 'second',
      maxSteps: 2,
    })
    expect(read({ ...standard, name: 'whole' })).toEqual({ ...standard, name: 'whole' })
  })

  it('tells every fault at once, with what is allowed', () => {
    expect(
      faultsOf({
        ...ours,
        whenPoor: 'retry',
        maxSteps: 40,
        parkMs: 0,
        maxSentences: 2.5,
        minRelevant: -1,
        skills: { answer: { tier: 'big' }, sing: {} },
      }),
    ).toEqual([
      'maxSteps: 40 is too much; at most 12.',
      'minRelevant: -1 is too little; at least 0.',
      'whenPoor: "retry" is not allowed; use one of go-on, rewrite, web, rewrite-then-web.',
      'maxSentences: 2.5 is no whole number.',
      'parkMs: 0 is too little; more than 0.',
      'skills.answer.tier: "big" is not allowed; use one of small, strong.',
      expect.stringMatching(/^skills\.sing: no such field; there are route, plan, /),
    ])
  })

  it('has no conditions in it, and no field that there is not', () => {
    expect(faultsOf({ ...ours, whenPoor: { if: 'late', then: 'web' } })).toEqual([
      expect.stringContaining('use one of go-on'),
    ])
    expect(faultsOf({ ...ours, when: 'late', maxRewrite: 1 })).toEqual([
      expect.stringMatching(/^when, maxRewrite: no such field; there are extends, name, entry, /),
    ])
    expect(faultsOf({ ...ours, skills: { answer: { model: 'x' } } })).toEqual([
      'skills.answer.model: no such field; there are tier, temperature.',
    ])
    expect(faultsOf({ ...ours, skills: 5 })).toEqual(['skills: 5 is no record of fields.'])
    expect(faultsOf(JSON.parse('{"name":"ours","extends":"standard","__proto__":{"maxSteps":1}}'))).toEqual([
      expect.stringMatching(/^__proto__: no such field/),
    ])
  })

  it('says what is missing where it extends nothing', () => {
    const faults = faultsOf({ name: 'ours' })
    expect(faults).toHaveLength(Object.keys(standard).length - 2)
    expect(faults).toContain('whenPoor is missing; use one of go-on, rewrite, web, rewrite-then-web.')
    expect(faults).toContain('maxRewrites is missing; give a number.')
  })

  it('says that the policy it extends is not there, and not what is missing for that', () =>
    expect(faultsOf({ name: 'ours', extends: 'nope', maxSteps: 40 })).toEqual([
      `extends: there is no policy "nope"; use one of ${Object.keys(policies).join(', ')}.`,
      'maxSteps: 40 is too much; at most 12.',
    ]))

  it('has a name of its own', () => {
    expect(faultsOf({ extends: 'standard' })).toEqual(['name is missing: give the policy a name of its own, as text.'])
    expect(faultsOf({ name: 'standard', extends: 'standard' })).toEqual([
      'name: there is a policy standard already; take another name.',
    ])
    expect(faultsOf({ name: 'Our Own', extends: 'standard' })).toEqual([expect.stringContaining('lower-case letters')])
    expect(faultsOf('standard')).toEqual([expect.stringContaining('A policy is a record of fields')])
    expect(faultsOf(null)).toHaveLength(1)
    expect(faultsOf([])).toHaveLength(1)
  })

  it('has the moves for a question for which nothing is tried twice', () => {
    const least = (extend: string, maxMoves: number) => faultsOf({ name: 'ours', extends: extend, maxMoves })
    expect([least('standard', 6), least('agentic', 5), least('simple', 3), least('adaptive', 5)]).toEqual([
      [],
      [],
      [],
      [],
    ])
    expect(least('standard', 5)).toEqual([
      'maxMoves: 5 is too little; a question for which nothing is tried twice takes 6.',
    ])
    expect([least('agentic', 4), least('simple', 2), least('adaptive', 4)].map((faults) => faults.length)).toEqual([
      1, 1, 1,
    ])
  })
})
