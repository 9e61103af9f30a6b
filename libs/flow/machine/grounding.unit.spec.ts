import { describe, expect, it } from 'vitest'
import type { Claim } from '@plumbline/contracts'
import type { Grading } from '../map/run'
import { claim, policy } from '../spec/given.spec'
import { fell, groundingScore, isGrounded, isInConflict, stood } from './grounding'

const grading = (...claims: Claim[]): Grading => ({
  draft: 1,
  score: groundingScore({ claims }),
  claims,
  parts: [],
  support: 'full',
  confidence: 1,
  tooBroad: false,
})

describe('grounding score', () => {
  it('is the share of all claims that are supported: none is exempt', () => {
    const claims = [claim('supported'), claim('supported'), claim('unsupported'), claim('contradicted')]
    expect(groundingScore({ claims })).toBe(0.5)
    expect(groundingScore({ claims: [claim('supported'), claim('unsupported', { kind: 'style' })] })).toBe(0.5)
  })

  it('is nothing without a claim, and nothing stands then, whatever the policy lets through', () => {
    expect(groundingScore({ claims: [] })).toBe(0)
    expect(isGrounded(policy({ parkBelow: 0 }), grading())).toBe(false)
    expect(isGrounded(policy({ parkBelow: 0 }), grading(claim('unsupported')))).toBe(true)
  })
})

describe('documents that disagree', () => {
  const one = claim('supported', { text: '400 t.', passageId: 'p1', conflictsWith: 'p2' })

  it('a value stands only beside the other one', () => {
    const other = claim('supported', { text: '520 t in the other.', passageId: 'p2', conflictsWith: 'p1' })
    expect(isInConflict(grading(one))).toBe(true)
    expect(isGrounded(policy(), grading(one))).toBe(false)
    expect(isInConflict(grading(one, other))).toBe(false)
    expect(isGrounded(policy(), grading(one, other))).toBe(true)
  })

  it('a claim that does not stand tells nothing', () => {
    const guessed = claim('unsupported', { passageId: 'p2' })
    expect(isInConflict(grading(one, guessed))).toBe(true)
    expect([stood(grading(one, guessed)), fell(grading(one, guessed))]).toEqual([[], [one, guessed]])
  })
})
