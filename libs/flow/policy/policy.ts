import { z } from 'zod'

const skillNames = [
  'route', 'plan', 'writeQueries', 'rewriteQuery', 'gradeEvidence', 'refineEvidence', 'answer', 'reply', 'checkClaims', 'rateUsefulness',
] as const
export type SkillName = (typeof skillNames)[number]

const SkillSetting = z.object({ tier: z.enum(['small', 'strong']), temperature: z.number().min(0).max(2) })

const onOff = z.enum(['on', 'off'])
const count = z.number().int().min(0)

/** How a run reacts. A flat record of words and numbers: no conditions, no transitions. */
export const Policy = z.strictObject({
  name: z.string(),

  entry: z.enum(['route', 'plan', 'research']),
  plan: z.enum(['never', 'when-complex', 'always']),
  maxSteps: z.number().int().min(1).max(12),

  queriesPerStep: z.number().int().min(0).max(4),
  gradeEvidence: onOff,
  strictness: z.enum(['lenient', 'normal', 'strict']),
  /** The lowest level at which a relevant passage counts. */
  passLevel: z.enum(['high', 'medium', 'low']),
  minRelevant: count,
  /** `any`: one irrelevant passage already makes a step's evidence poor. */
  poorWhen: z.enum(['too-few', 'any-irrelevant']),
  keepEvidence: z.enum(['unite', 'replace']),
  whenPoor: z.enum(['go-on', 'rewrite', 'web', 'rewrite-then-web']),
  webQuery: z.enum(['question', 'rewritten']),
  gradeWeb: onOff,
  /** What a web outcome does where web search is off. */
  noWeb: z.enum(['go-on', 'decline', 'unanswered']),
  /** What happens when no evidence was found at all. */
  whenNothing: z.enum(['generate', 'fallback']),

  refineEvidence: onOff,
  maxSentences: z.number().int().min(1),
  checkAnswer: onOff,
  parkBelow: z.number().min(0).max(1),
  whenUngrounded: z.enum(['regenerate', 'augment', 'regenerate-then-augment', 'decide']),
  minUsefulness: z.number().int().min(1).max(5),
  whenNotUseful: z.enum(['release', 'rewrite', 'web', 'rewrite-then-web']),
  whenTooBroad: z.enum(['release', 'ask']),

  counters: z.enum(['separate', 'shared']),
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

  skills: z.record(z.enum(skillNames), SkillSetting),
})
export type Policy = z.infer<typeof Policy>
