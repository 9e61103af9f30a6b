import type { Limits } from '@plumbline/contracts'
import { z } from 'zod'

const SkillSetting = z.strictObject({ tier: z.enum(['small', 'strong']), temperature: z.number().min(0).max(2) })

/** The model tier and the temperature of each skill. */
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

/** The settings that decide how a run continues: a flat record without conditions or transitions. */
export const Policy = z.strictObject({
  name: z.string(),

  entry: z.enum(['route', 'plan', 'research']),
  /** The decision that the router makes. */
  routing: z.enum(['scope', 'index-or-web', 'retrieve-or-not']),
  plan: z.enum(['never', 'when-complex', 'always']),
  maxSteps: z.number().int().min(1).max(12),
  /** `auto`: opens a retry only if the remaining time and money cover it. */
  depth: z.enum(['fixed', 'auto']),

  queriesPerStep: z.number().int().min(0).max(4),
  /**
   * `perQuery`: how many passages each query contributes. `atLeast`: the total that the next best passages fill up to.
   */
  perQuery: z.number().int().min(1).max(20),
  atLeast: z.number().int().min(0).max(20),
  /** How many passages before and after a found passage are joined to it, unless its collection has its own setting. */
  neighbours: z.number().int().min(0).max(3).optional(),
  /** `when-needed` grades only after a check rejects a draft. `on` is the former name of `first`. */
  gradeEvidence: z.enum(['first', 'when-needed', 'off', 'on']),
  /** Passages are graded against the step's question, or against the query that found them. */
  gradeAgainst: z.enum(['step', 'query']),
  strictness: z.enum(['lenient', 'normal', 'strict']),
  /** The lowest level at which a relevant passage passes. */
  passLevel: z.enum(['high', 'medium', 'low']),
  minRelevant: count,
  /** `any-irrelevant`: one irrelevant passage makes a step's evidence poor. */
  poorWhen: z.enum(['too-few', 'any-irrelevant']),
  /** `replace`: a later try drops the passages that failed. */
  keepEvidence: z.enum(['unite', 'replace']),
  whenPoor: z.enum(['go-on', 'rewrite', 'web', 'rewrite-then-web']),
  webQuery: z.enum(['question', 'rewritten']),
  webResults: z.number().int().min(1).max(20),
  gradeWeb: onOff,
  /** The outcome if web search is needed but off. Evidence that passed is still used. */
  noWeb: z.enum(['go-on', 'decline', 'unanswered']),
  /** The outcome if evidence is still less than `minRelevant`. */
  whenFew: z.enum(['go-on', 'fallback']),

  refineEvidence: onOff,
  drafts: z.enum(['one', 'per-passage']),
  maxSentences: z.number().int().min(1),
  /**
   * If a question needs no documents: `off` searches them anyway, `mark` releases an answer with a caveat, `park` holds
   * the answer.
   */
  generalKnowledge: z.enum(['off', 'mark', 'park']),
  /** `own-words`: small talk and clarifying questions may use a model's own words. */
  replies: z.enum(['own-words', 'fixed']),
  checkAnswer: onOff,
  parkBelow: z.number().min(0).max(1),
  whenUngrounded: z.enum(['regenerate', 'augment', 'regenerate-then-augment', 'decide']),
  minUsefulness: z.number().int().min(1).max(5),
  whenNotUseful: z.enum(['release', 'rewrite', 'web', 'rewrite-then-web']),
  whenTooBroad: z.enum(['release', 'ask']),
  /** How many documents a draft with sensitive evidence must cite. */
  sensitiveSources: count,

  counters: z.enum(['separate', 'shared']),
  /** With shared counters: whether tries before the first draft count too (`start`) or not (`draft`). */
  sharedFrom: z.enum(['start', 'draft']),
  maxRewrites: count,
  maxWebSearches: count,
  maxRegenerations: count,
  maxAugments: count,
  /** The common limit of shared counters. */
  maxShared: count,
  whenSpent: z.enum(['park', 'caveat', 'fallback', 'mark']),

  decider: z.enum(['reviewer', 'asker']),
  parkMs: z.number().int().positive(),
  whenParkedTooLong: z.enum(['refuse', 'caveat']),
  streamDrafts: onOff,
  /** `on`: parts of the answer are released as soon as they are checked. Off if missing. */
  releaseBySentence: onOff.optional(),
  /** The fallback when no provider is available: the offline skills, or nothing. */
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

/**
 * Returns how many moves one try (research and grading) or one draft (writing and check) may need. With `when-needed`,
 * the move for grading is reserved.
 */
export const tryMoves = ({ gradeEvidence }: Policy): number => (gradeEvidence === 'off' ? 1 : 2)
export const draftMoves = ({ checkAnswer }: Policy): number => (checkAnswer === 'on' ? 2 : 1)

/** Returns how many moves a question of one step needs without any retry. */
export const straightMoves = (policy: Policy): number => {
  const planned = policy.entry === 'plan' || (policy.entry === 'route' && policy.plan !== 'never')
  const graded =
    gradingOf(policy) === 'first' || (policy.gradeEvidence === 'when-needed' && policy.checkAnswer === 'off')
  return (policy.entry === 'route' ? 1 : 0) + (planned ? 1 : 0) + (graded ? 2 : 1) + draftMoves(policy)
}

/**
 * Returns the policy with parking instead of unchecked or ungrounded releases. Only tenants that the operator names may
 * use those.
 */
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

/** Returns the policy with the asker's limits, which may lower a limit and never raise one. */
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
