import { z } from 'zod'
import { Cursor, plainText } from './text'

/** An answer that was marked as not useful. The owner of its collection should correct the documents. */
export const Flag = z.object({
  /** The id of the run that gave the answer. */
  id: z.string(),
  question: z.string(),
  policy: z.string(),
  collections: z.array(z.string()),
  /** The owners of the answer's collections, if any. */
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
