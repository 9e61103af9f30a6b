import { describe, expect, it } from 'vitest'
import { adaptive } from './adaptive'
import { lowered } from './lowered'
import { policies, policyNamed } from './policies'
import { held } from './held'
import { Policy, WholePolicy } from './policy'
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
    for (const policy of Object.values(policies)) expect(WholePolicy.parse(policy)).toEqual(policy)
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

  it('an asker may lower what shared counters have together', () => {
    expect(lowered(adaptive, { retries: 1 })).toEqual({ ...adaptive, maxShared: 1 })
    expect(lowered(adaptive, { retries: 9 })).toEqual(adaptive)
  })

  it('held, let nothing out that is weaker than parking, and are else what they were', () => {
    const weak = {
      checkAnswer: 'off',
      parkBelow: 0.5,
      whenSpent: 'mark',
      whenParkedTooLong: 'caveat',
      streamDrafts: 'on',
      generalKnowledge: 'mark',
      replies: 'own-words',
    } as const
    const strong = {
      checkAnswer: 'on',
      parkBelow: 1,
      whenSpent: 'park',
      whenParkedTooLong: 'refuse',
      streamDrafts: 'off',
      generalKnowledge: 'park',
      replies: 'fixed',
    } as const
    expect(held({ ...standard, ...weak })).toEqual({ ...standard, ...strong })
    expect(held({ ...standard, whenSpent: 'caveat' }).whenSpent).toBe('park')
    expect(held({ ...standard, whenSpent: 'fallback' }).whenSpent).toBe('fallback')
    expect(held(standard).generalKnowledge).toBe('off')
  })
})
