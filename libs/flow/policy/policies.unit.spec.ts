import { describe, expect, it } from 'vitest'
import { lowered } from './lowered'
import { policies, policyNamed } from './policies'
import { Policy } from './policy'
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
    const all = 2 + 2 * (maxSteps + maxRewrites + maxWebSearches + maxAugments) + 2 * (1 + maxRegenerations + maxAugments)
    expect(maxMoves - all).toBeGreaterThanOrEqual(10)
  })

  it('an asker may lower a limit and never raise one', () => {
    const limits = { rewrites: 1, webSearches: 0, regenerations: 0, augments: 0, steps: 2, moves: 20, tokens: 1_000, cents: 5 }
    expect(lowered(standard, limits)).toEqual({
      ...standard, maxRewrites: 1, maxWebSearches: 0, maxRegenerations: 0, maxAugments: 0, maxSteps: 2, maxMoves: 20, maxTokens: 1_000, maxCents: 5,
    })
    expect(lowered(standard, { rewrites: 99, steps: 12, moves: 9_999 })).toEqual(standard)
    expect(lowered(standard, {})).toEqual(standard)
  })
})
