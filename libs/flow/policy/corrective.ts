import type { WholePolicy } from './policy'
import { tiers } from './tiers'
import { day, minute } from './times'

/** Evidence that is not all correct is set right from the web and cut to the strips that bear on the question, before anything is written. */
export const corrective: WholePolicy = {
  name: 'corrective',

  entry: 'research',
  routing: 'scope',
  plan: 'never',
  maxSteps: 1,
  depth: 'fixed',

  queriesPerStep: 0,
  perQuery: 4,
  atLeast: 0,
  gradeEvidence: 'on',
  gradeAgainst: 'step',
  strictness: 'normal',
  passLevel: 'medium',
  minRelevant: 1,
  poorWhen: 'any-irrelevant',
  keepEvidence: 'unite',
  whenPoor: 'web',
  webQuery: 'rewritten',
  webResults: 3,
  gradeWeb: 'off',
  noWeb: 'unanswered',
  whenFew: 'go-on',

  refineEvidence: 'on',
  drafts: 'one',
  maxSentences: 8,
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
  maxWebSearches: 1,
  maxRegenerations: 1,
  maxAugments: 0,
  maxShared: 2,
  whenSpent: 'park',

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
