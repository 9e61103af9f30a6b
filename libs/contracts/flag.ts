import { z } from 'zod'
import { Cursor, plainText } from './text'

/**
 * A document that is read again after an answer was flagged. `from` is absent if the document was uploaded or is no
 * longer stored. `late` means that the document was not ready within an hour.
 */
export const RereadDocument = z.object({
  id: z.string(),
  title: z.string(),
  from: z.enum(['source', 'address']).optional(),
  source: z.string().optional(),
  state: z.enum(['waiting', 'changed', 'unchanged', 'failed', 'removed', 'late']),
})
export type RereadDocument = z.infer<typeof RereadDocument>

export const Reread = z.object({
  by: z.string(),
  at: z.string(),
  note: z.string().optional(),
  documents: z.array(RereadDocument),
  problem: z.string().optional(),
})
export type Reread = z.infer<typeof Reread>

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
  fix: z.object({ runId: z.string(), by: z.string(), at: z.string(), note: z.string().optional() }).optional(),
  reread: Reread.optional(),
})
export type Flag = z.infer<typeof Flag>

export const FlagList = z.object({ items: z.array(Flag), next: Cursor })
export type FlagList = z.infer<typeof FlagList>

export const NewFix = z.strictObject({ note: plainText.trim().max(2_000).optional() })
export type NewFix = z.infer<typeof NewFix>
