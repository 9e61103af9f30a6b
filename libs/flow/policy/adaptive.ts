import type { WholePolicy } from './policy'
import { tiers } from './tiers'
import { day, minute } from './times'

/** The documents for what they describe, the web for all else; one counter for every retry; then the last draft goes out, marked. */
export const adaptive: WholePolicy = {
  name: 'adaptive',

  entry: 'route',
  routing: 'index-or-web',
  plan: 'never',
  maxSteps: 1,
  depth: 'fixed',

  queriesPerStep: 0,
  perQuery: 4,
  atLeast: 0,
  gradeEvidence: 'on',
  gradeAgainst: 'step',
  strictness: 'lenient',
  passLevel: 'low',
  minRelevant: 1,
  poorWhen: 'any-irrelevant',
  keepEvidence: 'unite',
  whenPoor: 'web',
  webQuery: 'question',
  webResults: 3,
  gradeWeb: 'off',
  noWeb: 'decline',
  whenFew: 'go-on',

  refineEvidence: 'off',
  drafts: 'one',
  maxSentences: 3,
  generalKnowledge: 'off',
  replies: 'own-words',
  checkAnswer: 'on',
  parkBelow: 1,
  whenUngrounded: 'regenerate',
  minUsefulness: 3,
  whenNotUseful: 'web',
  whenTooBroad: 'release',
  sensitiveSources: 2,

  counters: 'shared',
  sharedFrom: 'draft',
  maxRewrites: 0,
  maxWebSearches: 3,
  maxRegenerations: 3,
  maxAugments: 0,
  maxShared: 3,
  whenSpent: 'mark',

  decider: 'reviewer',
  parkMs: 3 * day,
  whenParkedTooLong: 'refuse',
  streamDrafts: 'off',
  lastRung: 'offline',

  maxMoves: 32,
  maxTokens: 400_000,
  maxCents: 200,
  deadlineMs: 10 * minute,

  skills: tiers,
}
