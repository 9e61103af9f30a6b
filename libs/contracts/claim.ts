import { z } from 'zod'

/** `style` is in runs that were stored while some sentences were exempt from the check. */
const ClaimKind = z.enum(['fact', 'number', 'order', 'cause', 'inference', 'style'])

export const Verdict = z.enum(['supported', 'unsupported', 'contradicted'])
export type Verdict = z.infer<typeof Verdict>

export const Claim = z.object({
  text: z.string(),
  kind: ClaimKind,
  verdict: Verdict,
  reason: z.string(),
  passageId: z.string().nullable(),
  /** A passage that gives another value for the same thing, which this claim does not tell. */
  conflictsWith: z.string().optional(),
  /** How sure the check is of its verdict, from 0 to 1. */
  confidence: z.number().min(0).max(1).optional(),
})
export type Claim = z.infer<typeof Claim>

const PartOutcome = z.enum(['answered', 'not-in-documents', 'missed'])
export const AnswerPart = z.object({ what: z.string(), outcome: PartOutcome })
export type AnswerPart = z.infer<typeof AnswerPart>

export const Support = z.enum(['full', 'partial', 'none'])
export type Support = z.infer<typeof Support>

export const Usefulness = z.number().int().min(1).max(5)
export const Confidence = z.number().min(0).max(1)

/** What the check of a draft finds. */
export const Checked = z.object({
  /** The draft without the pieces that say nothing which could be checked, where all others stand. */
  text: z.string().optional(),
  claims: z.array(Claim),
  parts: z.array(AnswerPart),
  support: Support,
  /** Absent where nothing could rate it. */
  usefulness: Usefulness.optional(),
  confidence: Confidence,
  tooBroad: z.boolean(),
})
export type Checked = z.infer<typeof Checked>
