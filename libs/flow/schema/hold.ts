import { OverdueAction, WorkingHours } from '@plumbline/contracts'
import { z } from 'zod'

export const RuleReason = z.enum(['parked.tenant', 'parked.sample', 'parked.collection', 'parked.words'])

/** The rules that hold a grounded answer: always, for its collections, or for words in its standalone question. */
export const Hold = z.object({
  reason: RuleReason.optional(),
  collections: z.array(z.string()).optional(),
  words: z.array(z.string()).optional(),
})
export type Hold = z.infer<typeof Hold>

/** The time limit of a review, in working hours, and the action when it ends. */
export const HoldDeadline = z.object({
  waitMs: z.number().int().positive(),
  hours: WorkingHours.optional(),
  then: OverdueAction,
  /** The second wait, after escalation. As long as the first if it is missing. */
  escalatedMs: z.number().int().positive().optional(),
})
export type HoldDeadline = z.infer<typeof HoldDeadline>
