import { z } from 'zod'

const SkillSetting = z.strictObject({ tier: z.enum(['small', 'strong']), temperature: z.number().min(0).max(2) })

/** Skills that have become part of another: runs stored before still name them. */
const formerSkills = {
  writeQueries: SkillSetting.optional(),
  checkClaims: SkillSetting.optional(),
  rateUsefulness: SkillSetting.optional(),
  compute: SkillSetting.optional(),
}

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

/** Runs stored before some of these skills came have no settings for them. */
const StoredSettings = SkillSettings.partial({ check: true, summarise: true, fillLookup: true }).extend(formerSkills)

const onOff = z.enum(['on', 'off'])
const count = z.number().int().min(0)

/** How a run reacts. A flat record of words and numbers: no conditions, no transitions. Optional is what runs stored before it lack. */
export const Policy = z.strictObject({
  name: z.string(),

  entry: z.enum(['route', 'plan', 'research']),
  /** What the router decides. */
  routing: z.enum(['scope', 'index-or-web', 'retrieve-or-not']).optional(),
  plan: z.enum(['never', 'when-complex', 'always']),
  maxSteps: z.number().int().min(1).max(12),
  /** `auto`: another try is opened only where the time and the money that are left will do for it. */
  depth: z.enum(['fixed', 'auto']).optional(),

  queriesPerStep: z.number().int().min(0).max(4),
  /** The best passages of each query that make a step's evidence, and up to how many their next best fill it. */
  perQuery: z.number().int().min(1).max(20).optional(),
  atLeast: z.number().int().min(0).max(20).optional(),
  gradeEvidence: onOff,
  /** What passages are graded against: the step's question, or the query that found them. */
  gradeAgainst: z.enum(['step', 'query']).optional(),
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
  webResults: z.number().int().min(1).max(20).optional(),
  gradeWeb: onOff,
  /** What a web outcome does where web search is off. Evidence that passed is used all the same. */
  noWeb: z.enum(['go-on', 'decline', 'unanswered']),
  /** In runs stored before only: without evidence nothing is written. */
  whenNothing: z.enum(['generate', 'fallback']).optional(),
  /** What happens when evidence is still less than `minRelevant`. */
  whenFew: z.enum(['go-on', 'fallback']).optional(),

  refineEvidence: onOff,
  drafts: z.enum(['one', 'per-passage']).optional(),
  maxSentences: z.number().int().min(1),
  /** What becomes of a reply that needed no document: `off`, all is looked up; `mark`, it goes out marked; `park`, it is held. */
  generalKnowledge: z.enum(['off', 'mark', 'park']).optional(),
  /** Whether small talk and questions back may be in a model's own words, marked as such. */
  replies: z.enum(['own-words', 'fixed']).optional(),
  checkAnswer: onOff,
  parkBelow: z.number().min(0).max(1),
  whenUngrounded: z.enum(['regenerate', 'augment', 'regenerate-then-augment', 'decide']),
  minUsefulness: z.number().int().min(1).max(5),
  whenNotUseful: z.enum(['release', 'rewrite', 'web', 'rewrite-then-web']),
  whenTooBroad: z.enum(['release', 'ask']),
  /** How many documents a draft must cite that rests on evidence graded sensitive. */
  sensitiveSources: count.optional(),

  counters: z.enum(['separate', 'shared']),
  /** With shared counters, whether tries before the first draft count with those after it. */
  sharedFrom: z.enum(['start', 'draft']).optional(),
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
  /** What answers where no provider can: the offline skills, or nothing. Runs stored before it had none but offline skills. */
  lastRung: z.enum(['offline', 'none']).optional(),

  maxMoves: z.number().int().positive(),
  maxTokens: count,
  maxCents: z.number().min(0),
  deadlineMs: z.number().int().positive(),

  skills: StoredSettings,
})
export type Policy = z.infer<typeof Policy>

/** A policy that leaves nothing to what an older one meant. */
export const WholePolicy = Policy.omit({ whenNothing: true }).required().extend({ skills: SkillSettings })
export type WholePolicy = z.infer<typeof WholePolicy>
