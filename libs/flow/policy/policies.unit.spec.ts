import { describe, expect, it } from 'vitest'
import { lowered } from './lowered'
import { policies, policyNamed } from './policies'
import { Policy, skillNames } from './policy'
import { standard } from './standard'

describe('policies', () => {
  it('are whole records that carry the name they are known by', () => {
    for (const [name, policy] of Object.entries(policies)) expect(Policy.parse(policy).name).toBe(name)
    expect(policyNamed('standard')).toBe(standard)
    expect(policyNamed('unknown')).toBeUndefined()
    expect(policyNamed('constructor')).toBeUndefined()
  })

  it('a standard run of twelve steps that spends every counter has moves left for a reviewer', () => {
    const { maxSteps, maxRewrites, maxWebSearches, maxRegenerations, maxAugments, maxMoves } = standard
    const all =
      2 + 2 * (maxSteps + maxRewrites + maxWebSearches + maxAugments) + 2 * (1 + maxRegenerations + maxAugments)
    expect(maxMoves - all).toBeGreaterThanOrEqual(10)
  })

  it('are whole, word by word: none leaves a field to what older runs meant', () => {
    for (const policy of Object.values(policies)) {
      const { whenNothing: _, ...fields } = Policy.shape
      expect(Object.keys(policy).sort()).toEqual(Object.keys(fields).sort())
      expect(Object.keys(policy.skills).sort()).toEqual([...skillNames].sort())
    }
  })

  it('ask small models to grade and plan, strong ones to rewrite, answer and check', () => {
    const at = (tier: 'small' | 'strong', temperature: number) => ({ tier, temperature })
    for (const policy of Object.values(policies)) {
      const { gradeEvidence, plan, rewriteQuery, answer, check } = policy.skills
      expect([gradeEvidence, plan, rewriteQuery, answer]).toEqual([
        at('small', 0),
        at('small', 0),
        at('strong', 0.3),
        at('strong', 0.1),
      ])
      expect(check).toEqual(at(policy.name === 'research' ? 'small' : 'strong', 0))
    }
  })

  it('have the moves for what they plan and for every counter, and some for a reviewer', () => {
    for (const {
      name,
      maxSteps,
      maxRewrites,
      maxWebSearches,
      maxRegenerations,
      maxAugments,
      counters,
      maxShared,
      maxMoves,
    } of Object.values(policies)) {
      const tries = counters === 'shared' ? maxShared : maxRewrites + maxWebSearches + maxRegenerations + maxAugments
      expect(maxMoves - (2 + 2 * maxSteps + 4 * tries + 2), name).toBeGreaterThanOrEqual(8)
    }
  })

  it('an asker may lower a limit and never raise one', () => {
    const limits = {
      rewrites: 1,
      webSearches: 0,
      regenerations: 0,
      augments: 0,
      steps: 2,
      moves: 20,
      tokens: 1_000,
      cents: 5,
    }
    expect(lowered(standard, limits)).toEqual({
      ...standard,
      maxRewrites: 1,
      maxWebSearches: 0,
      maxRegenerations: 0,
      maxAugments: 0,
      maxSteps: 2,
      maxMoves: 20,
      maxTokens: 1_000,
      maxCents: 5,
    })
    expect(lowered(standard, { rewrites: 99, steps: 12, moves: 9_999 })).toEqual(standard)
    expect(lowered(standard, {})).toEqual(standard)
  })
})
