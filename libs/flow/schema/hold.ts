import { OverdueAction, WorkingHours } from '@plumbline/contracts'
import { z } from 'zod'

export const RuleReason = z.enum(['parked.tenant', 'parked.sample', 'parked.collection', 'parked.words'])

/** The review rules for one run. They hold even a grounded answer, such as one to a question with one of `words`. */
export const Hold = z.object({
  reason: RuleReason.optional(),
  collections: z.array(z.string()).optional(),
  words: z.array(z.string()).optional(),
})
export type Hold = z.infer<typeof Hold>

export const HoldDeadline = z.object({
  waitMs: z.number().int().positive(),
  hours: WorkingHours.optional(),
  then: OverdueAction,
  /** How long an escalated review waits until its second deadline, in ms. Defaults to `waitMs`. */
  escalatedMs: z.number().int().positive().optional(),
})
export type HoldDeadline = z.infer<typeof HoldDeadline>
