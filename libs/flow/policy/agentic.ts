import type { WholePolicy } from './policy'
import { tiers } from './tiers'
import { day, minute } from './times'

/** Decomposes, grades each pass against its own query, rewrites and augments from one counter, and says what was tried where too little is found. */
export const agentic: WholePolicy = {
  name: 'agentic',

  entry: 'plan',
  routing: 'scope',
  plan: 'always',
  maxSteps: 12,
  depth: 'fixed',

  queriesPerStep: 0,
  perQuery: 6,
  atLeast: 0,
  gradeEvidence: 'on',
  gradeAgainst: 'query',
  strictness: 'strict',
  passLevel: 'medium',
  minRelevant: 2,
  poorWhen: 'too-few',
  keepEvidence: 'replace',
  whenPoor: 'rewrite',
  webQuery: 'rewritten',
  webResults: 3,
  gradeWeb: 'off',
  noWeb: 'go-on',
  whenFew: 'go-on',

  refineEvidence: 'off',
  drafts: 'one',
  maxSentences: 8,
  generalKnowledge: 'off',
  replies: 'own-words',
  checkAnswer: 'on',
  parkBelow: 1,
  whenUngrounded: 'augment',
  minUsefulness: 3,
  whenNotUseful: 'release',
  whenTooBroad: 'release',
  sensitiveSources: 2,

  counters: 'shared',
  sharedFrom: 'start',
  maxRewrites: 3,
  maxWebSearches: 0,
  maxRegenerations: 0,
  maxAugments: 3,
  maxShared: 3,
  whenSpent: 'caveat',

  decider: 'reviewer',
  parkMs: 3 * day,
  whenParkedTooLong: 'refuse',
  streamDrafts: 'off',
  lastRung: 'offline',

  maxMoves: 64,
  maxTokens: 400_000,
  maxCents: 200,
  deadlineMs: 10 * minute,

  skills: tiers,
}
