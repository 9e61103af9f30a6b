import type { Policy } from './policy'
import { skills, standard, strong } from './standard'

const oneSearch: Policy = {
  ...standard,
  releaseBySentence: 'off',
  plan: 'never',
  maxSteps: 1,
  queriesPerStep: 0,
  perQuery: 4,
  atLeast: 0,
  gradeEvidence: 'first',
}
const noRetries = { maxRewrites: 0, maxWebSearches: 0, maxRegenerations: 0, maxAugments: 0, maxShared: 0 }

export const auto: Policy = { ...standard, name: 'auto', depth: 'auto' }

export const simple: Policy = {
  ...oneSearch,
  name: 'simple',
  entry: 'research',
  gradeEvidence: 'off',
  whenPoor: 'go-on',
  gradeWeb: 'off',
  maxSentences: 5,
  whenUngrounded: 'regenerate',
  whenNotUseful: 'release',
  ...noRetries,
  maxMoves: 16,
  maxTokens: 60_000,
  maxCents: 20,
  deadlineMs: 2 * 60_000,
}

export const research: Policy = {
  ...standard,
  releaseBySentence: 'off',
  name: 'research',
  plan: 'always',
  perQuery: 2,
  atLeast: 0,
  gradeEvidence: 'off',
  whenPoor: 'go-on',
  gradeWeb: 'off',
  whenUngrounded: 'decide',
  whenNotUseful: 'release',
  ...noRetries,
  decider: 'asker',
  // The strong model routes and the small model checks, as in the system that this policy is modeled on.
  skills: { ...skills, route: strong, check: skills.route },
}

export const adaptive: Policy = {
  ...oneSearch,
  name: 'adaptive',
  routing: 'index-or-web',
  strictness: 'lenient',
  poorWhen: 'any-irrelevant',
  whenPoor: 'web',
  webQuery: 'question',
  gradeWeb: 'off',
  noWeb: 'decline',
  maxSentences: 3,
  whenUngrounded: 'regenerate',
  whenNotUseful: 'web',
  counters: 'shared',
  sharedFrom: 'draft',
  maxRewrites: 0,
  maxWebSearches: 3,
  maxRegenerations: 3,
  maxAugments: 0,
  maxShared: 3,
  whenSpent: 'mark',
  maxMoves: 32,
}

export const corrective: Policy = {
  ...oneSearch,
  name: 'corrective',
  entry: 'research',
  passLevel: 'medium',
  poorWhen: 'any-irrelevant',
  whenPoor: 'web',
  gradeWeb: 'off',
  noWeb: 'unanswered',
  refineEvidence: 'on',
  whenUngrounded: 'regenerate',
  whenNotUseful: 'release',
  maxRewrites: 0,
  maxWebSearches: 1,
  maxAugments: 0,
  maxShared: 2,
  maxMoves: 32,
}

export const selfReflective: Policy = {
  ...oneSearch,
  name: 'self-reflective',
  routing: 'retrieve-or-not',
  keepEvidence: 'replace',
  drafts: 'per-passage',
  generalKnowledge: 'mark',
  whenUngrounded: 'regenerate',
  maxWebSearches: 1,
  maxRegenerations: 2,
  maxAugments: 0,
  maxShared: 6,
  maxMoves: 40,
}

export const agentic: Policy = {
  ...standard,
  releaseBySentence: 'off',
  name: 'agentic',
  entry: 'plan',
  plan: 'always',
  queriesPerStep: 0,
  perQuery: 6,
  atLeast: 0,
  gradeEvidence: 'first',
  gradeAgainst: 'query',
  strictness: 'strict',
  passLevel: 'medium',
  minRelevant: 2,
  keepEvidence: 'replace',
  whenPoor: 'rewrite',
  gradeWeb: 'off',
  whenUngrounded: 'augment',
  whenNotUseful: 'release',
  counters: 'shared',
  maxWebSearches: 0,
  maxRegenerations: 0,
  maxAugments: 3,
  maxShared: 3,
  whenSpent: 'caveat',
}

export const selfRag: Policy = {
  ...oneSearch,
  name: 'self-rag',
  entry: 'research',
  strictness: 'lenient',
  minRelevant: 2,
  whenPoor: 'web',
  gradeWeb: 'off',
  noWeb: 'unanswered',
  whenUngrounded: 'regenerate',
  whenNotUseful: 'web',
  whenTooBroad: 'ask',
  counters: 'shared',
  sharedFrom: 'draft',
  maxRewrites: 0,
  // Three retries, plus one web search for poor evidence. That web search does not count as a retry.
  maxWebSearches: 4,
  maxRegenerations: 3,
  maxAugments: 0,
  maxShared: 3,
  maxMoves: 32,
}

export const policies: Record<string, Policy> = {
  standard,
  simple,
  auto,
  research,
  adaptive,
  corrective,
  'self-reflective': selfReflective,
  agentic,
  'self-rag': selfRag,
}

/** Ignores inherited properties such as `constructor`, which are not policies. */
export const policyByName = (name: string): Policy | undefined =>
  Object.hasOwn(policies, name) ? policies[name] : undefined
