import { z } from 'zod'

const Input = z.object({
  name: z.string(),
  value: z.number(),
  unit: z.string().optional(),
  /** The passage that contains the number. Null if the number is in the question. */
  passageId: z.string().nullable(),
})

/** A calculated number with its formula and inputs, so that anybody can repeat the calculation. */
export const Working = z.object({
  what: z.string(),
  /** An arithmetic expression over the names of the inputs. */
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
  /** The id of a passage that states another value than this claim. Absent if the claim mentions both values. */
  conflictsWith: z.string().optional(),
  /** The confidence of the check in its verdict, from 0 to 1. */
  confidence: Confidence.optional(),
})
export type Claim = z.infer<typeof Claim>

export const AnswerPart = z.object({ what: z.string(), outcome: z.enum(['answered', 'not-in-documents', 'missed']) })
export type AnswerPart = z.infer<typeof AnswerPart>

export const Support = z.enum(['full', 'partial', 'none'])
export type Support = z.infer<typeof Support>

export const Usefulness = z.number().int().min(1).max(5)

/** The result of checking a draft. */
export const Checked = z.object({
  /** The draft without the statements that cannot be checked. Set only if all other statements are supported. */
  text: z.string().optional(),
  claims: z.array(Claim),
  parts: z.array(AnswerPart),
  support: Support,
  /** A rating of the draft's usefulness. Absent if the check gave no rating. */
  usefulness: Usefulness.optional(),
  confidence: Confidence,
  tooBroad: z.boolean(),
  /** One line that explains why the answer is not useful, or why the question is too broad. */
  why: z.string().optional(),
  /** The verdict on the passages that the draft cites. Absent if no passage was judged. */
  evidence: z
    .object({
      /** Whether the answer gives advice that should not rely on a single source. */
      sensitive: z.boolean(),
      /** The ids of cited passages that are out of date. */
      outdated: z.array(z.string()),
      /** The ids of cited passages that state hearsay or opinion. */
      lowAuthority: z.array(z.string()),
    })
    .optional(),
})
export type Checked = z.infer<typeof Checked>
