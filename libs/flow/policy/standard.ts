import type { Policy } from './policy'

const minute = 60_000
const day = 24 * 60 * minute

const small = { tier: 'small', temperature: 0 } as const
export const strong = { tier: 'strong', temperature: 0 } as const

export const skills: Policy['skills'] = {
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

export const standard: Policy = {
  name: 'standard',

  entry: 'route',
  routing: 'scope',
  plan: 'when-complex',
  maxSteps: 12,
  depth: 'fixed',

  queriesPerStep: 2,
  perQuery: 3,
  atLeast: 8,
  neighbours: 0,
  gradeEvidence: 'when-needed',
  gradeAgainst: 'step',
  strictness: 'normal',
  passLevel: 'low',
  minRelevant: 1,
  poorWhen: 'too-few',
  keepEvidence: 'unite',
  whenPoor: 'rewrite-then-web',
  webQuery: 'rewritten',
  webResults: 3,
  gradeWeb: 'on',
  noWeb: 'go-on',
  whenFew: 'go-on',

  refineEvidence: 'off',
  drafts: 'one',
  maxSentences: 8,
  generalKnowledge: 'off',
  replies: 'own-words',
  checkAnswer: 'on',
  parkBelow: 1,
  whenUngrounded: 'regenerate-then-augment',
  minUsefulness: 3,
  whenNotUseful: 'rewrite-then-web',
  whenTooBroad: 'release',
  sensitiveSources: 2,

  counters: 'separate',
  sharedFrom: 'start',
  maxRewrites: 3,
  maxWebSearches: 2,
  maxRegenerations: 1,
  maxAugments: 1,
  maxShared: 7,
  whenSpent: 'park',

  decider: 'reviewer',
  parkMs: 3 * day,
  whenParkedTooLong: 'refuse',
  streamDrafts: 'off',
  releaseBySentence: 'on',
  lastRung: 'offline',

  // Twelve steps with every retry take 46 tasks. The remaining 18 tasks are for drafts that reviewers send back.
  maxMoves: 64,
  maxTokens: 400_000,
  maxCents: 200,
  deadlineMs: 10 * minute,

  skills,
}
