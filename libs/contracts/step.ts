import { z } from 'zod'

export const PlannedStep = z.object({
  question: z.string(),
  /** The number (from 1) of the step whose answer this one needs first. */
  waitsFor: z.number().int().positive().nullable(),
  /** What else is searched for it. */
  queries: z.array(z.string()).optional(),
})
export type PlannedStep = z.infer<typeof PlannedStep>

export const Source = z.enum(['index', 'web'])
export type Source = z.infer<typeof Source>

export const Strategy = z.enum(['expand-terms', 'narrow-focus', 'rephrase-intent', 'decompose', 'add-context'])
export type Strategy = z.infer<typeof Strategy>

export const Overall = z.enum(['correct', 'ambiguous', 'incorrect'])
export type Overall = z.infer<typeof Overall>

/** `continue`: with the passages the thread has already. */
export const RouteTo = z.enum(['research', 'summarise', 'web', 'reply', 'clarify', 'decline', 'continue'])
export type RouteTo = z.infer<typeof RouteTo>
