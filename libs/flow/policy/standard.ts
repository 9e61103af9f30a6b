import type { Policy } from './policy'

const minute = 60_000
const day = 24 * 60 * minute

/** The default: plan when complex, research in parallel, grade, rewrite with feedback, check every claim, hold what does not stand. */
export const standard: Policy = {
  name: 'standard',

  entry: 'route',
  plan: 'when-complex',
  maxSteps: 12,

  queriesPerStep: 2,
  gradeEvidence: 'on',
  strictness: 'normal',
  passLevel: 'low',
  minRelevant: 1,
  poorWhen: 'too-few',
  keepEvidence: 'unite',
  whenPoor: 'rewrite-then-web',
  webQuery: 'rewritten',
  gradeWeb: 'on',
  noWeb: 'go-on',
  whenNothing: 'generate',

  refineEvidence: 'off',
  maxSentences: 8,
  checkAnswer: 'on',
  parkBelow: 1,
  whenUngrounded: 'regenerate-then-augment',
  minUsefulness: 3,
  whenNotUseful: 'rewrite-then-web',
  whenTooBroad: 'release',

  counters: 'separate',
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

  // Twelve steps with every counter spent take 46; the rest is for what reviewers send back.
  maxMoves: 64,
  maxTokens: 400_000,
  maxCents: 200,
  deadlineMs: 10 * minute,

  skills: {
    route: { tier: 'small', temperature: 0 },
    plan: { tier: 'strong', temperature: 0 },
    writeQueries: { tier: 'small', temperature: 0.3 },
    rewriteQuery: { tier: 'small', temperature: 0.3 },
    gradeEvidence: { tier: 'small', temperature: 0 },
    refineEvidence: { tier: 'small', temperature: 0 },
    answer: { tier: 'strong', temperature: 0.2 },
    reply: { tier: 'small', temperature: 0.3 },
    checkClaims: { tier: 'strong', temperature: 0 },
    rateUsefulness: { tier: 'strong', temperature: 0 },
  },
}
