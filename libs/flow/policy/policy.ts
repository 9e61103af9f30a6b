import type { Limits } from '@plumbline/contracts'
import { z } from 'zod'

const SkillSetting = z.strictObject({ tier: z.enum(['small', 'strong']), temperature: z.number().min(0).max(2) })

const SkillSettings = z.strictObject({
  route: SkillSetting,
  plan: SkillSetting,
  rewriteQuery: SkillSetting,
  gradeEvidence: SkillSetting,
  refineEvidence: SkillSetting,
  answer: SkillSetting,
  reply: SkillSetting,
  check: SkillSetting,
  summarise: SkillSetting,
  fillLookup: SkillSetting,
})
export type SkillName = keyof z.infer<typeof SkillSettings>
export const skillNames: readonly SkillName[] = SkillSettings.keyof().options

const onOff = z.enum(['on', 'off'])
const count = z.number().int().min(0)

export const Policy = z.strictObject({
  name: z.string(),

  entry: z.enum(['route', 'plan', 'research']),
  routing: z.enum(['scope', 'index-or-web', 'retrieve-or-not']),
  plan: z.enum(['never', 'when-complex', 'always']),
  maxSteps: z.number().int().min(1).max(12),
  /** `auto`: a retry opens only if the remaining time and money are enough for the retry. */
  depth: z.enum(['fixed', 'auto']),

  queriesPerStep: z.number().int().min(0).max(4),
  /** The number of passages per query. If the total is below `atLeast`, the next best passages are added. */
  perQuery: z.number().int().min(1).max(20),
  atLeast: z.number().int().min(0).max(20),
  /** The number of neighbours on each side that are joined to a found passage. A collection may set another number. */
  neighbours: z.number().int().min(0).max(3).optional(),
  /** Passages are graded before the draft (`first`, formerly `on`), or after a check rejects one (`when-needed`). */
  gradeEvidence: z.enum(['first', 'when-needed', 'off', 'on']),
  /** A passage is graded against the question of its step (`step`), or against the query that found it (`query`). */
  gradeAgainst: z.enum(['step', 'query']),
  strictness: z.enum(['lenient', 'normal', 'strict']),
  passLevel: z.enum(['high', 'medium', 'low']),
  minRelevant: count,
  /** `any-irrelevant`: one irrelevant passage makes a step's evidence poor. */
  poorWhen: z.enum(['too-few', 'any-irrelevant']),
  /** `replace`: a retry drops the passages that failed their grading. */
  keepEvidence: z.enum(['unite', 'replace']),
  whenPoor: z.enum(['go-on', 'rewrite', 'web', 'rewrite-then-web']),
  webQuery: z.enum(['question', 'rewritten']),
  webResults: z.number().int().min(1).max(20),
  gradeWeb: onOff,
  /** How a run continues if it needs a web search while web search is off. */
  noWeb: z.enum(['go-on', 'decline', 'unanswered']),
  /** How a run continues if it has fewer than `minRelevant` usable passages. */
  whenFew: z.enum(['go-on', 'fallback']),

  refineEvidence: onOff,
  drafts: z.enum(['one', 'per-passage']),
  maxSentences: z.number().int().min(1),
  /**
   * How a question about common knowledge is treated. `off`: the documents are searched. `mark`: a model answers, and a
   * caveat is added. `park`: a model answers, and the answer is held for review.
   */
  generalKnowledge: z.enum(['off', 'mark', 'park']),
  /** `own-words`: a model may write the replies to small talk and the clarifying questions in its own words. */
  replies: z.enum(['own-words', 'fixed']),
  checkAnswer: onOff,
  parkBelow: z.number().min(0).max(1),
  whenUngrounded: z.enum(['regenerate', 'augment', 'regenerate-then-augment', 'decide']),
  minUsefulness: z.number().int().min(1).max(5),
  whenNotUseful: z.enum(['release', 'rewrite', 'web', 'rewrite-then-web']),
  whenTooBroad: z.enum(['release', 'ask']),
  /** The minimum number of documents that a draft with sensitive evidence must cite. */
  sensitiveSources: count,

  counters: z.enum(['separate', 'shared']),
  /** `start`: retries before the first draft count toward the shared limit. `draft`: they do not. */
  sharedFrom: z.enum(['start', 'draft']),
  maxRewrites: count,
  maxWebSearches: count,
  maxRegenerations: count,
  maxAugments: count,
  /** The maximum number of retries of all kinds together. It applies only if `counters` is `shared`. */
  maxShared: count,
  whenSpent: z.enum(['park', 'caveat', 'fallback', 'mark']),

  decider: z.enum(['reviewer', 'asker']),
  parkMs: z.number().int().positive(),
  whenParkedTooLong: z.enum(['refuse', 'caveat']),
  streamDrafts: onOff,
  /** `on`: each part of the answer is released as soon as it is checked. Defaults to off. */
  releaseBySentence: onOff.optional(),
  /** If no model provider is available: `offline` uses the skills that need no model, and `none` lets the run wait. */
  lastRung: z.enum(['offline', 'none']),

  maxMoves: z.number().int().positive(),
  maxTokens: count,
  maxCents: z.number().min(0),
  deadlineMs: z.number().int().positive(),

  skills: SkillSettings,
})
export type Policy = z.infer<typeof Policy>

export type GradeEvidence = 'first' | 'when-needed' | 'off'

export const gradingOf = ({ gradeEvidence }: Policy): GradeEvidence =>
  gradeEvidence === 'on' ? 'first' : gradeEvidence

export const tryMoves = ({ gradeEvidence }: Policy): number => (gradeEvidence === 'off' ? 1 : 2)
export const draftMoves = ({ checkAnswer }: Policy): number => (checkAnswer === 'on' ? 2 : 1)

export const movesWithoutRetry = (policy: Policy): number => {
  const planned = policy.entry === 'plan' || (policy.entry === 'route' && policy.plan !== 'never')
  const graded =
    gradingOf(policy) === 'first' || (policy.gradeEvidence === 'when-needed' && policy.checkAnswer === 'off')
  return (policy.entry === 'route' ? 1 : 0) + (planned ? 1 : 0) + (graded ? 2 : 1) + draftMoves(policy)
}

export const heldPolicy = (policy: Policy): Policy => ({
  ...policy,
  replies: 'fixed',
  checkAnswer: 'on',
  parkBelow: 1,
  whenSpent: policy.whenSpent === 'fallback' ? 'fallback' : 'park',
  whenParkedTooLong: 'refuse',
  streamDrafts: 'off',
  ...(policy.generalKnowledge === 'mark' && { generalKnowledge: 'park' as const }),
})

const least = (own: number, asked: number | undefined): number => Math.min(own, asked ?? own)

/** The asker's limits can lower a limit of the policy but never raise it. */
export const withLimits = (policy: Policy, limits: Limits): Policy => ({
  ...policy,
  maxRewrites: least(policy.maxRewrites, limits.rewrites),
  maxWebSearches: least(policy.maxWebSearches, limits.webSearches),
  maxRegenerations: least(policy.maxRegenerations, limits.regenerations),
  maxAugments: least(policy.maxAugments, limits.augments),
  maxShared: least(policy.maxShared, limits.retries),
  maxSteps: least(policy.maxSteps, limits.steps),
  maxMoves: least(policy.maxMoves, limits.moves),
  maxTokens: least(policy.maxTokens, limits.tokens),
  maxCents: least(policy.maxCents, limits.cents),
})
