import type { Limits } from '@plumbline/contracts'
import type { Policy } from './policy'

const least = (own: number, asked: number | undefined): number => Math.min(own, asked ?? own)

/** An asker may ask for less than the policy allows, never for more. */
export const lowered = (policy: Policy, limits: Limits): Policy => ({
  ...policy,
  maxRewrites: least(policy.maxRewrites, limits.rewrites),
  maxWebSearches: least(policy.maxWebSearches, limits.webSearches),
  maxRegenerations: least(policy.maxRegenerations, limits.regenerations),
  maxAugments: least(policy.maxAugments, limits.augments),
  maxShared: least(policy.maxShared, limits.retries),
  maxSteps: least(policy.maxSteps, limits.steps),
  maxMoves: least(policy.maxMoves, limits.moves),
  maxTokens: least(policy.maxTokens, limits.tokens),
  maxCents: least(policy.maxCents, limits.cents),
})
