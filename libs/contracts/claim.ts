import { z } from 'zod'

const Input = z.object({
  name: z.string(),
  value: z.number(),
  unit: z.string().optional(),
  /** Where it was read; null where the question itself gave it. */
  passageId: z.string().nullable(),
})

/** A worked figure: anybody can put the inputs into the formula and see whether the result comes out. */
export const Working = z.object({
  what: z.string(),
  /** An expression over the inputs' names. */
  formula: z.string(),
  inputs: z.array(Input),
  result: z.number(),
  unit: z.string().optional(),
})
export type Working = z.infer<typeof Working>

export const Confidence = z.number().min(0).max(1)

export const Verdict = z.enum(['supported', 'unsupported', 'contradicted'])
export type Verdict = z.infer<typeof Verdict>

export const Claim = z.object({
  text: z.string(),
  kind: z.enum(['fact', 'number', 'order', 'cause', 'inference']),
  verdict: Verdict,
  reason: z.string(),
  passageId: z.string().nullable(),
  /** A passage that gives another value for the same thing, which this claim does not tell. */
  conflictsWith: z.string().optional(),
  /** How sure the check is of its verdict, from 0 to 1. */
  confidence: Confidence.optional(),
})
export type Claim = z.infer<typeof Claim>

export const AnswerPart = z.object({ what: z.string(), outcome: z.enum(['answered', 'not-in-documents', 'missed']) })
export type AnswerPart = z.infer<typeof AnswerPart>

export const Support = z.enum(['full', 'partial', 'none'])
export type Support = z.infer<typeof Support>

export const Usefulness = z.number().int().min(1).max(5)

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
