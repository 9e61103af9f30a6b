import { z } from 'zod'

const Input = z.object({
  name: z.string(),
  value: z.number(),
  unit: z.string().optional(),
  /** The passage that contains the number. Null if the number comes from the question. */
  passageId: z.string().nullable(),
})

export const Working = z.object({
  what: z.string(),
  /** An arithmetic expression that uses the names of the inputs. */
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
  confidence: Confidence.optional(),
})
export type Claim = z.infer<typeof Claim>

export const AnswerPart = z.object({
  what: z.string(),
  outcome: z.enum(['answered', 'not-in-documents', 'missed']),
  why: z.string().optional(),
})
export type AnswerPart = z.infer<typeof AnswerPart>

export const Support = z.enum(['full', 'partial', 'none'])
export type Support = z.infer<typeof Support>

export const Usefulness = z.number().int().min(1).max(5)

export const Checked = z.object({
  /** The answer without statements that cannot be checked. Present only if all remaining statements are supported. */
  text: z.string().optional(),
  claims: z.array(Claim),
  parts: z.array(AnswerPart),
  support: Support,
  usefulness: Usefulness.optional(),
  confidence: Confidence,
  tooBroad: z.boolean(),
  broadWhy: z.string().optional(),
  dimensions: z.array(z.string()).optional(),
  why: z.string().optional(),
  evidence: z
    .object({
      /** True if the answer gives advice that should not rely on a single source. */
      sensitive: z.boolean(),
      outdated: z.array(z.string()),
      /** The ids of the cited passages that report hearsay or an opinion. */
      lowAuthority: z.array(z.string()),
    })
    .optional(),
})
export type Checked = z.infer<typeof Checked>
