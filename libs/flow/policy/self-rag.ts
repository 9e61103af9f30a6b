import type { WholePolicy } from './policy'
import { tiers } from './tiers'
import { day, minute } from './times'

/** Two relevant passages or the web; written again until it is supported, searched again until it is useful; asks for a narrower question. */
export const selfRag: WholePolicy = {
  name: 'self-rag',

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
  strictness: 'lenient',
  passLevel: 'low',
  minRelevant: 2,
  poorWhen: 'too-few',
  keepEvidence: 'unite',
  whenPoor: 'web',
  webQuery: 'rewritten',
  webResults: 3,
  gradeWeb: 'off',
  noWeb: 'unanswered',
  whenFew: 'go-on',

  refineEvidence: 'off',
  drafts: 'one',
  maxSentences: 8,
  generalKnowledge: 'off',
  replies: 'own-words',
  checkAnswer: 'on',
  parkBelow: 1,
  whenUngrounded: 'regenerate',
  minUsefulness: 3,
  whenNotUseful: 'web',
  whenTooBroad: 'ask',
  sensitiveSources: 2,

  counters: 'shared',
  sharedFrom: 'start',
  maxRewrites: 0,
  maxWebSearches: 3,
  maxRegenerations: 3,
  maxAugments: 0,
  maxShared: 3,
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
