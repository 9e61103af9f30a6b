import type { WholePolicy } from './policy'

const small = { tier: 'small', temperature: 0 } as const
const strong = { tier: 'strong', temperature: 0 } as const

/** What every preset asks of its models, unless it says otherwise. */
export const tiers: WholePolicy['skills'] = {
  route: small,
  plan: small,
  rewriteQuery: { tier: 'strong', temperature: 0.3 },
  gradeEvidence: small,
  refineEvidence: small,
  answer: { tier: 'strong', temperature: 0.1 },
  reply: { tier: 'small', temperature: 0.3 },
  check: strong,
  summarise: small,
  fillLookup: small,
}

/** A source system that routes with its strong model and checks with its small one. */
export const strongRoute = { ...tiers, route: strong, check: small }
