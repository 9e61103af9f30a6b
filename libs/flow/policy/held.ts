import type { Policy } from './policy'

/** What is weaker than parking is for tenants whom the operator names; for all others the same run is held. */
export const held = (policy: Policy): Policy => ({
  ...policy,
  replies: 'fixed',
  checkAnswer: 'on',
  parkBelow: 1,
  whenSpent: policy.whenSpent === 'fallback' ? 'fallback' : 'park',
  whenParkedTooLong: 'refuse',
  streamDrafts: 'off',
  ...(policy.generalKnowledge === 'mark' && { generalKnowledge: 'park' as const }),
})
