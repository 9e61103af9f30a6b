import type { Policy } from './policy'
import { skills, standard, strong } from './standard'

/** No plan: the question itself is the one query of the one step. */
const oneSearch: Policy = { ...standard, plan: 'never', maxSteps: 1, queriesPerStep: 0, perQuery: 4, atLeast: 0 }
const noRetries = { maxRewrites: 0, maxWebSearches: 0, maxRegenerations: 0, maxAugments: 0, maxShared: 0 }

/** As deep as the question, the deadline and the price allow: a try is opened only where what is left will do for it. */
export const auto: Policy = { ...standard, name: 'auto', depth: 'auto' }

/** One pass: search, write, check. One call of a model before the check; what does not stand is held. */
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

/** Plans, writes queries for every step at once, reads the best two passages of each, grades none; what is ungrounded is written again or ended by who asked. */
export const research: Policy = {
  ...standard,
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
  // The source system routes with its strong model and checks with its small one.
  skills: { ...skills, route: strong, check: skills.route },
}

/** The documents for what they describe, the web for all else; one counter for every retry; then the last draft goes out, marked. */
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

/** Evidence that is not all correct is set right from the web and cut to the strips that bear on the question, before anything is written. */
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

/** Decides whether to retrieve at all, then reflects on every step: is it relevant, is it supported, is it useful? If not, rewrites and retrieves again. */
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

/** Decomposes, grades each pass against its own query, rewrites and augments from one counter, and says what was tried where too little is found. */
export const agentic: Policy = {
  ...standard,
  name: 'agentic',
  entry: 'plan',
  plan: 'always',
  queriesPerStep: 0,
  perQuery: 6,
  atLeast: 0,
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

/** Two relevant passages or the web; written again until it is supported, searched again until it is useful; asks for a narrower question. */
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
  // One for poor evidence, which is no retry, and three retries.
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

/** Own names only: `constructor` is no policy. */
export const policyNamed = (name: string): Policy | undefined =>
  Object.hasOwn(policies, name) ? policies[name] : undefined
