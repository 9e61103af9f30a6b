import type { Limits } from '@plumbline/contracts'
import { z } from 'zod'

const SkillSetting = z.strictObject({ tier: z.enum(['small', 'strong']), temperature: z.number().min(0).max(2) })

/** How good a model each skill asks for, and how freely it writes. */
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

/** How a run reacts. A flat record of words and numbers: no conditions, no transitions. */
export const Policy = z.strictObject({
  name: z.string(),

  entry: z.enum(['route', 'plan', 'research']),
  /** What the router decides. */
  routing: z.enum(['scope', 'index-or-web', 'retrieve-or-not']),
  plan: z.enum(['never', 'when-complex', 'always']),
  maxSteps: z.number().int().min(1).max(12),
  /** `auto`: another try is opened only where the time and the money that are left will do for it. */
  depth: z.enum(['fixed', 'auto']),

  queriesPerStep: z.number().int().min(0).max(4),
  /** The best passages of each query that make a step's evidence, and up to how many their next best fill it. */
  perQuery: z.number().int().min(1).max(20),
  atLeast: z.number().int().min(0).max(20),
  /** How many passages before and behind a found one are joined to it, where its collection does not say. */
  neighbours: z.number().int().min(0).max(3).optional(),
  gradeEvidence: onOff,
  /** What passages are graded against: the step's question, or the query that found them. */
  gradeAgainst: z.enum(['step', 'query']),
  strictness: z.enum(['lenient', 'normal', 'strict']),
  /** The lowest level at which a relevant passage counts. */
  passLevel: z.enum(['high', 'medium', 'low']),
  minRelevant: count,
  /** `any`: one irrelevant passage already makes a step's evidence poor. */
  poorWhen: z.enum(['too-few', 'any-irrelevant']),
  /** `replace`: a later try takes the place of what did not pass. */
  keepEvidence: z.enum(['unite', 'replace']),
  whenPoor: z.enum(['go-on', 'rewrite', 'web', 'rewrite-then-web']),
  webQuery: z.enum(['question', 'rewritten']),
  webResults: z.number().int().min(1).max(20),
  gradeWeb: onOff,
  /** What a web outcome does where web search is off. Evidence that passed is used all the same. */
  noWeb: z.enum(['go-on', 'decline', 'unanswered']),
  /** What happens when evidence is still less than `minRelevant`. */
  whenFew: z.enum(['go-on', 'fallback']),

  refineEvidence: onOff,
  drafts: z.enum(['one', 'per-passage']),
  maxSentences: z.number().int().min(1),
  /** What becomes of a reply that needed no document: `off`, all is looked up; `mark`, it goes out marked; `park`, it is held. */
  generalKnowledge: z.enum(['off', 'mark', 'park']),
  /** Whether small talk and questions back may be in a model's own words, marked as such. */
  replies: z.enum(['own-words', 'fixed']),
  checkAnswer: onOff,
  parkBelow: z.number().min(0).max(1),
  whenUngrounded: z.enum(['regenerate', 'augment', 'regenerate-then-augment', 'decide']),
  minUsefulness: z.number().int().min(1).max(5),
  whenNotUseful: z.enum(['release', 'rewrite', 'web', 'rewrite-then-web']),
  whenTooBroad: z.enum(['release', 'ask']),
  /** How many documents a draft must cite that rests on evidence graded sensitive. */
  sensitiveSources: count,

  counters: z.enum(['separate', 'shared']),
  /** With shared counters, whether tries before the first draft count with those after it. */
  sharedFrom: z.enum(['start', 'draft']),
  maxRewrites: count,
  maxWebSearches: count,
  maxRegenerations: count,
  maxAugments: count,
  /** With shared counters, the limit of all of them together. */
  maxShared: count,
  whenSpent: z.enum(['park', 'caveat', 'fallback', 'mark']),

  decider: z.enum(['reviewer', 'asker']),
  parkMs: z.number().int().positive(),
  whenParkedTooLong: z.enum(['refuse', 'caveat']),
  streamDrafts: onOff,
  /** What answers where no provider can: the offline skills, or nothing. */
  lastRung: z.enum(['offline', 'none']),

  maxMoves: z.number().int().positive(),
  maxTokens: count,
  maxCents: z.number().min(0),
  deadlineMs: z.number().int().positive(),

  skills: SkillSettings,
})
export type Policy = z.infer<typeof Policy>

/** What must be left to finish from here: a try of a step is research and its grading, a draft is writing and its check. */
export const tryMoves = ({ gradeEvidence }: Policy): number => (gradeEvidence === 'on' ? 2 : 1)
export const draftMoves = ({ checkAnswer }: Policy): number => (checkAnswer === 'on' ? 2 : 1)

/** What a question of one step takes for which nothing is tried twice. */
export const straightMoves = (policy: Policy): number => {
  const planned = policy.entry === 'plan' || (policy.entry === 'route' && policy.plan !== 'never')
  return (policy.entry === 'route' ? 1 : 0) + (planned ? 1 : 0) + tryMoves(policy) + draftMoves(policy)
}

/** What is weaker than parking is for tenants whom the operator names; for all others the same run is held. */
export const held = (policy: Policy): Policy => ({
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

/** An asker may ask for less than the policy allows, never for more. */
export const lowered = (policy: Policy, limits: Limits): Policy => ({
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
