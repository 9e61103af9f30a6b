import { OverdueAction, WorkingHours } from '@plumbline/contracts'
import { z } from 'zod'

export const RuleReason = z.enum(['parked.tenant', 'parked.sample', 'parked.collection', 'parked.words'])

/**
 * The tenant's rules that require a review even of a grounded answer. `reason`: always. `collections`: if the answer
 * uses them. `words`: if the standalone question contains them.
 */
export const Hold = z.object({
  reason: RuleReason.optional(),
  collections: z.array(z.string()).optional(),
  words: z.array(z.string()).optional(),
})
export type Hold = z.infer<typeof Hold>

/**
 * The time limit of a review, and the action if nobody decides in time. With `hours`, only working hours are counted.
 */
export const HoldDeadline = z.object({
  waitMs: z.number().int().positive(),
  hours: WorkingHours.optional(),
  then: OverdueAction,
  /** The wait after an escalation. Defaults to `waitMs`. */
  escalatedMs: z.number().int().positive().optional(),
})
export type HoldDeadline = z.infer<typeof HoldDeadline>
