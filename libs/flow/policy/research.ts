import type { WholePolicy } from './policy'
import { strongRoute } from './tiers'
import { day, minute } from './times'

/** Plans, writes queries for every step at once, reads the best two passages of each, grades none; what is ungrounded is written again or ended by who asked. */
export const research: WholePolicy = {
  name: 'research',

  entry: 'route',
  routing: 'scope',
  plan: 'always',
  maxSteps: 12,
  depth: 'fixed',

  queriesPerStep: 2,
  perQuery: 2,
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
  maxSentences: 8,
  generalKnowledge: 'off',
  replies: 'own-words',
  checkAnswer: 'on',
  parkBelow: 1,
  whenUngrounded: 'decide',
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

  decider: 'asker',
  parkMs: 3 * day,
  whenParkedTooLong: 'refuse',
  streamDrafts: 'off',
  lastRung: 'offline',

  maxMoves: 64,
  maxTokens: 400_000,
  maxCents: 200,
  deadlineMs: 10 * minute,

  skills: strongRoute,
}
