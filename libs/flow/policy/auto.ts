import type { WholePolicy } from './policy'
import { tiers } from './tiers'
import { day, minute } from './times'

/** As `standard`, as deep as the question, the deadline and the price allow: a try is opened only where what is left will do for it. */
export const auto: WholePolicy = {
  name: 'auto',

  entry: 'route',
  routing: 'scope',
  plan: 'when-complex',
  maxSteps: 12,
  depth: 'auto',

  queriesPerStep: 2,
  perQuery: 2,
  atLeast: 4,
  gradeEvidence: 'on',
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
  whenNothing: 'generate',
  whenFew: 'go-on',

  refineEvidence: 'off',
  drafts: 'one',
  maxSentences: 8,
  checkAnswer: 'on',
  parkBelow: 1,
  whenUngrounded: 'regenerate-then-augment',
  minUsefulness: 3,
  whenNotUseful: 'rewrite-then-web',
  whenTooBroad: 'release',
  sensitiveSources: 2,

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
  lastRung: 'offline',

  maxMoves: 64,
  maxTokens: 400_000,
  maxCents: 200,
  deadlineMs: 10 * minute,

  skills: tiers,
}
