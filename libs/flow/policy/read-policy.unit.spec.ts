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

describe('a user’s own policy', () => {
  it('extends another and overrides its fields, and the settings of a skill one by one', () => {
    expect(read({ ...ours, maxRewrites: 0, skills: { answer: { temperature: 0.5 } } })).toEqual({
      ...standard,
      name: 'ours',
      maxRewrites: 0,
      skills: { ...standard.skills, answer: { tier: 'strong', temperature: 0.5 } },
    })
  })

  it('may extend one that was read before, or be a complete record', () => {
    const first = read(ours)
    expect(readPolicy({ name: 'second', extends: 'ours', maxSteps: 2 }, { ...policies, ours: first })).toMatchObject({
      name: 'second',
      maxSteps: 2,
    })
    expect(read({ ...standard, name: 'whole' })).toEqual({ ...standard, name: 'whole' })
  })

  it('lists every fault at once, with the allowed values', () => {
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
      'maxSteps: 40 is too large; use at most 12.',
      'minRelevant: -1 is too small; use at least 0.',
      'whenPoor: "retry" is not allowed; use one of go-on, rewrite, web, rewrite-then-web.',
      'maxSentences: 2.5 is not a whole number.',
      'parkMs: 0 is too small; use more than 0.',
      'skills.answer.tier: "big" is not allowed; use one of small, strong.',
      expect.stringMatching(/^skills\.sing: there is no such field. Use one of route, plan, /),
    ])
  })

  it('has no conditions and no unknown fields', () => {
    expect(faultsOf({ ...ours, whenPoor: { if: 'late', then: 'web' } })).toEqual([
      expect.stringContaining('use one of go-on'),
    ])
    expect(faultsOf({ ...ours, when: 'late', maxRewrite: 1 })).toEqual([
      expect.stringMatching(/^when, maxRewrite: there is no such field. Use one of extends, name, entry, /),
    ])
    expect(faultsOf({ ...ours, skills: { answer: { model: 'x' } } })).toEqual([
      'skills.answer.model: there is no such field. Use one of tier, temperature.',
    ])
    expect(faultsOf({ ...ours, skills: 5 })).toEqual(['skills: 5 is not a record of fields.'])
    expect(faultsOf(JSON.parse('{"name":"ours","extends":"standard","__proto__":{"maxSteps":1}}'))).toEqual([
      expect.stringMatching(/^__proto__: there is no such field/),
    ])
  })

  it('lists the missing fields if it extends nothing', () => {
    const faults = faultsOf({ name: 'ours' })
    expect(faults).toHaveLength(Object.keys(standard).length - 3)
    expect(faults).toContain('whenPoor is missing; use one of go-on, rewrite, web, rewrite-then-web.')
    expect(faults).toContain('maxRewrites is missing; give a number.')
  })

  it('says that the extended policy does not exist, without listing the missing fields', () =>
    expect(faultsOf({ name: 'ours', extends: 'nope', maxSteps: 40 })).toEqual([
      `extends: there is no policy "nope"; use one of ${Object.keys(policies).join(', ')}.`,
      'maxSteps: 40 is too large; use at most 12.',
    ]))

  it('needs a name of its own', () => {
    expect(faultsOf({ extends: 'standard' })).toEqual(['name is missing. Give the policy a name of its own, as text.'])
    expect(faultsOf({ name: 'standard', extends: 'standard' })).toEqual([
      'name: there is already a policy standard. Choose another name.',
    ])
    expect(faultsOf({ name: 'Our Own', extends: 'standard' })).toEqual([expect.stringContaining('lower-case letters')])
    expect(faultsOf('standard')).toEqual([expect.stringContaining('A policy is a record of fields')])
    expect(faultsOf(null)).toHaveLength(1)
    expect(faultsOf([])).toHaveLength(1)
  })

  it('needs the moves for a question without any retry', () => {
    const least = (extend: string, maxMoves: number) => faultsOf({ name: 'ours', extends: extend, maxMoves })
    expect([least('standard', 5), least('agentic', 5), least('simple', 3), least('adaptive', 5)]).toEqual([
      [],
      [],
      [],
      [],
    ])
    expect(least('standard', 4)).toEqual([
      'maxMoves: 4 is too low, because a question without any retry already needs 5 moves. Set at least 5.',
    ])
    expect([least('agentic', 4), least('simple', 2), least('adaptive', 4)].map((faults) => faults.length)).toEqual([
      1, 1, 1,
    ])
  })
})
