import { OverdueAction, WorkingHours } from '@plumbline/contracts'
import { z } from 'zod'

export const RuleReason = z.enum(['parked.tenant', 'parked.sample', 'parked.collection', 'parked.words'])

/** What is held although it stands: at once for its reason, or where the answer is from one of these collections or its question, as it stands without the thread, has one of these words. */
export const Hold = z.object({
  reason: RuleReason.optional(),
  collections: z.array(z.string()).optional(),
  words: z.array(z.string()).optional(),
})
export type Hold = z.infer<typeof Hold>

/** How long a draft may wait for a person, in the hours that count, and what becomes of it then. */
export const HoldDeadline = z.object({
  waitMs: z.number().int().positive(),
  hours: WorkingHours.optional(),
  then: OverdueAction,
  /** The second wait of what was escalated; as long as the first where it is not set. */
  escalatedMs: z.number().int().positive().optional(),
})
export type HoldDeadline = z.infer<typeof HoldDeadline>
