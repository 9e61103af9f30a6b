import type { WholePolicy } from './policy'
import { tiers } from './tiers'
import { day, minute } from './times'

/** One pass: search, write, check. One call of a model before the check; what does not stand is held. */
export const simple: WholePolicy = {
  name: 'simple',

  entry: 'research',
  routing: 'scope',
  plan: 'never',
  maxSteps: 1,
  depth: 'fixed',

  queriesPerStep: 0,
  perQuery: 4,
  atLeast: 0,
  gradeEvidence: 'off',
  gradeAgainst: 'step',
  strictness: 'normal',
  passLevel: 'low',
  minRelevant: 1,
  poorWhen: 'too-few',
  keepEvidence: 'unite',
  whenPoor: 'go-on',
  webQuery: 'rewritten',
  webResults: 3,
  gradeWeb: 'off',
  noWeb: 'go-on',
  whenFew: 'go-on',

  refineEvidence: 'off',
  drafts: 'one',
  maxSentences: 5,
  generalKnowledge: 'off',
  replies: 'own-words',
  checkAnswer: 'on',
  parkBelow: 1,
  whenUngrounded: 'regenerate',
  minUsefulness: 3,
  whenNotUseful: 'release',
  whenTooBroad: 'release',
  sensitiveSources: 2,

  counters: 'separate',
  sharedFrom: 'start',
  maxRewrites: 0,
  maxWebSearches: 0,
  maxRegenerations: 0,
  maxAugments: 0,
  maxShared: 0,
  whenSpent: 'park',

  decider: 'reviewer',
  parkMs: 3 * day,
  whenParkedTooLong: 'refuse',
  streamDrafts: 'off',
  lastRung: 'offline',

  maxMoves: 16,
  maxTokens: 60_000,
  maxCents: 20,
  deadlineMs: 2 * minute,

  skills: tiers,
}
