import type { WholePolicy } from './policy'
import { tiers } from './tiers'
import { day, minute } from './times'

/** Decides whether to retrieve at all, then reflects on every step: is it relevant, is it supported, is it useful? If not, rewrites and retrieves again. */
export const selfReflective: WholePolicy = {
  name: 'self-reflective',

  entry: 'route',
  routing: 'retrieve-or-not',
  plan: 'never',
  maxSteps: 1,
  depth: 'fixed',

  queriesPerStep: 0,
  perQuery: 4,
  atLeast: 0,
  gradeEvidence: 'on',
  gradeAgainst: 'step',
  strictness: 'normal',
  passLevel: 'low',
  minRelevant: 1,
  poorWhen: 'too-few',
  keepEvidence: 'replace',
  whenPoor: 'rewrite-then-web',
  webQuery: 'rewritten',
  webResults: 3,
  gradeWeb: 'on',
  noWeb: 'go-on',
  whenFew: 'go-on',

  refineEvidence: 'off',
  drafts: 'per-passage',
  maxSentences: 8,
  generalKnowledge: 'mark',
  replies: 'own-words',
  checkAnswer: 'on',
  parkBelow: 1,
  whenUngrounded: 'regenerate',
  minUsefulness: 3,
  whenNotUseful: 'rewrite-then-web',
  whenTooBroad: 'release',
  sensitiveSources: 2,

  counters: 'separate',
  sharedFrom: 'start',
  maxRewrites: 3,
  maxWebSearches: 1,
  maxRegenerations: 2,
  maxAugments: 0,
  maxShared: 6,
  whenSpent: 'park',

  decider: 'reviewer',
  parkMs: 3 * day,
  whenParkedTooLong: 'refuse',
  streamDrafts: 'off',
  lastRung: 'offline',

  maxMoves: 40,
  maxTokens: 400_000,
  maxCents: 200,
  deadlineMs: 10 * minute,

  skills: tiers,
}
