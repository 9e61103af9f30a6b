import { z } from 'zod'
import { Cursor, plainText } from './text'

export const Flag = z.object({
  id: z.string(),
  question: z.string(),
  policy: z.string(),
  collections: z.array(z.string()),
  owners: z.array(z.string()),
  documents: z.array(z.object({ id: z.string(), title: z.string() })),
  note: z.string().optional(),
  flaggedAt: z.string(),
  status: z.enum(['open', 'fixed']),
  /** The run that asked the question again after the correction. */
  fix: z.object({ runId: z.string(), by: z.string(), at: z.string(), note: z.string().optional() }).optional(),
})
export type Flag = z.infer<typeof Flag>

export const FlagList = z.object({ items: z.array(Flag), next: Cursor })
export type FlagList = z.infer<typeof FlagList>

export const NewFix = z.strictObject({ note: plainText.trim().max(2_000).optional() })
export type NewFix = z.infer<typeof NewFix>
